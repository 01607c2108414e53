package definition

import (
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/minors"
)

// Option changes how [Decode] and [FromMap] read a definition.
type Option func(*CRD) error

// Kubernetes selects the minor whose server reads the definition. The
// definition is validated and compiled as by the same minor. Without this
// option it is the newest one. An unknown minor is an error.
func Kubernetes(m minors.Minor) Option {
	return func(c *CRD) (err error) {
		c.profile, err = profile.Resolve(string(m))
		return err
	}
}

// Kubernetes returns the minor whose server reads the definition.
func (c *CRD) Kubernetes() minors.Minor {
	return minors.Minor(c.minor().Minor.String())
}

// In returns the definition as the server of another minor reads it. It saves
// decoding the document again; the errors of a strict decoder may differ. The
// definition is not changed. An unknown minor counts as the newest one.
func (c *CRD) In(m minors.Minor) *CRD {
	return &CRD{c.definition(), profile.Named(string(m))}
}

// minor returns the profile of the definition's minor.
func (c *CRD) minor() *profile.Profile {
	if c == nil || c.profile == nil {
		return profile.Latest()
	}
	return c.profile
}
