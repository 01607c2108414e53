package rulefields_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// The cases are those of CRD-201 to CRD-205. Each is an error of the rule's
// field, or several ones in their order.
func TestCheck(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"string"}}}`)
	const rule = "self == oldSelf"
	for _, c := range []struct {
		name string
		rule structural.Rule
		want []string
	}{
		{name: "only a rule", rule: structural.Rule{Rule: rule}},
		{name: "all fields", rule: structural.Rule{
			Rule: " self\n== oldSelf", Message: "no", MessageExpression: "'no'",
			HasReason: true, Reason: "FieldValueForbidden", FieldPath: ".a",
		}},
		{name: "line break at the ends", rule: structural.Rule{Rule: "\nself\r", Message: "\nno\n"}},
		{name: "no rule", rule: structural.Rule{Message: "\n"}, want: []string{
			`CRD-201 x.x-kubernetes-validations[1].rule: Required value: rule is not specified`,
		}},
		{name: "blank rule", rule: structural.Rule{Rule: " \n"}, want: []string{
			`CRD-201 x.x-kubernetes-validations[1].rule: Required value: rule is not specified`,
		}},
		{name: "blank message", rule: structural.Rule{Rule: "self\n", Message: " \n"}, want: []string{
			`CRD-202 x.x-kubernetes-validations[1].message: Invalid value: " \n": ` +
				`must be non-empty if specified`,
		}},
		{name: "message of two lines", rule: structural.Rule{Rule: "a\nb", Message: "no\nno"},
			want: []string{
				`CRD-202 x.x-kubernetes-validations[1].message: Invalid value: "no\nno": ` +
					`must not contain line breaks`,
			}},
		{name: "message with a carriage return", rule: structural.Rule{Rule: rule, Message: "no\rno"},
			want: []string{
				`CRD-202 x.x-kubernetes-validations[1].message: Invalid value: "no\rno": ` +
					`must not contain line breaks`,
			}},
		{name: "rule of two lines", rule: structural.Rule{Rule: "a\nb"}, want: []string{
			`CRD-202 x.x-kubernetes-validations[1].message: Required value: ` +
				`message must be specified if rule contains line breaks`,
		}},
		{name: "unknown reason", rule: structural.Rule{Rule: rule, HasReason: true, Reason: "no"},
			want: []string{
				`CRD-204 x.x-kubernetes-validations[1].reason: Unsupported value: "no": ` +
					`supported values: "FieldValueDuplicate", "FieldValueForbidden", ` +
					`"FieldValueInvalid", "FieldValueRequired"`,
			}},
		{name: "reason not used", rule: structural.Rule{Rule: rule, Reason: "no"}},
		{name: "field not declared", rule: structural.Rule{Rule: rule, FieldPath: ".b"}, want: []string{
			`CRD-205 x.x-kubernetes-validations[1].fieldPath: Invalid value: ".b": ` +
				`must be a valid path`,
		}},
		{name: "everything wrong", rule: structural.Rule{
			MessageExpression: " ", HasReason: true, FieldPath: "\n",
		}, want: []string{
			`CRD-201 x.x-kubernetes-validations[1].rule: Required value: rule is not specified`,
			`CRD-203 x.x-kubernetes-validations[1].messageExpression: Required value: ` +
				`messageExpression must be non-empty if specified`,
			`CRD-204 x.x-kubernetes-validations[1].reason: Unsupported value: "": ` +
				`supported values: "FieldValueDuplicate", "FieldValueForbidden", ` +
				`"FieldValueInvalid", "FieldValueRequired"`,
			`CRD-205 x.x-kubernetes-validations[1].fieldPath: Invalid value: "\n": ` +
				`must be non-empty if specified`,
			`CRD-205 x.x-kubernetes-validations[1].fieldPath: Invalid value: "\n": ` +
				`must not contain line breaks`,
			`CRD-205 x.x-kubernetes-validations[1].fieldPath: Invalid value: "\n": ` +
				`must be a valid path`,
		}},
	} {
		rules := []structural.Rule{{Rule: rule}, c.rule}
		got := texts(rulefields.Check(rules, schema, field.NewPath("x"), profile.Latest()))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Before 1.34, the details name the field. Without a schema, a path may lead
// anywhere.
func TestCheckOfOldMinor(t *testing.T) {
	rules := []structural.Rule{
		{Rule: "self", Message: " "}, {Rule: "self", Message: "a\nb", FieldPath: " "}}
	want := []string{
		`CRD-202 x-kubernetes-validations[0].message: Invalid value: " ": ` +
			`message must be non-empty if specified`,
		`CRD-202 x-kubernetes-validations[1].message: Invalid value: "a\nb": ` +
			`message must not contain line breaks`,
		`CRD-205 x-kubernetes-validations[1].fieldPath: Invalid value: " ": ` +
			`fieldPath must be non-empty if specified`,
	}
	got := texts(rulefields.Check(rules, nil, nil, profile.Of(profile.Oldest)))
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// texts returns errors with the rules that they are about.
func texts(errs field.ErrorList) []string {
	var out []string
	for _, err := range errs {
		out = append(out, err.Origin+" "+err.Error())
	}
	return out
}
