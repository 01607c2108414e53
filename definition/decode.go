package definition

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// CRD is a definition as it was written, decoded and defaulted. It need not be
// valid. It is immutable and safe for concurrent use. A nil *CRD and the zero
// value are empty definitions.
type CRD struct{ held }

// held is what package validate reads too.
type held = crd.Held

// newCRD returns a definition of a minor.
func newCRD(object *crd.CustomResourceDefinition, p *profile.Profile) *CRD {
	return &CRD{held{Object: object, Profile: p}}
}

// definition returns the decoded object. It is shared and must not be changed.
func (c *CRD) definition() *crd.CustomResourceDefinition {
	if c == nil || c.Object == nil {
		return new(crd.CustomResourceDefinition)
	}
	return c.Object
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

// Parse decodes and defaults a definition of v1 or v1beta1 (CRD-010 to
// CRD-012). A document without apiVersion and kind is one of v1. Text that
// starts with { is JSON; any other text is one YAML document.
//
// The option [structural.Kubernetes] selects the minor whose server reads the
// definition. The definition is validated and compiled as by the same minor.
//
// strict has the errors of a strict decoder in the server's order, about
// unknown and duplicate fields, e.g. `unknown field "spec.foo"`. The error err
// is a *DecodeError, or that of an unknown minor.
func Parse(
	data []byte, options ...structural.Option,
) (def *CRD, strict []error, err error) {
	p, err := profileOf(options)
	if err != nil {
		return nil, nil, err
	}
	object, strict, err := crd.DecodeDefinition(data, p)
	if err != nil {
		return nil, nil, &DecodeError{Err: err, Rule: crd.DecodeRule(err)}
	}
	return newCRD(object, p), strict, nil
}

// profileOf returns the profile of the minor that options select. An unknown
// minor is an error.
func profileOf(options []structural.Option) (*profile.Profile, error) {
	minor, _ := structural.Common(options...)
	return profile.Resolve(string(minor))
}

// FromMap is like Parse but takes a document that is decoded already. It
// neither changes nor keeps its argument. A map has no duplicate fields.
func FromMap(
	document map[string]any, options ...structural.Option,
) (def *CRD, strict []error, err error) {
	if err := jsonvalue.Check(document); err != nil {
		return nil, nil, &DecodeError{Err: err}
	}
	p, err := profileOf(options)
	if err != nil {
		return nil, nil, err
	}
	if object, strict, ok := crd.DefinitionFromValue(document, p); ok {
		return newCRD(object, p), strict, nil
	}
	data, err := jsonvalue.EncodeJSON(document)
	if err != nil {
		return nil, nil, &DecodeError{Err: err}
	}
	return Parse(data, options...)
}

// Name returns metadata.name.
func (c *CRD) Name() string {
	name, _ := c.definition().Metadata["name"].(string)
	return name
}
