package manifest_test

import (
	"testing"
)

func TestMistyped(t *testing.T) {
	const yaml = `metadata: {labels: {on: yes, a: b}}
spec:
  versions:
  - {name: v1, served: true}
  - name: v2
    served: "true"
    schema:
      openAPIV3Schema:
        properties:
          properties: {type: string, maxLength: 5}
          b: {items: {maxLength: "5", properties: {maxLength: {maxLength: x}}}, minLength: 2}
          a: {required: [x, [y]], minLength: 1.5, type: [a]}
          c: {dependencies: {p: [x], q: [1]}}
          m.n: 7
  pod: {metadata: {labels: {port: 80}}}
`
	const json = `{"properties": {"b": {"maxLength": "5"}, "a": {"maxLength": "6"}}}`
	const schema = "spec.versions[1].schema.openAPIV3Schema.properties"
	const fields = "JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties"
	for _, c := range []struct{ text, message, want, at string }{
		{yaml, "bool into Go struct field ObjectMeta.labels of type string", "metadata.labels[true]", "f:1:25"},
		{yaml, "bool into Go struct field ObjectMeta.metadata.labels of type string", "metadata.labels[true]", "f:1:25"},
		{yaml, "string into Go struct field CustomResourceDefinitionVersion.spec.versions.served of type bool", "spec.versions[1].served", "f:6:13"},
		{yaml, "string into Go struct field " + fields + ".items.maxLength of type int64", schema + "[b].items.maxLength", "f:11:34"},
		{yaml, "string into Go struct field " + fields + ".items.properties.maxLength of type int64", schema + "[b].items.properties[maxLength].maxLength", "f:11:75"},
		{yaml, "array into Go struct field " + fields + ".required of type string", schema + "[a].required[1]", "f:12:29"},
		{yaml, "array into Go struct field " + fields + ".type of type string", schema + "[a].type", "f:12:57"},
		{yaml, "number 1.5 into Go struct field " + fields + ".minLength of type int64", schema + "[a].minLength", "f:12:46"},
		{yaml, "number into Go struct field " + fields + ".dependencies of type string", schema + "[c].dependencies[q][0]", "f:13:42"},
		{yaml, "number into Go struct field " + fields + " of type v1.JSONSchemaProps", schema + "[m.n]", "f:14:16"},
		{yaml, "string into Go struct field " + fields + ".nullable of type bool", "", "f:1:1"},
		{yaml, "object into Go struct field ObjectMeta.labels of type []string", "metadata.labels", "f:1:20"},
		{yaml, "array into Go value of type v1.ObjectMeta", "metadata", "f:1:11"},
		{yaml, "array into Go value of type v1.JSONSchemaProps", "", "f:1:1"},
		{json, "string into Go struct field JSONSchemaProps.properties.maxLength of type int64", "properties[a].maxLength", "f:1:61"},
	} {
		doc := only(t, c.text)
		message := "json: cannot unmarshal " + c.message
		if got := doc.Mistyped(message); got != c.want {
			t.Errorf("%s: %q, want %q", c.message, got, c.want)
		}
		if got := doc.LocateText(message).String(); got != c.at {
			t.Errorf("%s: at %s, want %s", c.message, got, c.at)
		}
	}
	const union = "s: {properties: {a: {default: {additionalItems: x}, additionalItems: true},\n" +
		"  default: {additionalItems: '1'}}}"
	got := only(t, union).Mistyped("boolean or JSON schema expected")
	if got != "s.properties[default].additionalItems" {
		t.Errorf("a value that is neither a boolean nor a schema: %q", got)
	}
	doc := only(t, yaml)
	const embedded = `Foo in version "v1" cannot be handled as a Foo: spec.pod.metadata: ` +
		`Invalid value: {"labels":{"port":80}}: json: cannot unmarshal number into ` +
		`Go struct field ObjectMeta.labels of type string`
	if got := doc.Mistyped(embedded); got != "spec.pod.metadata.labels[port]" {
		t.Errorf("embedded: %q", got)
	}
	if got := doc.Mistyped("spec.pod: is odd"); got != "" {
		t.Errorf("another message: %q", got)
	}
}

// The first value that fits is found, in the order of the keys.
func TestMistypedValues(t *testing.T) {
	const props = " into Go struct field JSONSchemaProps."
	const meta = " into Go struct field ObjectMeta."
	for _, c := range []struct{ text, message, want string }{
		{"metadata: {labels: [[a]]}", "array" + meta + "labels of type map[string]string", "metadata.labels"},
		{"metadata: {labels: {a: {b: 1}}}", "object" + meta + "labels of type []string", "metadata.labels"},
		{"metadata: {labels: {b: {}, a: [x, {}]}}", "object" + meta + "labels of type string", "metadata.labels[a][1]"},
		{"metadata: {name: {}}", "object" + meta + "name of type string", "metadata.name"},
		{"metadata: {name: {a: {}}}", "object" + meta + "name.x of type string", ""},
		{"kind: A", "string" + meta + "labels of type string", "metadata"},
		{"kind: A", "string into Go value of type v1.ObjectMeta", "metadata"},
		{"kind: A", "string into Go value of type v2.ObjectMeta", ""},
		{"a: [", "string into Go value of type v1.ObjectMeta", ""},
		{"spec: [{a: 1}, {a: x}]", "string into Go struct field A.spec.a of type int64", "spec[1].a"},
		{"properties: [{a: x}]", "string" + props + "properties.a of type int64", "properties[0].a"},
		{"properties: {b: {a: x}, a: {a: x}}", "string" + props + "properties.a of type int64", "properties[a].a"},
		{"a: [null, x, true, {}, [], 1, 1.5]", "bool" + props + "a of type string", "a[2]"},
		{"a: [null, x, true, {}, [], 1, 1.5]", "object" + props + "a of type string", "a[3]"},
		{"a: [null, x, true, {}, [], 1, 1.5]", "array" + props + "a of type string", "a[4]"},
		{"a: [null, x, true, {}, [], 1, 1.5]", "number" + props + "a of type string", "a[5]"},
		{"a: [null, x, true, {}, [], 1, 1.5]", "number 1.5" + props + "a of type int64", "a[6]"},
		{"a: [0, 1.5, 3]", "number 3" + props + "a of type string", "a[2]"},
		{"a: [0, 1.5, 3]", "number x" + props + "a of type string", ""},
		{"a: {c: 1}", "number" + props + "a of type string", ""},
	} {
		if got := only(t, c.text).Mistyped("json: cannot unmarshal " + c.message); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.text, c.message, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"additionalItems: {a: [{}, {b: {additionalProperties: 1}}]}": "additionalItems.a[1].b.additionalProperties",
		"c: {additionalItems: 1.5}\nb: {additionalItems: []}":        "b.additionalItems",
		"additionalItems: 1.5":                            "additionalItems",
		"additionalItems: true":                           "",
		"additionalItems: null":                           "",
		"enum: [{additionalItems: x}]":                    "",
		"example: {additionalItems: x}":                   "",
		"definitions: {additionalItems: {}}":              "",
		"labels: {additionalItems: x}":                    "",
		"patternProperties: {enum: {additionalItems: x}}": "patternProperties[enum].additionalItems",
		"a: [": "",
	} {
		if got := only(t, text).Mistyped("boolean or JSON schema expected"); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1.10": "1.10", "a: yes": "yes", "b: &x 0x1F\na: *x": "0x1F", "a: '1'": "", "a: [1]": "",
		"a:": "", "b: 1": "", `{"a": 1.10}`: "1.10", `{"a": true}`: "true", `{"a": "1"}`: "",
		"a: null": "null", `{"a": null}`: "null", "a: !!str 1": "",
	} {
		if got, ok := only(t, text).Find("a").Plain(); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", text, got, ok, want)
		}
	}
	if got, ok := only(t, "a: 1").Find("a.b").Plain(); ok {
		t.Errorf("a field of a number: %q", got)
	}
	for text, want := range map[string]string{"y: 1": "y", "'true': 1": "", `{"true": 1}`: ""} {
		if got, ok := only(t, text).Find("true").PlainKey(); got != want || ok != (want != "") {
			t.Errorf("%s: key %q %v, want %q", text, got, ok, want)
		}
	}
}
