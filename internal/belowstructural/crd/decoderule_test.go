package crd

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The error of a document names its rule, from the real code's kinds of errors.
func TestDecodeRule(t *testing.T) {
	const head = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",`
	version := func(version string) string { return head + `"spec":{"versions":[{` + version + `}]}}` }
	schema := func(s string) string { return version(`"schema":{"openAPIV3Schema":` + s + `}`) }
	for text, want := range map[string]string{
		schema(`{"type":1}`): "STR-002", schema(`{"x-kubernetes-validations":[1]}`): "STR-002",
		schema(`{"x-kubernetes-validations":[{"rule":1}]}`): "STR-002",
		schema(`{"externalDocs":1}`):                        "STR-002", schema(`{"properties":[]}`): "STR-002",
		schema(`{"allOf":[1]}`): "STR-002", schema(`{"additionalProperties":1}`): "STR-003",
		version(`"selectableFields":[{"jsonPath":1}]`):                                "CRD-080",
		version(`"selectableFields":[1]`):                                             "CRD-080",
		version(`"selectableFields":1`):                                               "CRD-080",
		version(`"served":1`):                                                         "",
		head + `"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"%"}}}}}`: "CONV-055",
		head + `"spec":1`:                                                             "PIPE-002",
		head + `"spec":"x"}`:                                                          "",
		"a: [":                                                                        "PIPE-005",
		`{"apiVersion":"v1","kind":"Pod"}`:                                            "PIPE-013",
		`{"kind":"Pod"}`:                                                              "PIPE-013",
		`{"apiVersion":"a/b/c","kind":"Pod"}`:                                         "",
		`{"apiVersion":"apiextensions.k8s.io/v2"}`:                                    "PIPE-013",
		`{"apiVersion":"example.com/"}`:                                               "PIPE-010",
		`{"apiVersion":"example.com/v1"}`:                                             "PIPE-013",
		`{"apiVersion":"apiextensions.k8s.io/v1"}`:                                    "none",
		`{"apiVersion":"apiextensions.k8s.io/"}`:                                      "none",
		`{"apiVersion":""}`:                                                           "none",
		`{"kind":"CustomResourceDefinition"}`:                                         "none",
		`{"apiVersion":"v1beta1"}`:                                                    "PIPE-013",
		"kind: CustomResourceDefinition\nspec: {}":                                    "none",
		`{"apiVersion":"apiextensions.k8s.io/v1x"}`:                                   "PIPE-013",
	} {
		got := "none"
		if _, _, err := DecodeDefinition([]byte(text), profile.Latest()); err != nil {
			got = DecodeRule(err)
		}
		if got != want {
			_, _, err := DecodeDefinition([]byte(text), profile.Latest())
			t.Errorf("%s: %q, want %q: %v", text, got, want, err)
		}
	}
}

// A decoded value has the definition of its document, and the unknown fields.
func TestDefinitionFromValue(t *testing.T) {
	const text = `{"kind":"CustomResourceDefinition","spec":{"group":"g","x":1,"versions":[{"name":"v1",
"schema":{"openAPIV3Schema":{"default":{"a":[1,null,"x",1.5,{}],"b":[]},"enum":[[],{},null]}}}]}}`
	value, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, unknown, ok := DefinitionFromValue(value, profile.Latest())
	want, strict, err := DecodeDefinition([]byte(text), profile.Latest())
	if !ok || err != nil || !SemanticEqual(got, want) || len(unknown) != 1 ||
		unknown[0].Error() != strict[0].Error() {
		t.Errorf("got %+v, %v, want %+v, %v", got, unknown, want, strict)
	}
	spec := value.(map[string]any)["spec"].(map[string]any)
	versions := spec["versions"].([]any)[0].(map[string]any)
	schema := versions["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)
	props := got.Spec.Validation.OpenAPIV3Schema
	if diff := cmp.Diff(schema["default"], props.Default); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(schema["enum"], any(props.Enum)); diff != "" {
		t.Error(diff)
	}
	spec["group"] = int64(1)
	if _, _, ok := DefinitionFromValue(value, profile.Latest()); ok {
		t.Error("a group of a number is read")
	}
}

// What all versions share moves to the top, and nothing else (CRD-011).
func TestHoistingOfEach(t *testing.T) {
	parts := map[string]string{
		"schema":                   `{"openAPIV3Schema":{"type":"object"}}`,
		"subresources":             `{"status":{}}`,
		"additionalPrinterColumns": `[{"name":"a"}]`,
		"selectableFields":         `[{"jsonPath":".a"}]`,
	}
	for name := range parts {
		for at := range 3 { // the version that lacks it
			text := `{"spec":{"versions":[`
			for i := range 3 {
				if i > 0 {
					text += ","
				}
				text += `{"name":"v` + string(rune('1'+i)) + `"`
				for other, value := range parts {
					if other != name || i != at {
						text += `,"` + other + `":` + value
					}
				}
				text += "}"
			}
			spec := decodeForTest(t, text+"]}}").Spec
			isAtTop := map[string]bool{
				"schema": spec.Validation != nil, "subresources": spec.Subresources != nil,
				"additionalPrinterColumns": spec.AdditionalPrinterColumns != nil,
				"selectableFields":         spec.SelectableFields != nil,
			}
			v := spec.Versions[(at+1)%3]
			isBelow := map[string]bool{
				"schema": v.Schema != nil, "subresources": v.Subresources != nil,
				"additionalPrinterColumns": v.AdditionalPrinterColumns != nil,
				"selectableFields":         v.SelectableFields != nil,
			}
			for other := range parts {
				if isAtTop[other] == (other == name) || isBelow[other] != (other == name) {
					t.Errorf("version %d lacks %s: %s is at the top: %v", at, name, other,
						isAtTop[other])
				}
			}
		}
	}
}
