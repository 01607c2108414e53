package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/edit"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

// required returns the definition of Tab whose spec requires a field p of a
// schema.
func required(schema string) string {
	return testschema.Definition("Tab", `
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [p]
            properties:
              q: {type: integer}
              p: `+schema+"\n")
}

const example = "apiVersion: example.com/v1\nkind: Tab\nmetadata:\n  name: example\nspec:\n"

// chain returns a schema with a number of objects, each in the one before.
func chain(n int) string {
	return strings.Repeat("{type: object, required: [p], properties: {p: ", n) +
		"{type: boolean}" + strings.Repeat("}}", n)
}

// nested returns the value that chain asks for, as YAML in a spec.
func nested(n int) string {
	text := ""
	for i := range n {
		text += strings.Repeat("  ", i+1) + "p:\n"
	}
	return text + strings.Repeat("  ", n+1) + "p: false\n"
}

// A required field has the default, the first value of an enum, or the least
// value of its type.
func TestSkeleton(t *testing.T) {
	for schema, want := range map[string]string{
		"{type: string, default: d, enum: [e, d]}":                        "  p: d\n",
		"{type: string, enum: ['no', e]}":                                 "  p: \"no\"\n",
		"{x-kubernetes-int-or-string: true}":                              "  p: 1\n",
		"{type: object}":                                                  "  p: {}\n",
		"{type: boolean}":                                                 "  p: false\n",
		"{type: array, items: {type: string}}":                            "  p: []\n",
		"{type: string}":                                                  "  p: \"\"\n",
		"{type: string, minLength: 3}":                                    "  p: xxx\n",
		"{type: string, format: ipv4}":                                    "  p: \"192.0.2.1\"\n",
		"{type: string, format: hostname, minLength: 13}":                 "  p: example.comxx\n",
		"{type: string, format: hostname, minLength: 2}":                  "  p: example.com\n",
		"{type: string, minLength: 1000}":                                 "  p: " + strings.Repeat("x", 1000) + "\n",
		"{type: integer}":                                                 "  p: 0\n",
		"{type: integer, minimum: -1, maximum: 0}":                        "  p: 0\n",
		"{type: integer, minimum: 3}":                                     "  p: 3\n",
		"{type: integer, minimum: 3, exclusiveMinimum: true, maximum: 4}": "  p: 4\n",
		"{type: integer, minimum: 1}":                                     "  p: 1\n",
		"{type: integer, maximum: -2}":                                    "  p: -2\n",
		"{type: number, minimum: 0.5}":                                    "  p: 0.5\n",
		"{type: number, minimum: 0.5, exclusiveMinimum: true}":            "  p: 1.5\n",
		"{type: array, minItems: 2, items: {type: object, required: [b, a], properties: " +
			"{a: {type: boolean}, b: {type: object}, c: {type: string}}}}": "  p:\n" +
			strings.Repeat("    - a: false\n      b: {}\n", 2),
		"{type: array, minItems: 1, items: {type: array, minItems: 2, items: {type: integer}}}": "  " +
			"p:\n    - - 0\n      - 0\n",
		"{type: array, minItems: 16, items: {type: integer}}": "  p:\n" +
			strings.Repeat("    - 0\n", 16),
		"{type: object, required: [a b], properties: {a b: {type: boolean}}}": "  p:\n" +
			"    \"a b\": false\n",
		"{type: object, required: [spec, b, kind], properties: {b: {type: boolean}, " +
			"kind: {type: boolean}, spec: {type: boolean}}}": "  p:\n" +
			"    kind: false\n    spec: false\n    b: false\n",
		chain(10): nested(10),
		// The sample is not deep or long enough for the server.
		chain(11):                         "",
		"{type: string, minLength: 1001}": "",
		"{type: array, minItems: 17, items: {type: integer}}": "",
	} {
		w := workspace(t, "")
		w.Set("crd.yaml", required(schema))
		got, err := w.Skeleton(t.Context(), "example.com/v1", "Tab")
		if want == "" {
			if err == nil || err.Error() != "the plain object is not admitted" {
				t.Errorf("%s: %v", schema, err)
			}
			continue
		}
		if diff := cmp.Diff(example+want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", schema, err, diff)
		}
	}
	w := workspace(t, "")
	for _, version := range []string{"example.com/v1", "example.com/v2"} {
		kind := map[string]string{"example.com/v1": "Other", "example.com/v2": "Tab"}[version]
		_, err := w.Skeleton(t.Context(), version, kind)
		if want := version + " " + kind + " has no definition"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What Settings.Admitted makes is asked for if the plain object is refused, and
// loses what the server does not need.
func TestSkeletonOfAdmitted(t *testing.T) {
	w := workspace(t, "")
	w.Set("crd.yaml", required("{type: object, required: [a], properties: {a: {type: string, "+
		"maxLength: 9, x-kubernetes-validations: [{rule: \"self == 'x'\"}]}, "+
		"b: {type: string}}}"))
	asked := ""
	w.Configure(edit.Settings{Admitted: func(
		_ *crdsem.Definition, v string,
	) (map[string]any, error) {
		asked = v
		return map[string]any{"apiVersion": "example.com/v1", "kind": "Tab",
			"metadata": map[string]any{"name": "example", "labels": map[string]any{"a": "b"}},
			"spec":     map[string]any{"p": map[string]any{"a": "x", "b": "y"}, "q": int64(1)}}, nil
	}})
	got, err := w.Skeleton(t.Context(), "example.com/v1", "Tab")
	if diff := cmp.Diff(example+"  p:\n    a: x\n", got); diff != "" || err != nil ||
		asked != "v1" {
		t.Errorf("%q: %v\n%s", asked, err, diff)
	}
	failure := errors.New("nothing found")
	w.Configure(edit.Settings{Admitted: func(
		*crdsem.Definition, string,
	) (map[string]any, error) {
		return nil, failure
	}})
	if got, err := w.Skeleton(t.Context(), "example.com/v1", "Tab"); got != "" || err != failure {
		t.Errorf("%q, %v", got, err)
	}
}

// Only a document with nothing but its apiVersion and kind is written whole.
func TestWhole(t *testing.T) {
	const begun = "apiVersion: example.com/v1\nkind: Tab\n"
	whole := strings.TrimSuffix(example, "spec:\n")
	for text, want := range map[string]string{
		begun: whole,
		"kind: Tab\napiVersion: example.com/v1\n":                               whole,
		"a: 1\n---\n" + begun + "---\nb: 1\n":                                   "",
		begun + "spec: {}\n":                                                    "",
		"kind: Tab\n":                                                           "",
		"apiVersion: example.com/v1\nkinds: Tab\n":                              "",
		strings.Replace(begun, "Tab", "Other", 1):                               "",
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n": "",
	} {
		w := workspace(t, text)
		a, ok := w.Whole(t.Context(), "x.yaml", 1)
		if ok != (want != "") {
			t.Errorf("%q: %+v, %t", text, a, ok)
			continue
		}
		if !ok {
			continue
		}
		w.Change("x.yaml", a.Edits...)
		if diff := cmp.Diff(want, strings.TrimSuffix(w.Text("x.yaml"), "\n")+"\n"); diff != "" ||
			a.Title != "write the smallest Tab" {
			t.Errorf("%q: %s\n%s", text, a.Title, diff)
		}
	}
	w := workspace(t, begun)
	for _, line := range []int{-1, 99} {
		if a, ok := w.Whole(t.Context(), "x.yaml", line); ok {
			t.Errorf("line %d: %+v", line, a)
		}
	}
}
