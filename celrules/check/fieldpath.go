package check

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// checkFieldPath checks the fieldPath of a rule, e.g. `.spec.min`: that it is
// not blank, stands on one line, and leads to a field of the schema. With a nil
// schema, it is not resolved. Package celrules has the syntax of paths.
func checkFieldPath(r *structural.Rule, schema *structural.Schema, at *field.Path) field.ErrorList {
	if r.FieldPath == "" {
		return nil
	}
	var errs field.ErrorList
	invalid := func(detail string) {
		errs = append(errs, field.Invalid(at, r.FieldPath, detail).WithOrigin("CRD-205"))
	}
	if strings.TrimSpace(r.FieldPath) == "" {
		invalid(mustNotBeEmpty)
	}
	if hasLineBreak(r.FieldPath) {
		invalid(mustBeOneLine)
	}
	if schema != nil {
		if _, _, err := celrules.ResolveFieldPath(r.FieldPath, schema); err != nil {
			invalid("must be a valid path")
		}
	}
	return errs
}
