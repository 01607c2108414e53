package edit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kit/manifest"
)

// applied returns a text with the edits of an action made, from the end.
func applied(text string, edits []Edit) string {
	for _, e := range slices.Backward(edits) {
		text = UTF32.Apply(text, e)
	}
	return text
}

// actionsOn returns the actions on lines of a file: each title with the lines
// that are new, and those that go, with a minus.
func actionsOn(t *testing.T, w *Workspace, first, last int) (all []string) {
	t.Helper()
	actions, err := w.Actions(t.Context(), "x.yaml", first, last)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(w.Text("x.yaml"), "\n")
	for _, a := range actions {
		after := strings.Split(applied(w.Text("x.yaml"), a.Edits), "\n")
		text := a.Title
		if a.Preferred {
			text += "!"
		}
		for _, line := range before {
			if !slices.Contains(after, line) {
				text += "\n-" + line
			}
		}
		for _, line := range after {
			if !slices.Contains(before, line) {
				text += "\n+" + line
			}
		}
		all = append(all, text)
	}
	return all
}

// The field at a line is removed with what is below it; an item keeps its dash.
func TestRemovals(t *testing.T) {
	for text, want := range map[string]string{
		"a‸: 1\nb: 2\n":                 "b: 2\n",
		"a‸:\n  b: 1\n\n  c: 1\nd: 1\n": "d: 1\n",
		"a‸: 1\n\nb: 2\n":               "\nb: 2\n",
		"a‸:\n  b: 1\n# x\nc: 1\n":      "# x\nc: 1\n",
		"a‸:\n# x\n  b: 1\nc: 1\n":      "c: 1\n",
		"a‸:\n  b: 1\n  # x\nc: 1\n":    "c: 1\n",
		"a‸:\n- b\n- c\nd: 1\n":         "d: 1\n",
		"a:\n  b‸:\n  - c\nd: 1\n":      "a:\nd: 1\n",
		"a:\n  b‸: 1\n- c\n":            "a:\n- c\n",
		"a‸: 1":                         "",
		"- a‸: 1\n  b: 2\n":             "- b: 2\n",
		"- a‸:\n    c: 1\n  b: 2\n":     "- b: 2\n",
		"- - a‸: 1\n    b: 2\n":         "- - b: 2\n",
		"- a‸: 1\n":                     "stays",
		"- a‸: 1\n- b: 1\n":             "stays",
		"- a‸: 1\n\n  # x\n  b: 1\n":    "stays",
		"- a: 1\n  b‸: 1\n- c: 1\n":     "- a: 1\n- c: 1\n",
		"{a‸: 1}\n":                     "stays",
		"a: {b‸: 1}\n":                  "stays",
		"x\n":                           "stays",
	} {
		before, after, _ := strings.Cut(text, "‸")
		line := strings.Count(before, "\n")
		m := &fixer{w: NewWorkspace(UTF32), of: &Diagnostic{}}
		m.lines = strings.Split(before+after, "\n")
		m.of.Range.Start = Position{line, len(before) - strings.LastIndexByte(before, '\n') - 2}
		got := "stays"
		if edits := m.removal(line, m.of.Range.Start.Column); edits != nil {
			got = applied(before+after, edits)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is added below a key stands where the rest does, or two columns behind
// the key.
func TestBelow(t *testing.T) {
	for text, want := range map[string]int{
		"a:\n  b": 2, "a:\n    b": 4, "a:\n\n# c\n   b": 3, "a:\nb: 1": 2, "  a:\n  - b": 4, "a:": 2, "- a:\n": 4,
		"- a:\n  b: 1": 4, "- a:\n     b: 1": 5, "  a:\n b: 1": 4, "a:\n  # c\nb:\n     c": 2,
	} {
		m := &fixer{lines: strings.Split(text, "\n")}
		if got := m.below(0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

var tab = testschema.Definition("Tab", `
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              min: {type: integer}
              max: {type: integer, maximum: 9}
              list:
                type: array
                items:
                  type: object
                  required: [name, mode]
                  properties:
                    name: {type: string}
                    mode: {type: object, required: [up], properties: {up: {type: boolean}}}
`)

const tabHead = "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: a\n"

// All actions on an object, the likely ones marked, with what they change.
func TestAllActions(t *testing.T) {
	for text, want := range map[string][]string{
		"spec:\n  image: x\n": nil,
		"spec:\n  image: x\n  mim: 3\n": {
			"change it to min!\n-  mim: 3\n+  min: 3", "remove it\n-  mim: 3",
			"leave out PIPE-006 here, with a reason\n+  # crdsem:ignore PIPE-006 because …",
		},
		"spec:\n  image: 12\n": {
			"write it in quotes!\n-  image: 12\n+  image: \"12\"",
			"leave out VAL-020 here, with a reason\n+  # crdsem:ignore VAL-020 because …",
		},
		"spec:\n  max: 1\n  zzz:\n  - 1\n  image: x\n": {
			"remove it with all that is below it\n-  zzz:\n-  - 1",
			"leave out PIPE-006 here, with a reason\n+  # crdsem:ignore PIPE-006 because …",
		},
		"spec:\n    max: 1\n": {
			"add spec.image!\n+    image: \"\"",
			"leave out VAL-081 here, with a reason\n+# crdsem:ignore VAL-081 because …",
		},
		"spec: {image: x, zzz: 1}\n": {
			"leave out PIPE-006 here, with a reason\n+# crdsem:ignore PIPE-006 because …",
		},
		// The rules are evaluated then.
		"spec:\n  image: x\n---\n" + ruledHead + "spec:\n  s: 1\n  min-b: 1\n  l: [{num: 9}]\n": {
			"write it in quotes!\n-  s: 1\n+  s: \"1\"",
			"leave out VAL-020 here, with a reason\n+  # crdsem:ignore VAL-020 because …",
		},
		// What is below is judged then.
		"spec:\n  image: x\n  lisst:\n  - name: x\n": {
			"change it to list!\n-  lisst:\n+  list:",
			"remove it with all that is below it\n-  lisst:\n-  - name: x",
			"leave out PIPE-006 here, with a reason\n+  # crdsem:ignore PIPE-006 because …",
		},
		// In the last of three documents, and before one that is broken.
		"spec:\n  image: x\n---\n" + tabHead + "spec:\n  image: x\n  q: 1\n---\na: [\n": {
			"remove it\n-  q: 1",
			"leave out PIPE-006 here, with a reason\n+  # crdsem:ignore PIPE-006 because …",
		},
		"spec:\n  image: x\n---\napiVersion: v1\nkind: List\nitems:\n- " +
			strings.ReplaceAll(tabHead, "\n", "\n  ") + "spec:\n    image: x\n    q: 1\n": {
			"remove it\n-    q: 1",
		},
		"spec: {max: 1}\n": {
			"leave out VAL-081 here, with a reason\n+# crdsem:ignore VAL-081 because …",
		},
		"spec:\n  image: x\n  list:\n  - mode: {up: true}\n": {
			"add spec.list[0].name!\n-  - mode: {up: true}\n+  - name: \"\"\n+    mode: {up: true}",
			"leave out VAL-081 here, with a reason\n+  # crdsem:ignore VAL-081 because …",
		},
		"spec:\n  image: x\n  list:\n  - name: x\n": {
			"add spec.list[0].mode!\n-  - name: x\n+  - mode:\n+      up: false\n+    name: x",
			"leave out VAL-081 here, with a reason\n+  # crdsem:ignore VAL-081 because …",
		},
		"spec:\n  image: x\n  list:\n  - name: x\n    mode:\n      # none\n": {
			"leave out VAL-081 here, with a reason\n+    # crdsem:ignore VAL-081 because …",
		},
	} {
		w := NewWorkspace(UTF32)
		w.Set("crd.yaml", tab)
		w.Set("ruled.yaml", strings.Replace(ruledTab, "self.min-b", "self.min__dash__b", 1))
		w.Set("x.yaml", tabHead+text)
		if diff := cmp.Diff(want, actionsOn(t, w, 0, 99)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// On a scalar field of a schema, a column is offered, where the others are.
func TestColumns(t *testing.T) {
	schema := func(field string) string {
		return "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n" +
			"          spec:\n" +
			"            type: object\n            properties:\n" + field
	}
	const columns = "    additionalPrinterColumns:\n"
	const field = "              a‸: {type: integer}\n"
	const a = "    - name: A\n      type: integer\n      jsonPath: .spec.a\n"
	for text, want := range map[string]string{
		schema(field): ".spec.a\n" + columns + a,
		columns + "    - name: b\n" + schema(field):                        ".spec.a\n" + a,
		columns + "\n    # x\n    - name: b\n" + schema(field):             ".spec.a\n" + a,
		columns + "      - name: b\n" + schema(field):                      ".spec.a\n" + strings.ReplaceAll("  "+a, "\n      ", "\n        "),
		"    additionalPrinterColumns: []\n" + schema(field):               "",
		schema(field) + "    additionalPrinterColumns: []\n  - name: v2\n": "",
		schema(field) + "    additionalPrinterColumns:":                    "",
		schema("              day‸:\n                type: string\n                format: date-time\n"): ".spec.day\n" +
			columns + "    - name: Day\n      type: date\n      jsonPath: .spec.day\n",
		schema("              \"a b‸\": {type: string}\n"): ".spec[\"a b\"]\n" + columns +
			"    - name: \"A b\"\n      type: string\n      jsonPath: \".spec[\\\"a b\\\"]\"\n",
		schema("              é‸: {type: boolean}\n"): ".spec.é\n" + columns +
			"    - name: \"É\"\n      type: boolean\n      jsonPath: .spec.é\n",
		schema("              on‸: {type: number}\n"): ".spec.on\n" + columns +
			"    - name: \"On\"\n      type: number\n      jsonPath: .spec.on\n",
		schema("              o:\n                properties:\n                  a‸: {type: string}\n"): ".spec.o.a\n" +
			columns + "    - name: A\n      type: string\n      jsonPath: .spec.o.a\n",
		schema("              a‸: {type: object}\n"):    "",
		schema("              a‸: {type: array}\n"):     "",
		schema("              a‸: {nullable: true}\n"):  "",
		schema("              \"‸\": {type: string}\n"): "",
		schema("              l:\n                items:\n                  properties:\n                    a‸: {type: string}\n"): "",
		schema("              a: {type: string}\n‸"):                                                                     "",
		schema("              a:\n                ty‸pe: string\n"):                                                      "",
		strings.Replace(schema(field), "        properties:\n          spec", "        items:\n          properties", 1): "",
		"    name: v2\n" + strings.Replace(schema(field), "    schema", "  - schema", 1):                                 "",
	} {
		head, _, _ := strings.Cut(tab, "    schema:\n")
		before, after, _ := strings.Cut(head+text, "‸")
		w := NewWorkspace(UTF32)
		w.Set("x.yaml", before+after)
		line := strings.Count(before, "\n")
		var titles []string
		if path, added, ok := strings.Cut(want, "\n"); ok {
			titles = []string{"add a column for " + path + "\n+" +
				strings.ReplaceAll(strings.TrimSuffix(added, "\n"), "\n", "\n+")}
		}
		var got []string
		for last := line; last <= line+1; last++ { // nothing is offered on two lines
			actions, err := w.Actions(t.Context(), "x.yaml", line, last)
			if err != nil {
				t.Fatal(err)
			}
			for _, action := range actions {
				if !strings.HasPrefix(action.Title, "add a column") {
					continue
				}
				text := strings.TrimSuffix(action.Edits[0].Text, "\n")
				got = append(got, action.Title+"\n+"+strings.ReplaceAll(text, "\n", "\n+"))
			}
		}
		if diff := cmp.Diff(titles, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// Actions are those of the findings between two lines, of twenty at most. A
// file in JSON has no comments.
func TestActionsBetweenLines(t *testing.T) {
	w := NewWorkspace(UTF32)
	w.Set("crd.yaml", tab)
	w.Set("x.yaml", tabHead+"spec:\n  image: x\n"+
		"  x1: 1\n  x2: 1\n  x3: 1\n")
	for lines, want := range map[[2]int]string{
		{0, 5}: "", {6, 6}: "x1", {6, 7}: "x1 x2", {8, 99}: "x3", {7, 8}: "x2 x3", {9, 99}: "", {7, 6}: "",
	} {
		actions, err := w.Actions(t.Context(), "x.yaml", lines[0], lines[1])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range actions {
			if a.Title == "remove it" {
				got = append(got, fmt.Sprintf("x%d", a.Fixes.Range.Start.Line-5))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %v, want %s", lines, got, want)
		}
	}
	text := tabHead + "spec:\n  image: x\n"
	for i := range 22 {
		text += fmt.Sprintf("  x%d: 1\n", i)
	}
	w.Set("x.yaml", text)
	if n := len(actionsOn(t, w, 7, 99)); n != 2*20 {
		t.Errorf("%d actions of many findings", n)
	}
	if got, err := w.Actions(t.Context(), "none.yaml", 0, 9); got != nil || err != nil {
		t.Errorf("of no file: %v, %v", got, err)
	}
	w.Set("x.json", `{"apiVersion": "example.com/v1", "kind": "Tab", "metadata": {"name": "a"},
"spec": {"image": "x", "mim": 1}}`)
	got, err := w.Actions(t.Context(), "x.json", 0, 9)
	if err != nil || len(got) != 0 {
		t.Errorf("in JSON: %+v, %v", got, err)
	}
}

// A keyword is added below its node, or in its braces if there is but one pair.
func TestKeywordEdits(t *testing.T) {
	for text, want := range map[string]string{
		"a:\n    b: 1\n": "a:\n    K: 1\n    b: 1\n", "a:": "a:\n  K: 1\n", "a: {b: 1}": "a: {b: 1, K: 1}",
		"a: {b: 1} \r\n": "a: {b: 1, K: 1} \r\n", "a: {b: {}}": "stays", "a: 1": "stays", "a: }": "stays",
	} {
		m := &fixer{w: NewWorkspace(UTF32), lines: strings.Split(text, "\n")}
		got := "stays"
		edits := m.keyword(manifest.Place{Key: manifest.Position{Line: 1}}, "K: 1")
		if edits != nil {
			got = applied(text, edits)
			if text == "a:" {
				got = text + "\n" + edits[0].Text
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		for _, place := range []manifest.Place{
			{}, {Key: manifest.Position{Line: 9}}, {Key: manifest.Position{Line: 1}, Missing: "x"},
		} {
			if edits := m.keyword(place, "K: 1"); edits != nil {
				t.Errorf("%+v: %v", place, edits)
			}
		}
	}
}

// On a definition, the bounds and keywords are set that findings call for.
func TestDefinitionEdits(t *testing.T) {
	list := func(more, rule string) string {
		const array = "                type: array\n"
		return strings.Replace(tab, array, array+more+
			"                x-kubernetes-validations:\n                - rule: "+rule+"\n", 1)
	}
	const costly = "self.all(a, self.all(b, self.all(c, a.name != b.name || b.name == c.name)))"
	listType := []string{
		"set x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]!\n" +
			"+                x-kubernetes-list-type: map\n+                x-kubernetes-list-map-keys: [name]",
		"leave out LINT-listtype here, with a reason\n" +
			"+              # crdsem:ignore LINT-listtype because …",
	}
	const name = "-                    name: {type: string}\n"
	const bounded = "+                    name: {type: string, maxLength: 260}"
	const bounds = "set maxItems: 33, maxLength: 260!\n"
	for _, c := range []struct {
		text string
		want []string
	}{
		{tab, listType}, {tab + "---\n" + ruledTab, listType},
		{list("", costly), append(listType[:2:2],
			"leave out LINT-bound here, with a reason\n+              # crdsem:ignore LINT-bound because …",
			bounds+name+"+                maxItems: 33\n"+bounded, bounds+name+"+                maxItems: 33\n"+bounded)},
		{list("                maxItems: 50000\n", costly), append(listType[:2:2],
			bounds+"-                maxItems: 50000\n"+name+"+                maxItems: 33\n"+bounded,
			bounds+"-                maxItems: 50000\n"+name+"+                maxItems: 33\n"+bounded)},
		{strings.Replace(tab, "required: [spec]\n        properties:\n",
			"required: [spec]\n        properties:\n          status: {type: object}\n", 1), append([]string{
			"leave out LINT-status here, with a reason\n+          # crdsem:ignore LINT-status because …",
		}, listType...)},
	} {
		w := NewWorkspace(UTF32)
		w.Set("x.yaml", c.text)
		got := actionsOn(t, w, 0, 999)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
