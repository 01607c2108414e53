package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/edit"
)

// The commonest mistakes of definitions, each alone, are fixed by an action
// after which the definition is accepted.
func TestCommonMistakesHaveFixes(t *testing.T) {
	right := definitionOf(`
properties:
  size:
    type: integer
    minimum: 1
  names:
    type: array
    x-kubernetes-list-type: atomic
    items:
      type: string`)
	const root = "        type: object\n        properties:\n          spec:"
	for _, c := range []struct{ name, right, wrong, title string }{
		{"scope", "  scope: Cluster\n", "", "set scope: Namespaced"},
		{"scope of a cluster", "  scope: Cluster\n", "", "set scope: Cluster"},
		{"scope that is misspelt", "scope: Cluster", "scope: cluster", "set scope: Cluster"},
		{"type of the root", root, "        properties:\n          spec:", "set type: object"},
		{"another type of the root", root, strings.Replace(root, "object", "array", 1),
			"set type: object"},
		{"type of an object", "          spec:\n            type: object\n", "          spec:\n",
			"set type: object"},
		{"type of an integer", "                type: integer\n", "", "set type: integer"},
		{"type of a list", "                type: array\n", "", "set type: array"},
		{"items", "                items:\n                  type: string\n", "",
			"set items: {type: string}"},
		{"name", "name: foos.g.io", "name: foo.g.io", "set name: foos.g.io"},
		{"name of a version", "  - name: v1\n    storage", "  - storage", "set name: v1"},
		{"storage", "storage: true", "storage: false", "set storage: true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(right, c.right, c.wrong, 1)
			if text == right {
				t.Fatal("nothing is wrong")
			}
			w := edit.NewWorkspace(edit.UTF16)
			w.Set("x.yaml", text)
			actions, err := w.Actions(t.Context(), "x.yaml", 0, 99)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(actions, func(a edit.Action) bool { return a.Title == c.title })
			if i < 0 {
				t.Fatalf("no action %q: %+v", c.title, actions)
			}
			w.Set("x.yaml", edit.UTF16.ApplyAll(text, actions[i].Edits))
			found, err := w.Diagnose(t.Context(), "x.yaml")
			if err != nil || slices.ContainsFunc(found, func(d edit.Diagnostic) bool {
				return d.Severity == "error"
			}) {
				t.Errorf("%+v, %v in\n%s", found, err, w.Text("x.yaml"))
			}
		})
	}
}
