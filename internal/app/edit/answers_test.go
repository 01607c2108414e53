package edit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/edit"
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
		{"self.list.all(x, x.size > 0 && ‸", "x self", ""},
		{"self.tags.all(k, k.‸", "startsWith", "all"},
		{"self.since.‸", "getHours getFullYear", "startsWith"},
		{"self.names.map(n, n.size()).‸", "all", "startsWith"},
		{"'a.‸", "", "startsWith self"},
		{"'a' == ‸", "self", ""},
		{"self.?‸", "list min-size", "size"},
		{"self.?list.‸", "orValue hasValue value or optMap", "all startsWith name"},
		{"self.?list[0].‸", "orValue name size", "all startsWith"},
		{"self.?list[0].?‸", "name size", "orValue"},
		{"self.?list[0].name.‸", "orValue hasValue", "startsWith name"},
		{"quantity('1').‸", "isGreaterThan", "startsWith"},
		{"self.nothing.‸", "startsWith all", "list"},
		{"self.names.exists(a, self.list.exists(b, ‸", "a b self", "name"},
		{"self.names.exists(a, [a].exists(b, b == a) && ‸", "a self", "b"},
		{"self.list.all(i, x, ‸", "i x self", "name"},
		{"self.list.has(a, ‸", "self", "a"},
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
	w.Configure(edit.Settings{Kubernetes: []minors.Minor{"1.30", "1.37"}})
	if c := find("sortBy"); c.Label != "" {
		t.Errorf("1.30 is offered %+v", c)
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
