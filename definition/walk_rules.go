package definition

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/apiextensions"
	"github.com/crdsem/crdsem/internal/place"
	"github.com/crdsem/crdsem/structural"
)

// ruleTexts checks what validation rules say, short of compiling them (CRD-201 to CRD-205).
func (w *walker) ruleTexts(s *apiextensions.JSONSchemaProps, at *place.Place) {
	for i := range s.XValidations {
		rule := &s.XValidations[i]
		below := at.Indexed("x-kubernetes-validations", i)
		w.ruleAndMessage(rule, &below)
		if rule.MessageExpression != "" && isBlank(rule.MessageExpression) {
			w.require(&below, "messageExpression", "messageExpression must be non-empty if specified")
		}
		reasons := []named{"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"}
		if rule.Reason != nil && !slices.Contains(reasons, named(*rule.Reason)) {
			w.add(field.NotSupported(below.Path().Child("reason"), named(*rule.Reason), reasons))
		}
		if rule.FieldPath != "" {
			w.ruleFieldPath(rule.FieldPath, s, &below)
		}
	}
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// hasLineBreak goes by what breaks lines in CEL.
func hasLineBreak(text string) bool { return strings.ContainsAny(text, "\n\r") }

func (w *walker) ruleAndMessage(rule *apiextensions.ValidationRule, at *place.Place) {
	message := strings.TrimSpace(rule.Message)
	switch {
	case isBlank(rule.Rule):
		w.require(at, "rule", "rule is not specified")
	case rule.Message != "" && message == "":
		w.reject(at, "message", rule.Message, "must be non-empty if specified")
	case hasLineBreak(message):
		w.reject(at, "message", rule.Message, "must not contain line breaks")
	case message == "" && hasLineBreak(strings.TrimSpace(rule.Rule)):
		w.require(at, "message", "message must be specified if rule contains line breaks")
	}
}

// ruleFieldPath checks the field that a rule reports (CRD-205). Where the node does not convert, nobody can tell whether it has the field.
func (w *walker) ruleFieldPath(text string, s *apiextensions.JSONSchemaProps, at *place.Place) {
	if isBlank(text) {
		w.reject(at, "fieldPath", text, "must be non-empty if specified")
	}
	if hasLineBreak(text) {
		w.reject(at, "fieldPath", text, "must not contain line breaks")
	}
	node, err := structural.New(s)
	if err != nil {
		return
	}
	if _, _, err := celrules.ValidFieldPath(text, node); err != nil {
		w.reject(at, "fieldPath", text, "must be a valid path")
	}
}
