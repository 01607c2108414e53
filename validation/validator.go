package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// Validator validates custom resources against one schema. It is immutable and safe for concurrent use. None of its methods changes
// an object, and none panics on one.
//
// A nil *Validator, as the zero value, stands for a version without a schema: it finds nothing.
type Validator struct {
	schema    *structural.Schema
	values    *node
	status    *node // nil: the schema has no property status
	listTypes *listTypeNode
	embedded  *embeddedNode
	indexes   *indexes
}

// Compile makes the validator of a version's schema; nil gives one that finds nothing. It cannot fail: a pattern that does not compile fails
// every string, as on the server (VAL-043).
func Compile(schema *structural.Schema, options ...Option) *Validator {
	return newChoices(options).compile(schema, ofObjects)
}

// Validate validates a new object: its values, its embedded resources and its list types, in the server's order. What a server checks
// of the root's own metadata and type is not part of it, nor are validation rules.
func (v *Validator) Validate(object map[string]any) field.ErrorList {
	if v == nil {
		return nil
	}
	errs := v.Values(nil, object)
	errs = append(errs, v.EmbeddedResources(nil, object)...)
	return append(errs, v.ListTypes(object)...)
}

// Values validates a value against the schema's keywords and formats. The path is that of the value, nil for a whole object; texts of
// errors name places relative to the value.
func (v *Validator) Values(path *field.Path, value any) field.ErrorList {
	if v == nil || v.values.passes(value) {
		return nil
	}
	errs, _ := collect(path, v.values, value, nil)
	return errs
}

// passes tells whether a whole value needs no second look: it is valid, and what the server reports twice cannot make it invalid.
func (n *node) passes(value any) bool { return n == nil || !n.repeats && n.valid(value) }

func collect(path *field.Path, n *node, value any, old *correlation) (errs, ratcheted field.ErrorList) {
	c := &collector{findings: findings{base: path}}
	c.node(n, value, old)
	return c.lists()
}
