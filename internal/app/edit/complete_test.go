package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/testschema"
)

var rich = testschema.Definition("Rich", `
    schema:
      openAPIV3Schema:
        type: object
        properties:
          kind: {type: string, description: What it is.}
          spec:
            type: object
            properties:
              any: {x-kubernetes-preserve-unknown-fields: true}
              emb:
                type: object
                x-kubernetes-embedded-resource: true
                properties:
                  kind: {type: string}
                  data: {type: object, additionalProperties: {x-kubernetes-int-or-string: true}}
              items:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items:
                  type: object
                  required: [id]
                  properties:
                    id: {type: string, enum: [a, "1"]}
                    ok: {type: boolean, enum: [true]}
                    map: {type: object, additionalProperties: {type: string}}
              mode: {type: string, default: b, enum: [a, b, "a\nb"]}
              obj: {type: object, default: {}, properties: {a b: {type: number, description: Some.}}}
              port: {x-kubernetes-int-or-string: true, default: 80}
              t40: {type: string, default: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA}
              t41: {type: string, default: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA}
              words: {type: array, items: {type: string, enum: [x, z]}}
  - name: v0
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object}}
`)

// offered returns what is offered at a cursor, in lines.
func offered(t *testing.T, w *Workspace, text string) string {
	t.Helper()
	_, lines, line := wayAt(text)
	before, _, _ := strings.Cut(text, "‸")
	column := len(before) - strings.LastIndexByte(before, '\n') - 1
	w.Set("x.yaml", strings.Join(lines, "\n"))
	got := ""
	for _, c := range w.Complete(t.Context(), "x.yaml", Position{line, column}) {
		got += fmt.Sprintf("%s %q %s", c.Label, c.Edit.Text, c.Kind)
		for _, more := range []string{c.Detail, c.Text} {
			if more != "" {
				got += "; " + more
			}
		}
		if c.Required {
			got += " *"
		}
		if c.Filter != "" {
			got += " for " + c.Filter
		}
		got += "\n"
	}
	return got
}

// All that is offered, with how it is written there.
func TestOffers(t *testing.T) {
	const object = "apiVersion: example.com/v1\nkind: Rich\n"
	t40 := strings.Repeat("A", 40)
	const owner = `apiVersion "apiVersion: " field; string
kind "kind: " field; string
name "name: " field; string
uid "uid: " field; string
controller "controller: " field; boolean
blockOwnerDeletion "blockOwnerDeletion: " field; boolean
`
	const metadata = `generateName "generateName: " field; string
namespace "namespace: " field; string
labels "labels:\n    " field; map of string
annotations "annotations:\n    " field; map of string
finalizers "finalizers:\n    - " field; list of string
ownerReferences "ownerReferences:\n    - " field; list of object
creationTimestamp "creationTimestamp: " field; string
deletionGracePeriodSeconds "deletionGracePeriodSeconds: " field; integer
deletionTimestamp "deletionTimestamp: " field; string
generation "generation: " field; integer
managedFields "managedFields:\n    - " field; list of object
resourceVersion "resourceVersion: " field; string
selfLink "selfLink: " field; string
uid "uid: " field; string
`
	const top = `metadata "metadata:\n  name: " field; object *
spec "spec:\n  " field; object
`
	for text, want := range map[string]string{
		object + "spec:\n  ‸": `any "any: " field; any
emb "emb:\n    apiVersion: " field; object
items "items:\n    - id: " field; list of object
mode "mode: " field; string, default b
obj "obj:\n    " field; object, default {}
port "port: " field; integer or string, default 80
t40 "t40: " field; string, default ` + t40 + `
t41 "t41: " field; string
words "words:\n    - " field; list of string
`,
		object + "spec: {any: 1, mode: a, port: 1, t40: x, t41: x, ‸": `emb "emb: {apiVersion: " field; object
items "items: [{id: " field; list of object
obj "obj: {" field; object, default {}
words "words: [" field; list of string
`,
		object + "spec: {items: [‸": `id "{id: " field; string, required *
map "{map: {" field; map of string
ok "{ok: " field; boolean
`,
		object + "spec:\n  items:\n  - id: ‸":            "a \"a\" value\n\"1\" \"\\\"1\\\"\" value\n",
		object + "spec:\n  items:\n  - id: a\n    ok: ‸": "true \"true\" value\n",
		object + "spec:\n  words: [x, ‸":                 "x \"x\" value\nz \"z\" value\n",
		object + "spec:\n  words:\n  - ‸":                "x \"x\" value\nz \"z\" value\n",
		object + "spec:\n  obj:\n    ‸":                  "a b \"\\\"a b\\\": \" field; number; Some.\n",
		object + "spec:\n  obj: ‸":                       "",
		object + "spec:\n  port: ‸":                      "80 \"80\" value; default\n",
		object + "spec:\n  mode: ‸":                      "b \"b\" value; default\na \"a\" value\n\"a\\nb\" \"\\\"a\\\\nb\\\"\" value\n",
		object + "spec:\n  mode: \"‸": "b \"b\" value; default for \"b\n" +
			"a \"a\" value for \"a\n\"a\\nb\" \"\\\"a\\\\nb\\\"\" value for \"a\\nb\n",
		object + "spec:\n  emb:\n    data:\n      a: 1\n    ‸": `apiVersion "apiVersion: " field *
kind "kind: " field *
metadata "metadata: " field
`,
		object + "spec:\n  emb:\n    kind: A\n    ‸": `apiVersion "apiVersion: " field *
metadata "metadata: " field
data "data:\n      " field; map of integer or string
`,
		object + "metadata:\n  name: a\n  ‸":               metadata,
		object + "metadata:\n  name: ‸":                    "",
		object + "metadata:\n  ownerReferences:\n  - ‸":    owner,
		object + "metadata:\n  ownerReferences:\n    ‸":    "",
		object + "metadata:\n  labels:\n    a:\n      ‸":   "",
		object + "metadata:\n  labels:\n    ‸":             "k \"k: \" field; in other objects\n",
		object + "spec:\n  emb:\n    data:\n      ‸":       "d \"d: \" field; in other objects\n",
		object + "spec:\n  items:\n  - map:\n      ‸":      "x \"x: \" field; in other objects\nz \"z: \" field; in other objects\n",
		tabHead + "spec:\n  list:\n  - mode:\n      up: ‸": "true \"true\" value\nfalse \"false\" value\n",
		object + "# ‸":                     "",
		object + "spec:\n  mode: |\n    ‸": "",
		object + "‸": top + "the smallest Rich \"metadata:\\n  name: example\\n\" value; " + object +
			"metadata:\n  name: example\n\n",
		object + "a: 1\n‸": top,
		"kind: Rich\n‸":    "apiVersion \"apiVersion: \" field; string *\n" + top[:strings.Index(top, "spec")],
		`{"apiVersion": "example.com/v1", "kind": "Rich", "‸`: "metadata \"\\\"metadata\\\": {\\\"name\\\": \" field; object * for \"metadata\n" +
			"spec \"\\\"spec\\\": {\" field; object for \"spec\n",
		`{"apiVersion": "example.com/v1", "kind": "Rich", "spec": {"mode": ‸`: "\"b\" \"\\\"b\\\"\" value; default\n" +
			"\"a\" \"\\\"a\\\"\" value\n\"a\\nb\" \"\\\"a\\\\nb\\\"\" value\n",
		"apiVersion: ‸": `apiextensions.k8s.io/v1 "apiextensions.k8s.io/v1" value
example.com/v1 "example.com/v1" value
`,
		"apiVersion: ‸\nkind: Rich":                     "example.com/v1 \"example.com/v1\" value\n",
		"apiVersion: ‸\nkind: Other":                    "",
		"apiVersion: ‸\nkind: CustomResourceDefinition": "apiextensions.k8s.io/v1 \"apiextensions.k8s.io/v1\" value\n",
		"kind: ‸": "CustomResourceDefinition \"CustomResourceDefinition\" value\nRich \"Rich\" value\nTab \"Tab\" value\n",
		"apiVersion: apiextensions.k8s.io/v1\nkind: ‸": "CustomResourceDefinition \"CustomResourceDefinition\" value\n",
		"apiVersion: example.com/v1\nkind: ‸":          "Rich \"Rich\" value\nTab \"Tab\" value\n",
		"apiVersion: example.com/v0\nkind: ‸":          "",
		"apiVersion: example.com/v9\nkind: ‸":          "",
	} {
		w := NewWorkspace(UTF8)
		w.Set("crd.yaml", rich)
		w.Set("tab.yaml", tab)
		w.Set("other.yaml", object+"metadata: {name: a, labels: {k: v}}\n"+
			"spec: {emb: {data: {d: 1}}, items: [{map: {x: a}}, {}, {map: {z: b}}]}\n---\n"+
			"apiVersion: other.example.com/v1\nkind: Rich\nmetadata: {labels: {q: v}}\n")
		if diff := cmp.Diff(want, offered(t, w, text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	w := NewWorkspace(UTF8)
	w.Set("x.yaml", "a: 1")
	for _, at := range []Position{{1, 0}, {-1, 0}} {
		if got := w.Complete(t.Context(), "x.yaml", at); got != nil {
			t.Errorf("%v: %v", at, got)
		}
	}
}
