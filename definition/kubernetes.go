package definition

import (
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Kubernetes returns the minor whose server reads the definition.
func (c *CRD) Kubernetes() minors.Minor {
	return minors.Minor(c.minor().Minor.String())
}

// In returns the definition as the server of another minor reads it. It saves
// decoding the document again; the errors of a strict decoder may differ. The
// definition is not changed. An unknown minor counts as the newest one.
func (c *CRD) In(m minors.Minor) *CRD {
	return newCRD(c.definition(), profile.Named(string(m)))
}

// minor returns the profile of the definition's minor.
func (c *CRD) minor() *profile.Profile {
	if c == nil || c.Profile == nil {
		return profile.Latest()
	}
	return c.Profile
}
