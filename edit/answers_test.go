package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/edit"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/minors"
)

// ruled is a definition whose rules use many names.
var ruled = testschema.Definition("Tab", `
    additionalPrinterColumns:
    - name: Least
      type: integer
      jsonPath: .spec.min-size
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [min-size]
            x-kubernetes-validations:
            - rule: self.min__dash__size > 0
            - rule: |
                self.list.all(item,
                  item.size >= self.min__dash__size)
              fieldPath: .min-size
            properties:
              min-size:
                type: integer
                description: The least size.
              since:
                type: string
                format: date-time
              names:
                type: array
                items:
                  type: string
              tags:
                type: object
                additionalProperties:
                  type: integer
              list:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys:
                - name
                items:
                  type: object
                  required:
                  - name
                  properties:
                    name:
                      type: string
                    size:
                      type: integer
`)

const secondRule = "self.list.all(item,\n                  item.size >= self.min__dash__size)"

// with returns the definition with another second rule, which has the cursor.
func with(rule string) string {
	return strings.Replace(ruled, secondRule, rule, 1)
}

// In a rule, what is offered depends on the type of what is before the dot.
func TestRuleCompletions(t *testing.T) {
	for _, c := range []struct{ rule, has, lacks string }{
		{"s‸", "self oldSelf size has sets.contains", "min-size startsWith"},
		{"self.‸", "min-size list names", "size startsWith"},
		{"oldSelf.li‸", "list", ""},
		{"self.names.‸", "all map isSorted join", "sum startsWith list"},
		{"self.names[0].‸", "startsWith matches size find", "all name"},
		{"self.list[0].‸", "name size", "startsWith"},
		{"self.list.map(x, x.‸", "name size", "list"},
		{"self.list.all(x, x.size > 0 && ‸", "x self", ""},
		{"self.list.filter(x, x.size > 1).map(y, y.name).‸", "all exists", "name"},
		{"self.tags.all(k, k.‸", "startsWith", "all"},
		{"self.tags.all(k, v, v.‸", "", "startsWith name"},
		{"self.since.‸", "getHours getFullYear", "startsWith"},
		{"(self.names).‸", "all", "startsWith"},
		{"self.names.map(n, n.size()).‸", "all", "startsWith"},
		{"'a.‸", "", "startsWith self"},
		{"self.?‸", "list min-size", "size"},
		{"self.?list.‸", "orValue hasValue value or optMap", "all startsWith name"},
		{"self.?list[0].‸", "orValue name size", "all startsWith"},
		{"self.list[?0].‸", "orValue name size", "all startsWith"},
		{"self.?list[0].?‸", "name size", "orValue"},
		{"self.?list[0].name.‸", "orValue hasValue", "startsWith name"},
		{"self.?list.orValue([]).‸", "all exists", "orValue name"},
		{"self.?names.orValue([])[0].‸", "startsWith", "all"},
		{"self.?list.value()[0].‸", "name size", "orValue startsWith"},
		{"quantity('1').‸", "isGreaterThan", "startsWith"},
		{"self.nothing.‸", "startsWith all", "list"},
		{"self.list[0].name.‸", "startsWith", "all name"},
		{"[1].‸", "all", "startsWith"},
		{"{'a': 1}.‸", "all", "startsWith"},
		{"{'a': 1}['a'].‸", "", "min-size"},
		{"'a'.‸", "startsWith", "all list"},
		{"(self.list[0]).name.‸", "startsWith", "all name"},
		{"(self.list)[0].‸", "name size", "startsWith"},
		{"size(self.names) + self.names[0].‸", "startsWith", "all"},
		{"[self.names][0][0].‸", "", "min-size"},
		{"self.names.exists(a, self.list.exists(b, b.‸", "name size", "list"},
		{"self.names.exists(a, self.list.exists(b, ‸", "a b self", "name"},
		{"self.names.exists(a, [a].exists(b, b == a) && ‸", "a self", "b"},
		{"self.list.exists(a, self.names.exists(a, a.‸", "startsWith", "name"},
		{"self.list.exists(a, true) && ‸", "self", "a"},
		{"self.list.all(i, x, x.‸", "name size", "list"},
		{"self.list.all(i, x, i.‸", "", "name startsWith"},
		{"self.list.all(i, x, ‸", "i x self", "name"},
		{"self.list.has(a, ‸", "self", "a"},
		{"duration('1h').‸", "getHours", "startsWith"},
	} {
		text, at := cut(t, with(c.rule))
		var got []string
		for _, item := range workspace(t, text).Complete(t.Context(), "x.yaml", at) {
			got = append(got, item.Label)
		}
		for _, name := range strings.Fields(c.has) {
			if !slices.Contains(got, name) {
				t.Errorf("%s lacks %s: %v", c.rule, name, got)
			}
		}
		for _, name := range strings.Fields(c.lacks) {
			if slices.Contains(got, name) {
				t.Errorf("%s offers %s", c.rule, name)
			}
		}
	}
}

// Functions come with their signature and cost, and with the minor that has
// them.
func TestRuleFunctions(t *testing.T) {
	text, at := cut(t, with("self.names[0].‸"))
	w := workspace(t, text)
	find := func(label string) (found edit.Completion) {
		for _, c := range w.Complete(t.Context(), "x.yaml", at) {
			if c.Label == label {
				return c
			}
		}
		return found
	}
	if c := find("findAll"); c.Detail != "<string>.findAll(string) -> list(string)" ||
		!strings.Contains(c.Text, "cost ") || !strings.Contains(c.Text, "findAll(string, int)") {
		t.Errorf("%+v", c)
	}
	text, at = cut(t, with("self.list.‸"))
	w = workspace(t, text)
	if c := find("sortBy"); c.Label == "" {
		t.Error("sortBy is not offered")
	}
	w.Configure(edit.Settings{Kubernetes: []minors.Minor{"1.29", "1.37"}})
	if c := find("sortBy"); c.Label != "" {
		t.Errorf("1.29 is offered %+v", c)
	}
}

// The keys of a definition are offered by what is allowed where the cursor is.
func TestDefinitionCompletions(t *testing.T) {
	head := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
	for _, c := range []struct{ text, want string }{
		{head + "‸", "metadata spec"},
		{head + "spec:\n  ‸\n", "group names scope versions conversion preserveUnknownFields"},
		{head + "spec:\n  scope: ‸\n", "Namespaced Cluster"},
		{head + "spec:\n  versions:\n  - name: v1\n    storage: ‸\n", "true false"},
		{strings.Replace(ruled, "jsonPath: .spec.min-size", "jsonPath: ‸", 1),
			".spec.min-size .spec.since"},
		{strings.Replace(ruled, "                - name\n", "                - ‸\n", 1), "name size"},
		{strings.Replace(ruled, "                  - name\n", "                  - ‸\n", 1), "name size"},
		{strings.Replace(ruled, "format: date-time", "‸", 1),
			"description default nullable enum format pattern minLength maxLength allOf anyOf oneOf not " +
				"title example externalDocs x-kubernetes-validations"},
		{strings.Replace(ruled, "fieldPath: .min-size", "‸", 1),
			"message messageExpression reason fieldPath optionalOldSelf"},
		{strings.Replace(ruled, "fieldPath: .min-size", "reason: ‸", 1),
			"FieldValueInvalid FieldValueForbidden FieldValueRequired FieldValueDuplicate"},
		{strings.Replace(ruled, "format: date-time", "anyOf:\n                - ‸", 1),
			"enum format pattern minLength maxLength minimum maximum exclusiveMinimum " +
				"exclusiveMaximum multipleOf"},
	} {
		text, at := cut(t, c.text)
		var got []string
		for _, item := range workspace(t, text).Complete(t.Context(), "x.yaml", at) {
			got = append(got, item.Label)
		}
		if strings.Contains(c.text, "anyOf") {
			for _, name := range []string{"description", "default", "x-kubernetes-list-type"} {
				if slices.Contains(got, name) {
					t.Errorf("within anyOf: %s", name)
				}
			}
			continue
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", c.text[max(0, len(c.text)-80):], diff)
		}
	}
}

// A field is renamed where it is declared and where it is named, whatever place
// is asked about, and its references are the same places.
func TestRename(t *testing.T) {
	want := strings.NewReplacer("min-size", "least", "min__dash__size", "least").Replace(ruled)
	for _, place := range []string{
		"self.min__dash‸__size > 0", "size >= self.‸min__dash__size", "jsonPath: .spec.min-si‸ze",
		"required: [mi‸n-size]", "fieldPath: .mi‸n-size", "              mi‸n-size:\n",
	} {
		text, at := cut(t, strings.Replace(ruled, strings.Replace(place, "‸", "", 1), place, 1))
		w := workspace(t, text)
		edits, err := w.Rename("x.yaml", at, "least")
		if err != nil {
			t.Errorf("%s: %v", place, err)
			continue
		}
		if n := len(w.References("x.yaml", at)); n != len(edits) || n != 6 {
			t.Errorf("%s: %d references, %d edits", place, n, len(edits))
		}
		to, ok := w.Definition(t.Context(), "x.yaml", at)
		if !ok || to.Range.Start.Line != 29 {
			t.Errorf("%s is declared at %+v, %v", place, to, ok)
		}
		slices.SortFunc(edits, func(a, b edit.Edit) int {
			return b.Range.Start.Line - a.Range.Start.Line
		})
		w.Change("x.yaml", edits...)
		if diff := cmp.Diff(want, w.Text("x.yaml")); diff != "" {
			t.Errorf("%s: %s", place, diff)
		}
	}
	inFlow, place := cut(t, strings.Replace(crd, "max: {type: integer}", "max: {type: object, "+
		"required: [name, size], properties: {na‸me: {type: string}, size: {type: integer}}}", 1))
	edits, err := workspace(t, inFlow).Rename("x.yaml", place, "title")
	if err != nil || len(edits) != 2 {
		t.Errorf("in flow style: %v, %v", edits, err)
	}
	text, at := cut(t, strings.Replace(ruled, "min-size:", "min-si‸ze:", 1))
	w := workspace(t, text)
	for to, problem := range map[string]string{"list": "there is", "a b": "cannot be"} {
		_, err := w.Rename("x.yaml", at, to)
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", to, err)
		}
	}
	for line, want := range map[int]string{
		0: "no field of a definition is at line 1", 9999: "x.yaml has no line 10000",
	} {
		_, err := w.Rename("x.yaml", edit.Position{Line: line}, "x")
		if err == nil || err.Error() != want {
			t.Errorf("line %d: %v, want %s", line, err, want)
		}
	}
}

// References are in selectable fields and in scale, too.
func TestReferencesOfScale(t *testing.T) {
	text := strings.Replace(ruled, "    schema:\n", "    selectableFields:\n"+
		"    - jsonPath: .spec.min-size\n    subresources:\n"+
		"      scale: {specReplicasPath: .spec.min-size}\n    schema:\n", 1)
	text, at := cut(t, strings.Replace(text, "  min-size:\n", "  min‸-size:\n", 1))
	if found := workspace(t, text).References("x.yaml", at); len(found) != 8 {
		t.Errorf("%d references: %v", len(found), found)
	}
}

// An error of a rule is where the rule has it, within each kind of scalar.
func TestPlacesInRules(t *testing.T) {
	for _, text := range []string{
		"|\n                self.min > 0 &&\n                  self.‸nothing",
		">-\n                self.min > 0 &&\n                self.‸nothing", "self.‸nothing",
		"\"'a' == \\\"a\\\" && self.‸nothing\"", "'self.mode == ''a'' && self.‸nothing'",
	} {
		whole, at := cut(t, strings.Replace(crd, `"!has(self.max) || self.min <= self.max"`, text, 1))
		found, err := workspace(t, whole).Diagnose(t.Context(), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found, func(d edit.Diagnostic) bool {
			return strings.Contains(d.Message, "undefined field 'nothing'")
		})
		if i < 0 {
			t.Errorf("%s: %v", text, found)
			continue
		}
		at.Column-- // the error is at the dot
		if found[i].Range.Start != at {
			t.Errorf("%s: %v, want %v", text, found[i].Range.Start, at)
		}
	}
}

// A field of an object is declared in the definition's file.
func TestDefinition(t *testing.T) {
	text, at := cut(t, head+"spec:\n  list:\n  - si‸ze: 1\n")
	found, ok := workspace(t, text).Definition(t.Context(), "x.yaml", at)
	line := strings.Split(crd, "\n")[found.Range.Start.Line]
	if !ok || found.File != "crd.yaml" ||
		!strings.HasPrefix(line[found.Range.Start.Column:], "size:") {
		t.Errorf("%+v, %v: %s", found, ok, line)
	}
}

// What the server fills in and removes, and what rules cost, is shown where it
// is.
func TestInlays(t *testing.T) {
	w := workspace(t, head+"spec:\n  image: x\n  zzz: 1\n")
	w.Set("y.yaml", strings.Replace(ruled, "example.com", "other.example.com", 2))
	var got []string
	for _, name := range []string{"x.yaml", "crd.yaml", "y.yaml"} {
		found, err := w.Inlays(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range found {
			got = append(got, fmt.Sprintf("%s:%d:%d %s", name, i.Position.Line, i.Position.Column,
				i.Text))
		}
	}
	want := []string{
		"x.yaml:4:5 + min: 1", "x.yaml:6:8 removed", "crd.yaml:19:60 cost 7 of 10,000,000",
	}
	if diff := cmp.Diff(want, got[:min(3, len(got))]); diff != "" {
		t.Error(diff)
	}
	if len(got) != 5 {
		t.Errorf("%v", got)
	}
}

// The outline has the keys of all documents, and folds are their blocks.
func TestSymbols(t *testing.T) {
	w := workspace(t, head+"spec:\n  list:\n  - name: x\n    size: 1\n---\nkind: B\n")
	var walk func(s *edit.Symbol) string
	walk = func(s *edit.Symbol) string {
		text := s.Name
		for _, c := range s.Children {
			text += " " + walk(c)
		}
		return "(" + text + ")"
	}
	got := ""
	for _, s := range w.Symbols("x.yaml") {
		got += walk(s)
	}
	want := "(Tab (apiVersion) (kind) (metadata (name)) (spec (list (name) (size))))(B (kind))"
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	folds := []edit.Fold{{0, 7}, {2, 3}, {4, 7}, {5, 7}}
	if diff := cmp.Diff(folds, w.Folds("x.yaml")); diff != "" {
		t.Error(diff)
	}
	if found := w.Find("tab a"); len(found) != 1 || found[0].File != "x.yaml" {
		t.Errorf("%+v", found)
	}
	w.Prepare(t.Context(), "crd.yaml", func() string { return "" })
	if found := w.Find("tabs"); len(found) != 1 || found[0].Name != "tabs.example.com" {
		t.Errorf("%+v", found)
	}
}

// Hover in a rule says the type of a name, the cost of the rule, and which
// objects of the workspace it refuses.
func TestHoverRule(t *testing.T) {
	text, at := cut(t, strings.Replace(crd, "self.min <=", "self.mi‸n <=", 1))
	w := workspace(t, head+"spec: {image: x, min: 3, max: 2}\n")
	w.Set("crd.yaml", text)
	got := w.Hover(t.Context(), "crd.yaml", at)
	for _, part := range []string{
		"**min**: int", "cost 7 of 10,000,000", "It refuses:\n- Tab a (x.yaml:1)",
		"`self.min` is `3`",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s lacks %q", got, part)
		}
	}
}

// The object that is stored, and the smallest one that is admitted.
func TestStored(t *testing.T) {
	w := workspace(t, head+"spec:\n  zzz: 1\n  image: \"no\"\n")
	w.Configure(edit.Settings{Objects: "Warn"})
	got, err := w.Stored(t.Context(), "x.yaml", 5)
	want := head + "spec:\n  image: \"no\"\n  min: 1\n"
	if err != nil || !sameButMetadata(got, want) {
		t.Errorf("%v: %s", err, got)
	}
	if text, err := w.Skeleton(t.Context(), "example.com/v1", "Tab"); err != nil ||
		text != "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: example\n" {
		t.Errorf("%v: %s", err, text)
	}
	w.Set("hard.yaml", strings.NewReplacer("Tab", "Hard", "tab", "hard",
		"openAPIV3Schema:\n", "openAPIV3Schema:\n        minProperties: 4\n").Replace(crd))
	if text, err := w.Skeleton(t.Context(), "example.com/v1", "Hard"); err == nil ||
		!strings.Contains(err.Error(), "not admitted") {
		t.Errorf("an object that is refused: %v\n%s", err, text)
	}
	w.Remove("hard.yaml")
	w.Set("x.yaml", "apiVersion: example.com/v1\nkind: Tab\n")
	whole, ok := w.Whole(t.Context(), "x.yaml", 1)
	if !ok || len(whole.Edits) != 1 {
		t.Fatalf("%+v, %v", whole, ok)
	}
	if _, err := w.Stored(t.Context(), "x.yaml", 0); err == nil {
		t.Error("an object without a name is stored")
	}
}

// sameButMetadata reports whether a text has the lines of another one; the
// server adds to the metadata.
func sameButMetadata(got, want string) bool {
	for line := range strings.Lines(want) {
		if !strings.Contains(got, line) {
			return false
		}
	}
	return !strings.Contains(got, "zzz")
}

// While a definition does not parse, objects are judged by its last good text.
func TestLastGoodDefinition(t *testing.T) {
	w := workspace(t, head+"spec:\n  image: x\n  zzz: 1\n")
	if _, err := w.Diagnose(t.Context(), "x.yaml"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{crd + "  a: [\n", crd + " : : {\n", crd} {
		w.Set("crd.yaml", text)
		found, err := w.Diagnose(t.Context(), "x.yaml")
		if err != nil || len(found) != 1 {
			t.Errorf("%d findings: %v, %v", len(found), found, err)
		}
	}
}

// Structural keywords, bounds, columns are offered where they help.
func TestDefinitionActions(t *testing.T) {
	for _, c := range []struct{ line, from, to, title, want string }{
		{"a bound", secondRule, "self.list.all(a, self.list.all(b, self.list.all(c, a.name != b.name || b.name == c.name)))",
			"set max", "maxItems: 55"},
		{"a list type", "                x-kubernetes-list-type: map\n                x-kubernetes-list-map-keys:\n                - name\n", "",
			"set x-kubernetes-list-type", "x-kubernetes-list-map-keys: [name]"},
	} {
		w := edit.NewWorkspace(edit.UTF32)
		w.Set("x.yaml", strings.Replace(ruled, c.from, c.to, 1))
		actions, err := w.Actions(t.Context(), "x.yaml", 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(actions, func(a edit.Action) bool {
			return strings.HasPrefix(a.Title, c.title)
		})
		if i < 0 {
			t.Errorf("%s: %+v", c.line, actions)
			continue
		}
		w.Change("x.yaml", backward(actions[i].Edits)...)
		if !strings.Contains(w.Text("x.yaml"), c.want) {
			t.Errorf("%s: %s", c.line, w.Text("x.yaml"))
		}
	}
	w := edit.NewWorkspace(edit.UTF32)
	w.Set("x.yaml", ruled)
	line := strings.Count(ruled[:strings.Index(ruled, "              since:")], "\n")
	actions, err := w.Actions(t.Context(), "x.yaml", line, line)
	if err != nil || len(actions) != 1 || actions[0].Title != "add a column for .spec.since" {
		t.Fatalf("%+v, %v", actions, err)
	}
	w.Change("x.yaml", actions[0].Edits...)
	want := "    - name: Since\n      type: date\n      jsonPath: .spec.since\n    - name: Least\n"
	if !strings.Contains(w.Text("x.yaml"), want) {
		t.Error(w.Text("x.yaml"))
	}
}

func backward(edits []edit.Edit) []edit.Edit {
	edits = slices.Clone(edits)
	slices.Reverse(edits)
	return edits
}

// A definition that lacks parts is diagnosed as far as it is there.
func TestUnfinishedDefinitions(t *testing.T) {
	w := edit.NewWorkspace(edit.UTF32)
	for n := range strings.Count(ruled, "\n") {
		lines := strings.SplitAfter(ruled, "\n")
		w.Set("x.yaml", strings.Join(lines[:n], ""))
		if _, err := w.Diagnose(t.Context(), "x.yaml"); err != nil {
			t.Errorf("%d lines: %v", n, err)
		}
		if _, err := w.Inlays(t.Context(), "x.yaml"); err != nil {
			t.Errorf("%d lines: %v", n, err)
		}
	}
}
