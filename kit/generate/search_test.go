package generate

import (
	"slices"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

const searched = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ks.g.io}
spec:
  group: g.io
  scope: Namespaced
  names: {kind: K, plural: ks}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, required: [size], properties: {size: {type: integer, maximum: 7}}}
          status:
            type: object
            properties:
              ready:
                type: integer
                maximum: 9
                x-kubernetes-validations: [{rule: self % 2 == 0}, {rule: self >= oldSelf}]
`

// Valid objects and those at the limits are admitted and have the node; broken
// ones are refused for the keyword. A node of the status is written with a
// status update.
func TestSearch(t *testing.T) {
	resources, err := ParseResources([]byte(searched), "")
	if err != nil {
		t.Fatal(err)
	}
	def, err := crdsem.Parse([]byte(searched))
	if err != nil {
		t.Fatal(err)
	}
	version, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		node          []string
		isStatus      bool
		keyword, rule string
	}{
		{[]string{".spec", ".size"}, false, "maximum", ""},
		{[]string{".status", ".ready"}, true, "maximum", ""},
		{[]string{".status", ".ready"}, true, "x-kubernetes-validations", "self % 2 == 0"},
	} {
		at := []string{c.node[0][1:], c.node[1][1:]}
		search := resources.Search(t.Context(), NewRand(1), c.node, 500)
		if search.IsStatus() != c.isStatus {
			t.Errorf("%v: of the status: %t", c.node, search.IsStatus())
		}
		judge := func(object map[string]any) *crdsem.Result {
			if !c.isStatus {
				return version.Create(t.Context(), object, crdsem.NameFailures())
			}
			old := jsonvalue.DeepCopyMap(object)
			delete(old, "status")
			return version.UpdateStatus(t.Context(), object, old, crdsem.NameFailures())
		}
		for name, do := range map[string]func() (map[string]any, error){
			"valid": search.Valid, "boundary": search.Boundary,
		} {
			object, err := do()
			hasNode := jsonvalue.At(object, at[0], at[1]) != nil
			if err != nil || !hasNode || !judge(object).Admitted() {
				t.Errorf("%v, %s: %v, %v", c.node, name, object, err)
			}
		}
		broken, err := search.Broken(c.keyword, c.rule)
		if err != nil || judge(broken).Admitted() || jsonvalue.At(broken, at[0], at[1]) == nil {
			t.Errorf("%v, %s: %v, %v", c.node, c.keyword, broken, err)
		}
		if search.Judged() == 0 || search.Judged() > 500 {
			t.Errorf("%v: %d objects were judged", c.node, search.Judged())
		}
	}
	const transition = "self >= oldSelf"
	ready := []string{".status", ".ready"}
	search := resources.Search(t.Context(), NewRand(1), ready, 500)
	old, object, err := search.BrokenUpdate("x-kubernetes-validations", transition)
	if err != nil {
		t.Fatal(err)
	}
	result := version.UpdateStatus(t.Context(), object, old, crdsem.NameFailures())
	if !slices.ContainsFunc(result.Explanations, func(x celrules.Explanation) bool {
		return x.Rule == transition
	}) {
		t.Errorf("%v after %v: %v", object, old, result.Errors)
	}
}
