package definition

import (
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/minors"
)

// Option changes how [Decode] and [FromMap] read a definition.
type Option func(*CRD)

// Kubernetes selects the minor whose server reads the definition. The
// definition is validated and compiled as by the same minor. Without this
// option it is the newest one.
func Kubernetes(m minors.Minor) Option {
	return func(c *CRD) { c.profile = minors.Internal.Export(door.Key).Profile(m) }
}

// Kubernetes returns the minor whose server reads the definition.
func (c *CRD) Kubernetes() minors.Minor {
	return minors.Internal.Export(door.Key).Of(c.minor())
}

// In returns the definition as the server of another minor reads it. It saves
// decoding the document again; the errors of a strict decoder may differ. The
// definition is not changed.
func (c *CRD) In(m minors.Minor) *CRD {
	return &CRD{c.definition(), minors.Internal.Export(door.Key).Profile(m)}
}

// minor returns the profile of the definition's minor.
func (c *CRD) minor() *profile.Profile {
	if c == nil || c.profile == nil {
		return profile.Latest()
	}
	return c.profile
}
