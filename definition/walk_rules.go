package definition

import (
	"slices"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// ruleTexts checks what validation rules say, short of compiling them (CRD-201 to CRD-205). Where a node does not convert, nobody can
// tell whether it has the field that a rule reports.
func (w *walker) ruleTexts(s *crd.JSONSchemaProps, at *schemapath.Place) {
	if len(s.XValidations) == 0 {
		return
	}
	var node *structural.Schema
	if slices.ContainsFunc(s.XValidations, func(r crd.ValidationRule) bool { return r.FieldPath != "" }) {
		node, _ = w.convert(s) // nil: the paths go unchecked
	}
	w.add(celrules.CheckFields(schemas.Rules(s.XValidations), node, at.Path())...)
}
