// Package rulefields checks the fields of x-kubernetes-validations, as far as
// nothing has to be compiled, and follows field paths through a schema.
package rulefields

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

const (
	rulesKeyword = "x-kubernetes-validations"

	mustNotBeEmpty = "must be non-empty if specified"
	mustBeOneLine  = "must not contain line breaks"
)

// Check checks the fields of the rules of one node, as far as nothing has
// to be compiled (CEL-070, CEL-071). Texts must be present and on one line,
// reasons must be known, and fieldPaths must lead to a field. path is the path
// of the node. With a nil schema, fieldPaths are not resolved.
func Check(
	rules []structural.Rule, schema *structural.Schema, path *field.Path, p *profile.Profile,
) field.ErrorList {
	var errs field.ErrorList
	for i := range rules {
		at := path.Child(rulesKeyword).Index(i)
		errs = append(errs, checkTexts(&rules[i], at, p)...)
		errs = append(errs, checkReason(&rules[i], at)...)
		resolved := checkFieldPath(&rules[i], schema, at.Child("fieldPath"))
		for _, err := range resolved {
			err.Detail = p.Full("fieldPath "+err.Detail, err.Detail)
		}
		errs = append(errs, resolved...)
	}
	return errs
}

// checkTexts checks rule, message and messageExpression.
func checkTexts(r *structural.Rule, at *field.Path, p *profile.Profile) field.ErrorList {
	var errs field.ErrorList
	add := func(rule string, err *field.Error) { errs = append(errs, err.WithOrigin(rule)) }
	rule, message := strings.TrimSpace(r.Rule), strings.TrimSpace(r.Message)
	switch {
	case rule == "":
		add("CRD-201", field.Required(at.Child("rule"), "rule is not specified"))
	case r.Message != "" && message == "":
		add("CRD-202", field.Invalid(at.Child("message"), r.Message,
			p.Full("message "+mustNotBeEmpty, mustNotBeEmpty)))
	case hasLineBreak(message):
		add("CRD-202", field.Invalid(at.Child("message"), r.Message,
			p.Full("message "+mustBeOneLine, mustBeOneLine)))
	case hasLineBreak(rule) && message == "":
		add("CRD-202", field.Required(at.Child("message"),
			"message must be specified if rule contains line breaks"))
	}
	return append(errs, checkMessageExpressionText(r, at.Child("messageExpression"))...)
}

func hasLineBreak(text string) bool { return strings.ContainsAny(text, "\n\r") }

// reason is a type of its own, because errors show such values as JSON.
type reason string

// checkReason checks the reason of a failure, e.g. FieldValueForbidden.
func checkReason(r *structural.Rule, at *field.Path) field.ErrorList {
	known := []reason{
		"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired",
	}
	if !r.HasReason || slices.Contains(known, reason(r.Reason)) {
		return nil
	}
	err := field.NotSupported(at.Child("reason"), reason(r.Reason), known)
	return field.ErrorList{err.WithOrigin("CRD-204")}
}

// checkMessageExpressionText rejects a messageExpression that is only space.
func checkMessageExpressionText(r *structural.Rule, at *field.Path) field.ErrorList {
	if r.MessageExpression == "" || strings.TrimSpace(r.MessageExpression) != "" {
		return nil
	}
	err := field.Required(at, "messageExpression must be non-empty if specified")
	return field.ErrorList{err.WithOrigin("CRD-203")}
}

// checkFieldPath checks the fieldPath of a rule, e.g. `.spec.min`: that it is
// not blank, stands on one line, and leads to a field of the schema. With a nil
// schema, it is not resolved.
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
		if _, _, err := Resolve(r.FieldPath, schema); err != nil {
			invalid("must be a valid path")
		}
	}
	return errs
}
