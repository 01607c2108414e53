package edit

import (
	"slices"
	"strings"
	"testing"
)

// plain is a definition without any mistake.
const plain = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: xs.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: X
    plural: xs
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size:
                type: integer
                minimum: 1
              names:
                type: array
                x-kubernetes-list-type: atomic
                items:
                  type: string
`

// The commonest mistakes of definitions, each alone, are fixed by an action
// after which the definition is accepted.
func TestCommonMistakesHaveFixes(t *testing.T) {
	for _, c := range []struct{ name, right, wrong, title string }{
		{"scope", "  scope: Namespaced\n", "", "set scope: Namespaced"},
		{"scope of a cluster", "  scope: Namespaced\n", "", "set scope: Cluster"},
		{"scope that is misspelt", "scope: Namespaced", "scope: namespaced", "set scope: Namespaced"},
		{"type of the root", "        type: object\n        properties:\n          spec:",
			"        properties:\n          spec:", "set type: object"},
		{"another type of the root", "        type: object\n        properties:\n          spec:",
			"        type: array\n        properties:\n          spec:", "set type: object"},
		{"type of an object", "          spec:\n            type: object\n", "          spec:\n",
			"set type: object"},
		{"type of an integer", "                type: integer\n", "", "set type: integer"},
		{"type of a list", "                type: array\n", "", "set type: array"},
		{"items", "                items:\n                  type: string\n", "",
			"set items: {type: string}"},
		{"name", "name: xs.example.com", "name: x.example.com", "set name: xs.example.com"},
		{"name of a version", "  - name: v1\n    served", "  - served", "set name: v1"},
		{"storage", "storage: true", "storage: false", "set storage: true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(plain, c.right, c.wrong, 1)
			if text == plain {
				t.Fatal("nothing is wrong")
			}
			w := NewWorkspace(UTF16)
			w.Set("x.yaml", text)
			actions, err := w.Actions(t.Context(), "x.yaml", 0, 99)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(actions, func(a Action) bool { return a.Title == c.title })
			if i < 0 {
				found, _ := w.Diagnose(t.Context(), "x.yaml")
				t.Fatalf("no action %q: %+v\n%+v", c.title, actions, found)
			}
			w.Set("x.yaml", applied(text, actions[i].Edits))
			found, err := w.Diagnose(t.Context(), "x.yaml")
			if err != nil || slices.ContainsFunc(found, func(d Diagnostic) bool {
				return d.Severity == "error"
			}) {
				t.Errorf("%+v, %v in\n%s", found, err, w.Text("x.yaml"))
			}
		})
	}
}
