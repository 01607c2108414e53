package definition

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// CRD is a definition as it was written, decoded and defaulted. It need not be
// valid. It is immutable and safe for concurrent use. A nil *CRD and the zero
// value are empty definitions.
type CRD struct {
	object  *crd.CustomResourceDefinition
	profile *profile.Profile // nil: the newest minor
	shared  *Shared          // nil: each validation has its own
}

// definition returns the decoded object. It is shared and must not be changed.
func (c *CRD) definition() *crd.CustomResourceDefinition {
	if c == nil || c.object == nil {
		return new(crd.CustomResourceDefinition)
	}
	return c.object
}

// DecodeError is the error for a document that is not a definition. Its text is
// the server's. Rule is the id of the rule that the document breaks, e.g.
// STR-002; it is empty if no rule is known.
type DecodeError struct {
	Err  error
	Rule string
}

// Error returns the server's text.
func (e *DecodeError) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns the underlying error.
func (e *DecodeError) Unwrap() error { return e.Err }

// Decode decodes and defaults a definition of v1 or v1beta1 (CRD-010 to
// CRD-012). A document without apiVersion and kind is one of v1. Text that
// starts with { is JSON; any other text is one YAML document.
//
// strict has the errors of a strict decoder in the server's order, about
// unknown and duplicate fields, e.g. `unknown field "spec.foo"`. The error err
// is a *DecodeError, or that of an option.
func Decode(data []byte, options ...Option) (def *CRD, strict []error, err error) {
	if def, err = newCRD(options); err != nil {
		return nil, nil, err
	}
	if def.object, strict, err = crd.DecodeDefinition(data, def.minor()); err != nil {
		return nil, nil, &DecodeError{Err: err, Rule: crd.DecodeRule(err)}
	}
	return def, strict, nil
}

// newCRD returns an empty definition with options.
func newCRD(options []Option) (*CRD, error) {
	c := &CRD{}
	for _, choose := range options {
		if choose == nil {
			continue
		}
		if err := choose(c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// FromMap is like Decode but takes a document that is decoded already. It
// neither changes nor keeps its argument. A map has no duplicate fields.
func FromMap(document map[string]any, options ...Option) (def *CRD, strict []error, err error) {
	if err := jsonvalue.Check(document); err != nil {
		return nil, nil, &DecodeError{Err: err}
	}
	if def, err = newCRD(options); err != nil {
		return nil, nil, err
	}
	object, strict, ok := crd.DefinitionFromValue(document, def.minor())
	if ok {
		def.object = object
		return def, strict, nil
	}
	data, err := jsonvalue.EncodeJSON(document)
	if err != nil {
		return nil, nil, &DecodeError{Err: err}
	}
	return Decode(data, options...)
}

// Name returns metadata.name.
func (c *CRD) Name() string {
	name, _ := c.definition().Metadata["name"].(string)
	return name
}
