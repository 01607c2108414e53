package structural_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

var allowances = map[string]structural.Allowance{
	"AllowNestedAdditionalProperties":                   structural.AllowNestedAdditionalProperties,
	"AllowNestedXValidations":                           structural.AllowNestedRules,
	"AllowValidationPropertiesWithAdditionalProperties": structural.AllowPropertiesOfMaps,
}

func (v vector) allow(t *testing.T) (out []structural.Allowance) {
	for name, on := range v.Opts {
		allowance, ok := allowances[name]
		if !ok {
			t.Fatalf("%s: unknown option %s", v.ID, name)
		}
		if on {
			out = append(out, allowance)
		}
	}
	return out
}

func findings(errs field.ErrorList) []finding {
	out := make([]finding, 0, len(errs))
	for _, err := range errs {
		out = append(out, finding{string(err.Type), err.Field, err.Detail})
	}
	slices.SortFunc(out, compareFindings)
	return out
}

func compareFindings(a, b finding) int {
	return strings.Compare(a.Field+"\x00"+a.Type+"\x00"+a.Detail, b.Field+"\x00"+b.Type+"\x00"+b.Detail)
}

// Validate finds what the vectors say, no more and no less (STR-040 to STR-105).
func TestValidateVectors(t *testing.T) {
	for _, v := range vectors(t) {
		s, err := structural.Parse(v.Schema)
		if err != nil {
			continue // TestParseVectors
		}
		errs := structural.Validate(s, field.NewPath("openAPIV3Schema"), v.allow(t)...)
		slices.SortFunc(v.Want, compareFindings)
		if got := findings(errs); !slices.Equal(got, v.Want) {
			t.Errorf("%s: %s\n got %v\nwant %v", v.ID, v.Schema, got, v.Want)
		}
		if !slices.IsSortedFunc(errs, func(a, b *field.Error) int { return strings.Compare(a.Error(), b.Error()) }) {
			t.Errorf("%s: errors are not in the order of their texts: %v", v.ID, errs)
		}
	}
}
