package definition

import (
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/validation"
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
	return &CRD{c.definition(), profile.Named(string(m)), c.sharing()}
}

// sharing returns what the definition shares, nil for nothing.
func (c *CRD) sharing() *Shared {
	if c == nil {
		return nil
	}
	return c.shared
}

// Shared keeps what the validation of a definition compiles. The validation of
// the same definition as another minor uses it again. The zero value is empty.
// Only one goroutine at a time may validate definitions with it.
type Shared struct {
	convert converter
	values  validation.Cache
	rules   celrules.Cache
}

// Sharing returns the definition with what its validation compiles in shared.
func (c *CRD) Sharing(shared *Shared) *CRD {
	return &CRD{c.definition(), c.minor(), shared}
}

// compiled returns what the validation of the definition compiles.
func (c *CRD) compiled() *Shared {
	shared := c.sharing()
	if shared == nil {
		shared = &Shared{}
	}
	if shared.convert == nil {
		shared.convert = newConverter(nil)
	}
	return shared
}

// minor returns the profile of the definition's minor.
func (c *CRD) minor() *profile.Profile {
	if c == nil || c.profile == nil {
		return profile.Latest()
	}
	return c.profile
}
