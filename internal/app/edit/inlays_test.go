package edit_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

// An inlay says at the end of its line what the server does to a field, and how
// much of its limits a rule takes.
func TestInlayTexts(t *testing.T) {
	w := workspace(t, head+"spec:\n  image: x\n  min: null\n  zzz: 1\n  list: [{other: 1}] # b\n")
	w.Set("crd.yaml", crd)
	w.Set("rules.yaml", testschema.Definition("Rule", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a: {type: boolean, x-kubernetes-validations: [{rule: self}]}
          b:
            type: array
            maxItems: 20
            items:
              type: string
              maxLength: 5000
              x-kubernetes-validations:
              - rule: "self.matches('^[a-z]+$')"
          c:
            type: object
            additionalProperties: {type: boolean, x-kubernetes-validations: [{rule: self}]}
`))
	w.Set("over.yaml", testschema.Definition("Over", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          b:
            type: array
            maxItems: 1000
            items:
              type: string
              x-kubernetes-validations:
              - rule: "self.matches('^[a-z]+$')"
`))
	var got []string
	for _, name := range []string{"x.yaml", "rules.yaml", "over.yaml", "missing.yaml"} {
		found, err := w.Inlays(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range found {
			got = append(got, fmt.Sprintf("%s:%d:%d %s | %s", name, i.Position.Line,
				i.Position.Column, i.Text, i.More))
		}
	}
	want := []string{
		"x.yaml:6:11 filled in | spec.min: Defaulted, because of " +
			"openAPIV3Schema.properties[spec].properties[min]",
		"x.yaml:7:8 removed | spec.zzz: Pruned, because of openAPIV3Schema.properties[spec]",
		"x.yaml:8:24 removed | spec.list[0].other: Pruned, because of " +
			"openAPIV3Schema.properties[spec].properties[list].items",
		"rules.yaml:15:70 cost 1 of 10,000,000 | " +
			"It is less than 0.01 % of what all rules of the version may cost.",
		"rules.yaml:23:48 cost 80,060 of 10,000,000 | Once 4,003, for at most 20 values. " +
			"It is 0.08 % of what all rules of the version may cost.",
		"rules.yaml:26:91 cost 629,145 of 10,000,000 | Once 1, for any number of values. " +
			"It is 0.63 % of what all rules of the version may cost.",
		"over.yaml:21:48 cost 629,147,000: 62 times the limit | Once 629,147, for at most " +
			"1,000 values. It is more than all rules of the version may cost.\n" +
			"Set `maxLength: 9900` at openAPIV3Schema.properties[b].items.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
