package describe_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/describe"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

const tab = `
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        description: |-
          A tab.

          It has a spec.
        required: [spec]
        properties:
          spec:
            type: object
            description: What is | wanted, in <code>.
            x-kubernetes-validations:
            - {rule: "self.min <= self.max", message: min is at most max}
            oneOf: [{required: [a]}, {required: [b, c]}]
            properties:
              min: {type: integer, default: 1, minimum: 0, exclusiveMinimum: true}
              max: {type: integer, nullable: true}
              mode:
                type: string
                enum: [fast, slow]
                x-kubernetes-validations: [{rule: self == oldSelf}]
              a: {x-kubernetes-int-or-string: true}
              b: {type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 5}}
              c: {type: object, additionalProperties: {type: integer, maximum: 3}}
              any: {type: object, x-kubernetes-preserve-unknown-fields: true}
              dotted.name: {type: boolean}
              ports:
                type: array
                maxItems: 4
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, ports: {type: integer}}
`

func model(t *testing.T) (*definition.Model, *definition.Version) {
	t.Helper()
	def, err := crdsem.Parse([]byte(testschema.Definition("Tab", tab)))
	if err != nil {
		t.Fatal(err)
	}
	return def.Model(), def.Model().StorageVersion()
}

// A path leads through lists and maps, with and without their brackets.
func TestFind(t *testing.T) {
	_, v := model(t)
	for path, want := range map[string]string{
		"":                                "",
		"spec":                            "spec",
		"spec.ports":                      "spec.ports",
		"spec.ports.name":                 "spec.ports[].name",
		"spec.ports[0].name":              "spec.ports[].name",
		"spec.ports[].ports":              "spec.ports[].ports",
		"spec.c.anything":                 "spec.c.*",
		"spec.c[a.b]":                     "spec.c.*",
		`spec["dotted.name"]`:             "spec.dotted.name",
		"spec['dotted.name']":             "spec.dotted.name",
		"spec[dotted.name]":               "spec.dotted.name",
		".spec[0].min":                    "spec.min",
		`spec.ports[name="a.b",n=1].name`: "spec.ports[].name",
		"spec.ports[*].name":              "spec.ports[].name",
		"spec[":                           `spec has no field "["; it has a, any, b, c, dotted.name, max, min, mode, ports`,
		"spec.dotted.name":                "spec.dotted.name",
		"spec.port":                       `spec has no field "port"; did you mean ports?`,
		"spec.min.x":                      "spec.min has no fields",
		"zzzzzzzzzz":                      `the object has no field "zzzzzzzzzz"; it has spec`,
		"spec.ports.protocolss":           `spec.ports has no field "protocolss"; it has name, ports`,
	} {
		f, err := describe.Find(v.Schema(), path)
		got := f.Path
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
}

// The text of a field has what the definition says about it.
func TestText(t *testing.T) {
	m, v := model(t)
	for path, want := range map[string]string{
		"spec.min": `FIELD: min <integer>

DESCRIPTION:
    <empty>

VALUES:
    default: 1
    minimum (exclusive): 0

RULES:
    self.min <= self.max (of spec)
        min is at most max
`,
		"spec.mode": `FIELD: mode <string>

DESCRIPTION:
    <empty>

VALUES:
    value: "fast"
    value: "slow"

RULES:
    self == oldSelf

UPDATES:
    cannot be changed while it is there; it can be removed, and set anew
`,
		"spec.ports": `FIELD: ports <[]Object>

DESCRIPTION:
    <empty>

VALUES:
    most items: 4
    items are told apart by name

UNKNOWN FIELDS:
    removed

FIELDS:
  name	<string> -required-

  ports	<integer>

`,
		"spec.any": `FIELD: any <Object>

DESCRIPTION:
    <empty>

VALUES:
    unknown fields are kept

UNKNOWN FIELDS:
    kept
`,
	} {
		f, err := describe.Find(v.Schema(), path)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		describe.Text(&b, m, v, f, false)
		head := "GROUP:      example.com\nKIND:       Tab\nVERSION:    v1\n\n"
		if diff := cmp.Diff(head+want, b.String()); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// The names of all fields are a tree.
func TestRecursive(t *testing.T) {
	m, v := model(t)
	f, _ := describe.Find(v.Schema(), "")
	var b strings.Builder
	describe.Text(&b, m, v, f, true)
	_, tree, _ := strings.Cut(b.String(), "\nFIELDS:\n")
	want := `  spec	<Object> -required-
    a	<IntOrString>
    any	<Object>
    b	<[]string>
    c	<map[string]integer>
    dotted.name	<boolean>
    max	<integer> -nullable-
    min	<integer>
    mode	<string>
    ports	<[]Object>
      name	<string> -required-
      ports	<integer>
`
	if diff := cmp.Diff(want, tree); diff != "" {
		t.Error(diff)
	}
}

// A page has every field once, and its cells do not end early.
func TestMarkdown(t *testing.T) {
	m, v := model(t)
	f, _ := describe.Find(v.Schema(), "")
	var b strings.Builder
	describe.Markdown(&b, m, v, f)
	want := "# Tab example.com/v1\n\nA tab.\n\nIt has a spec.\n\n" +
		"Namespaced, plural `tabs`; stored in this version; the status is a subresource.\n\n" +
		"## Fields\n\n| field | type | values | description |\n| --- | --- | --- | --- |\n" +
		"| `spec` | object | required; exactly one of: `a, b and c` " +
		"| What is \\| wanted, in &lt;code>. |\n" +
		"| `spec.a` | integer or string |  |  |\n" +
		"| `spec.any` | object | unknown fields are kept |  |\n" +
		"| `spec.b` | list of string | items must differ |  |\n" +
		"| `spec.b[]` | string | greatest length: `5` |  |\n" +
		"| `spec.c` | map of integer |  |  |\n" +
		"| `spec.c.*` | integer | maximum: `3` |  |\n" +
		"| `spec.dotted.name` | boolean |  |  |\n" +
		"| `spec.max` | integer | may be null |  |\n" +
		"| `spec.min` | integer | default: `1`; minimum (exclusive): `0` |  |\n" +
		"| `spec.mode` | string | value: `\"fast\"`; value: `\"slow\"` |  |\n" +
		"| `spec.ports` | list of object | most items: `4`; items are told apart by name |  |\n" +
		"| `spec.ports[].name` | string | required |  |\n" +
		"| `spec.ports[].ports` | integer |  |  |\n\n" +
		"## Rules\n\n| field | rule | message |\n| --- | --- | --- |\n" +
		"| `spec` | `self.min <= self.max` | min is at most max |\n" +
		"| `spec.mode` | `self == oldSelf` |  |\n\n" +
		"## Updates\n\n- name, namespace and uid cannot be changed\n" +
		"- status is changed through the subresource only\n" +
		"- `spec.mode`: cannot be changed while it is there; it can be removed, and set anew\n\n" +
		"## Unknown fields\n\nFields that are not in the table are removed, except in `spec.any`.\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

// A rule that keeps a value does not run where the field, or an object around
// it, can be removed.
func TestKept(t *testing.T) {
	const kept = "x-kubernetes-validations: [{rule: self == oldSelf}]"
	const while = "cannot be changed while it is there; "
	for name, c := range map[string]struct{ spec, root, want string }{
		"optional": {"properties: {a: {type: string, K}}", "required: [spec]",
			while + "it can be removed, and set anew"},
		"required": {"required: [a], properties: {a: {type: string, K}}", "required: [spec]",
			"cannot be changed"},
		"with a default": {"properties: {a: {type: string, default: b, K}}", "required: [spec]",
			"cannot be changed"},
		"in an optional field": {"required: [a], properties: {a: {type: string, K}}", "",
			while + "spec can be removed, and set anew"},
		"kept by a rule of the object around it": {"properties: {a: {type: string, K}}, x-kubernetes-validations: " +
			"[{rule: '!has(oldSelf.a) || has(self.a)'}]", "required: [spec]", "cannot be changed"},
	} {
		spec := strings.Replace(c.spec, "K", kept, 1)
		schema := "\n    schema:\n      openAPIV3Schema:\n        type: object\n        " + c.root +
			"\n        properties: {spec: {type: object, " + spec + "}}\n"
		def, err := crdsem.Parse([]byte(testschema.Definition("Tab", schema)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := def.Model()
		f, err := describe.Find(m.StorageVersion().Schema(), "spec.a")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var b strings.Builder
		describe.Text(&b, m, m.StorageVersion(), f, false)
		if !strings.HasSuffix(b.String(), "UPDATES:\n    "+c.want+"\n") {
			t.Errorf("%s: %s", name, b.String())
		}
	}
}
