package lint_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/advice/lint"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/corpus"
)

// frame is a definition with a place for the schema of the field spec.
const frame = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster",
"names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true,
"storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": %s}}}}]}}`

// at is the path of the field spec.
const at = "spec.versions[0].schema.openAPIV3Schema.properties[spec]"

// linted returns the checks and paths of the findings about a definition.
func linted(t *testing.T, text string) string {
	t.Helper()
	crd, _, err := definition.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	found, err := lint.Definition(t.Context(), model, decode(t, text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range found {
		is := func(c lint.Check) bool { return c.ID == f.Check }
		if f.Text == "" || f.Hint == "" || !slices.ContainsFunc(lint.Checks(), is) {
			t.Errorf("%+v", f)
		}
		fmt.Fprintf(&b, "%s %s\n", f.Check, strings.TrimPrefix(f.Path, at))
	}
	return b.String()
}

func TestDefinition(t *testing.T) {
	const costly = `{"type": "object", "x-kubernetes-validations": [{"rule": "self.a.all(x, self.a.all(y, x != y))"}],
		"properties": {"a": {"type": "array", %s "items": {"type": "string", "maxLength": 20}}}}`
	list := func(name, more, properties string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%q: {"type": "array", %s "items": {
			"type": "object", "required": ["name", "type", "status"], "properties": {%s}}}}}`,
			name, more, properties)
	}
	const named = `"name": {"type": "string"}`
	const condition = `"type": {"type": "string"}, "status": {"type": "string"}`
	for _, c := range []struct{ name, schema, want string }{
		{"nothing", `{"type": "object"}`, ""},
		{"an anchor after a character", `{"type": "string", "pattern": "a^b"}`, "LINT-pattern .pattern"},
		{"an anchor before a character", `{"type": "string", "pattern": "(x|y$)z|a$b"}`, ""},
		{"anchors of all alternatives", `{"type": "string", "pattern": "x$z|a$b"}`, "LINT-pattern .pattern"},
		{"anchors that are fine", `{"type": "string", "pattern": "^(a|b)*$|^$"}`, ""},
		{"a pattern longer than maxLength", `{"type": "string", "pattern": "^[a-z]{5}-", "maxLength": 5}`, "LINT-length .maxLength"},
		{"a pattern as long as maxLength", `{"type": "string", "pattern": "^[a-z]{5}-", "maxLength": 6}`, ""},
		{"a pattern shorter than minLength", `{"type": "string", "pattern": "^a?b$", "minLength": 3}`, "LINT-length .minLength"},
		{"a part of the string", `{"type": "string", "pattern": "a?b", "minLength": 3}`, ""},
		{"bounds that exclude each other", `{"type": "string", "minLength": 3, "maxLength": 2}`, "LINT-length .minLength"},
		{"an enum that the pattern refuses", `{"type": "string", "pattern": "^[a-z]+$", "enum": ["a", "B"]}`, "LINT-enum .enum[1]"},
		{"an enum that is too long", `{"type": "string", "maxLength": 2, "enum": ["ää", "abc"]}`, "LINT-enum .enum[1]"},
		{"an enum that is too short", `{"type": "string", "minLength": 1, "enum": ["", "abc"]}`, "LINT-enum .enum[0]"},
		{"a boolean in an enum", `{"type": "string", "enum": ["a", true]}`, "LINT-enum .enum[1]"},
		{"an enum of booleans", `{"type": "boolean", "enum": [true]}`, ""},
		{"an item", `{"type": "array", "items": {"type": "string", "pattern": "a^"}}`, "LINT-pattern .items.pattern"},
		{"a value of a map", `{"type": "object", "additionalProperties": {"type": "string", "pattern": "a^"}}`, "LINT-pattern .additionalProperties.pattern"},
		{"names", list("ports", "", named), "LINT-listtype .properties[ports]"},
		{"an atomic list", list("ports", `"x-kubernetes-list-type": "atomic",`, named), ""},
		{"names in a namespace", list("ports", "", named+`, "namespace": {"type": "string"}`), ""},
		{"names that repeat", list("httpHeaders", "", named), ""},
		{"references", list("secretRefs", "", named), ""},
		{"conditions", list("conditions", "", condition), "LINT-listtype .properties[conditions]"},
		{"a list that a rule compares", fmt.Sprintf(costly, ""), "LINT-bound .properties[a]"},
		{"the list with a bound", fmt.Sprintf(costly, `"maxItems": 9,`), ""},
	} {
		want := c.want
		if want != "" {
			want += "\n"
		}
		if got := linted(t, fmt.Sprintf(frame, c.schema)); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// Keys without quotes that are booleans in YAML 1.1 have findings, wherever
// they are.
func TestKeys(t *testing.T) {
	document := map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{"true": "1", "false": "2"}},
		"spec": map[string]any{"versions": []any{map[string]any{"schema": map[string]any{
			"properties": map[string]any{"true": map[string]any{"type": "string"}, "a": "true"},
		}}}},
	}
	written := map[string]string{
		"metadata.annotations[true]": "true", "metadata.annotations[false]": "off",
		"spec.versions[0].schema.properties[true]": "y",
	}
	found := lint.Keys(document, func(path string) (string, bool) {
		text, ok := written[path]
		return text, ok
	})
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %s: %s (%s)", f.Check, f.Path, f.Text, f.Hint))
	}
	want := []string{
		"LINT-boolean metadata.annotations[false]: `off` is the boolean false in YAML 1.1, " +
			"which the server reads: the key is \"false\" (write it in quotes: `\"off\"`)",
		"LINT-boolean spec.versions[0].schema.properties[true]: `y` is the boolean true in YAML " +
			"1.1, which the server reads: the key is \"true\" (write it in quotes: `\"y\"`)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The context ends the estimates.
func TestContextEnds(t *testing.T) {
	text := fmt.Sprintf(frame, `{"type": "object", "x-kubernetes-validations": [{"rule": "true"}]}`)
	crd, _, err := definition.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lint.Definition(ctx, model, decode(t, text)); err == nil {
		t.Error("no error")
	}
}

// Real definitions have no pattern that matches nothing, and no value that is
// refused: a finding would be a mistake of this package.
func TestCorpus(t *testing.T) {
	counts := map[string]int{}
	for _, file := range corpus.Definitions(t) {
		for line := range strings.Lines(linted(t, string(file.Text))) {
			name, _, _ := strings.Cut(line, " ")
			counts[name]++
			if name != lint.ListType && name != lint.Bound {
				t.Errorf("%s: %s", file.Name(), line)
			}
		}
	}
	t.Log(counts)
}

// docs/lint.md has the texts of the checks.
func TestChecksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	_, documented, _ := strings.Cut(strings.Join(strings.Fields(string(page)), " "), " ## LINT-")
	var want []string
	for _, c := range lint.Checks() {
		want = append(want, "## "+c.ID+" "+c.Text)
	}
	if got := strings.Join(want, " "); got != "## LINT-"+documented {
		t.Errorf("checks:\n%s\npage:\n## LINT-%s", got, documented)
	}
}

// decode returns the object in a text.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return object
}
