package definition_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/definition"
)

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

func decode(t testing.TB, data []byte) *definition.CRD {
	t.Helper()
	crd, _, err := definition.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

// insteadOfPanic is what is found where the server's code panics: the error that it was about to report and those that come later.
var insteadOfPanic = map[string][]finding{
	"crd-080-13": {{"FieldValueInvalid", "spec.selectableFields[0].jsonPath", "is an invalid path: does not refer to a valid field"}},
	"crd-082-02": {
		{"FieldValueInvalid", "spec.schema.openAPIV3Schema", "OpenAPIV3Schema '$ref' is not supported"},
		{"FieldValueForbidden", "spec.validation.openAPIV3Schema.properties[spec].$ref", "$ref is not supported"},
	},
	"crd-205-13": {{"FieldValueInvalid", "spec.validation.openAPIV3Schema.properties[x].x-kubernetes-validations[0].fieldPath", "must be a valid path"}},
}

// Validate and ValidateUpdate find what the vectors say, no more and no less (CRD-003 to CRD-422).
func TestValidateVectors(t *testing.T) {
	for _, v := range vectors(t) {
		crd, _, err := definition.Decode(v.CRD)
		if err != nil {
			continue // TestDecodeVectors
		}
		var result definition.Result
		if v.Old == nil {
			result = definition.Validate(crd)
		} else {
			result = definition.ValidateUpdate(crd, decode(t, v.Old))
		}
		if len(v.Want) == 1 && v.Want[0].Type == "Panic" {
			v.Want = insteadOfPanic[v.ID]
		}
		slices.SortFunc(v.Want, compareFindings)
		if got := findings(result.Errors); !slices.Equal(got, v.Want) {
			t.Errorf("%s: %s\n got %v\nwant %v", v.ID, v.Note, got, v.Want)
		}
	}
}
