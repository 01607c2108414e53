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

// CompileDefaults makes the validator that the server uses for a default when the CustomResourceDefinition is written. It differs
// from that of objects: x-kubernetes-int-or-string gives no type, formats that are not supported are kept, and additionalProperties in a
// branch is lost (DEF-052, DEF-053). The schema is the node that has the default; its value is validated with Values.
func CompileDefaults(schema *structural.Schema, options ...Option) *Validator {
	return newChoices(options).compile(schema, ofDefaults)
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

// ValidateUpdate validates an object that replaces old, as Validate does, with ratcheting: errors of values that did not change are
// returned apart. Both objects are as after pruning and defaulting (RAT-034).
func (v *Validator) ValidateUpdate(object, old map[string]any) (errs, ratcheted field.ErrorList) {
	if v == nil {
		return nil, nil
	}
	errs, ratcheted = v.ValuesUpdate(object, old)
	errs = append(errs, v.EmbeddedResources(nil, object)...)
	listErrs, listRatcheted := v.ListTypesUpdate(object, old)
	return append(errs, listErrs...), append(ratcheted, listRatcheted...)
}

// ValidateStatusUpdate validates an object whose status replaces old's: the values of its status and the list types of the whole object
// (RAT-040, LST-041). Embedded resources are not validated (META-031).
func (v *Validator) ValidateStatusUpdate(object, old map[string]any) (errs, ratcheted field.ErrorList) {
	if v == nil {
		return nil, nil
	}
	errs, ratcheted = v.StatusValuesUpdate(object, old)
	listErrs, listRatcheted := v.ListTypesUpdate(object, old)
	return append(errs, listErrs...), append(ratcheted, listRatcheted...)
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

// ValuesUpdate validates a whole object, or any other value, that replaces old. Errors of values that did not change are returned as
// ratcheted (RAT-001 to RAT-036).
func (v *Validator) ValuesUpdate(value, old any) (errs, ratcheted field.ErrorList) {
	if v == nil || v.values.passes(value) {
		return nil, nil
	}
	return collect(nil, v.values, value, &correlation{New: value, Old: old, Schema: v.schema})
}

// StatusValuesUpdate validates the values of an object's status, which replaces old's status, with ratcheting. Without a
// status or a schema of it there is nothing to validate.
func (v *Validator) StatusValuesUpdate(object, old map[string]any) (errs, ratcheted field.ErrorList) {
	if v == nil || v.status == nil {
		return nil, nil
	}
	status, ok := object["status"]
	if !ok || v.status.passes(status) {
		return nil, nil
	}
	correlated := &correlation{New: status, Old: old["status"], Schema: v.schema.Property("status")}
	return collect(field.NewPath("status"), v.status, status, correlated)
}

// passes tells whether a whole value needs no second look: it is valid, and what the server reports twice cannot make it invalid.
func (n *node) passes(value any) bool { return n == nil || !n.important && n.valid(value) }

func collect(path *field.Path, n *node, value any, old *correlation) (errs, ratcheted field.ErrorList) {
	c := &collector{findings: findings{base: path}}
	c.node(n, value, old)
	return c.lists()
}
