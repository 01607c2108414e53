package validate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/structural"
)

// twoVersions is a definition whose versions differ in one field.
const twoVersions = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}},"x":{"type":"string"}}}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string"}}}}}}}]}}`

const oneSchema = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":SCHEMA}}]}}`

// Formats that the server knows for each type (CRD-350).
func TestKnownFormats(t *testing.T) {
	ofStrings := strings.Fields("bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 " +
		"uuid4 uuid5 isbn isbn10 " +
		"isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime " +
		"k8sshortname k8slongname " +
		"date-time k8s-short-name k8s-long-name")
	known := map[string][]string{
		"": ofStrings, "string": ofStrings, "integer": {"int32", "int64"}, "number": {"float", "double"},
		"boolean": nil, "object": nil, "array": nil,
	}
	all := append([]string{"int32", "int64", "float", "double", "int", "Date", "x"}, ofStrings...)
	for typ, formats := range known {
		for _, format := range all {
			if got, want := isKnownFormat(typ, format), slices.Contains(formats,
				format); got != want {
				t.Errorf("%q of type %q is known: %t", format, typ, got)
			}
		}
	}
}

// A stored definition has no errors, but those of a new one. An ended context
// leaves its cause alone. Sharing what validation compiles changes nothing.
func TestStored(t *testing.T) {
	def, _, err := definition.Parse([]byte(strings.Replace(twoVersions, `"scope":"Cluster"`, `"scope":"X"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	found, stored := Create(t.Context(), def.ForCreate()), Stored(t.Context(), def)
	if len(found.Errors) != 1 || len(stored.Errors) != 0 ||
		fmt.Sprint(stored.AsNew) != fmt.Sprint(found.Errors) {
		t.Errorf("%v and %v", stored, found)
	}
	var shared structural.Cache
	for range 2 {
		again := Create(t.Context(), def.ForCreate(), structural.InCache(&shared))
		if fmt.Sprint(again) != fmt.Sprint(found) {
			t.Errorf("sharing: %v, want %v", again, found)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("cause")
	cancel(cause)
	if ended := Create(ctx, def.ForCreate()); ended.Err != cause || len(ended.Errors) != 0 {
		t.Errorf("an ended context: %v", ended)
	}
}

// Defaults of resources and of their metadata, with the server's texts (CRD-302
// to CRD-306).
func TestDefaultsOfResources(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"finalizers":{"type":"array","items":{"type":"string","default":"a b"}}}}}}`:                                                          `.properties[metadata].properties[finalizers].items.default: Invalid value: "a b": must result in valid metadata: metadata.finalizers: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"finalizers":{"type":"array","items":{"type":"string","default":"a.io/b"}}}}}}`:                                                       "",
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","default":"a/b"}}}}}`:                                                                                         `.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","default":"n"},"labels":{"type":"object","default":{"a":"b c"},"additionalProperties":{"type":"string"}}}}}}`: `.properties[metadata].properties[labels].default: Invalid value: {"a":"b c"}: must result in valid metadata: metadata.labels: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object","properties":{"a":{"type":"string","default":"x y"}}}}}}}`:                                                  `.properties[metadata].properties[labels].properties[a].default: Invalid value: "x y": must result in valid metadata: metadata.labels: Invalid value: "x y": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"generation":{"type":"integer","default":-1}}}}}`:                                                                                     `.properties[metadata].properties[generation].default: Invalid value: -1: must result in valid metadata: metadata.generation: Invalid value: -1: must be greater than or equal to 0`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"creationTimestamp":{"type":"string","default":"x"}}}}}`:                                                                              `.properties[metadata].properties[creationTimestamp].default: Invalid value: "x": must result in valid metadata: metadata: Invalid value: {"creationTimestamp":"x"}: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{}},"kind":{"type":"string","default":"a_b"}}}`:                                                                                        `.properties[kind].default: Invalid value: "a_b": must result in valid metadata: kind: Invalid value: "a_b": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{}},"apiVersion":{"type":"string","default":"a/b/c"}}}`:                                                                                `.properties[apiVersion].default: Invalid value: "a/b/c": must result in valid metadata: apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{}},"kind":{"type":"string","default":""}}}`:                                                                                           `.properties[kind].default: Invalid value: "": must result in valid metadata: kind: Invalid value: "": must not be empty`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,"default":{"apiVersion":"v1","kind":"K","metadata":{"name":5}}}`:                                                                                  `.default.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`,
		`{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,"default":{"kind":"K","metadata":{"name":"n"}}}`:                                                                                                  `.default.apiVersion: Required value`,
		`{"type":"array","items":{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","default":"."}}}}},"default":[]}`:                                                     `.items.properties[metadata].properties[name].default: Invalid value: ".": must result in valid metadata: metadata.name: Invalid value: ".": may not be '.'`,
		`{"type":"object","properties":{"a":{"type":"string"}},"default":{"b":1}}`:                                                                                                                                                                            `.default: Invalid value: {"b":1}: must not have unknown fields`,
		`{"type":"array","default":[{"b":1}],"items":{"type":"object","properties":{"a":{"type":"string"}}}}`:                                                                                                                                                 `.default: Invalid value: [{"b":1}]: must not have unknown fields`,
		`{"type":"string","enum":["a"],"default":"b"}`:                                        `.default: Unsupported value: "b": supported values: "a"`,
		`{"type":"string","default":"b","x-kubernetes-validations":[{"rule":"self == 'a'"}]}`: `.default: Invalid value: "b": failed rule: self == 'a'`,
	} {
		schema := `{"type":"object","properties":{"e":` + text + `}}`
		def, _, err := definition.Parse([]byte(strings.Replace(oneSchema, "SCHEMA", schema, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = "spec.validation.openAPIV3Schema.properties[e]" + want
		}
		var got []string
		for _, err := range Create(t.Context(), def.ForCreate()).Errors {
			got = append(got, err.Error())
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s: %s, want %s", schema, text, want)
		}
	}
}
