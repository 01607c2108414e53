package crd

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The fast reader and the exact decoder give the same definition and the same
// strict errors.
func TestFastReaderAgreesWithExactDecoder(t *testing.T) {
	const (
		head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" +
			"metadata: {name: ks.g.io, labels: {a: b}}\n"
		version = "  - {name: v1, served: true, storage: true, " +
			"schema: {openAPIV3Schema: {type: object%s}}}\n"
	)
	spec := func(extra string) string {
		return "spec:\n  group: g.io\n  versions:\n" + fmt.Sprintf(version, extra)
	}
	for _, c := range []struct {
		name, text string
		strict     int
		fast       bool // the fast reader takes it
	}{
		{"plain", head + spec(""), 0, true},
		{"no kind", spec(""), 0, true},
		{"null kind", "kind:\n" + spec(""), 0, false},
		{"kind in another case", "Kind: CustomResourceDefinition\n" + spec(""), 1, false},
		{"kind in two cases", head + "KIND: CustomResourceDefinition\n" + spec(""), 1, false},
		{"beta", strings.Replace(head, "v1", "v1beta1", 1) + "spec: {version: v1, foo: 1}", 1, true},
		{"anchors", head + "x: &x {type: string, maximum: 1.0}\n" + spec(", properties: {a: *x, b: *x}"), 1, true},
		{"unknown keywords", head + spec(", foo: 1, properties: {a: {bar: x, items: {foo: 1}, not: {foo: 1}}, b: {additionalProperties: {foo: 1}}}"), 3, true},
		{"an unknown keyword of a schema in a union and outside", head + spec(", properties: {a: {items: {foo: 1}}, b: {foo: 1}}"), 1, true},
		{"the same, the other way round", head + spec(", properties: {a: {foo: 1}, b: {items: {foo: 1}}, c: {items: {items: {foo: 1}}}}"), 1, true},
		{"unknown metadata", strings.Replace(head, "labels", "labelz", 1) + spec(""), 1, true},
		{"duplicate keys", head + spec(", type: string, type: array") + "status: {storedVersions: [v1], storedVersions: [v2]}\n", 3, true},
		{"duplicate and unknown keys", head + spec(", type: string, foo: 1"), 2, true},
		{"odd values", head + spec(", default: {a: [1.0, -0.0, 1e30, null]}, enum: [a, 1, null], maximum: 1"), 0, true},
		{"nulls", head + spec(", properties: {a: null}, allOf: [null], items: null, not: null, required: null"), 0, true},
		{"fractions where integers are wanted", head + spec(", maxLength: 1.0"), 0, true},
		{"wrong kinds", head + spec(", properties: []"), 0, false},
		{"a list", "- a\n", 0, false},
		{"another kind", "apiVersion: v1\nkind: Pod\n", 0, false},
		{"JSON with unknown fields", `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","z":1,"spec":{"foo":1,"group":"g"},"a":2}`, 3, true},
		{"JSON with duplicate fields", `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","spec":{"group":"g","group":"h"},"spec":{"scope":"Cluster"}}`, 2, false},
		{"JSON with surrogates", `{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","spec":{"group":"\ud83d\ude00"}}`, 0, true},
	} {
		got, strict, err := DecodeDefinition([]byte(c.text), profile.Latest())
		want, wantStrict, wantErr := exactDefinition([]byte(c.text), profile.Latest())
		same := fmt.Sprint(strict, err) == fmt.Sprint(wantStrict, wantErr)
		if !same || len(strict) != c.strict {
			t.Errorf("%s: got %v, %v, want %v, %v, %d strict errors",
				c.name, strict, err, wantStrict, wantErr, c.strict)
		}
		if !SemanticEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
		if _, _, ok := fastDefinition([]byte(c.text), profile.Latest()); ok != c.fast {
			t.Errorf("%s: the fast reader takes it: %v, want %v", c.name, ok, c.fast)
		}
	}
}

// A number that JSON spells -0 is negative where the API has a float64, and the
// integer 0 elsewhere.
func TestNegativeZero(t *testing.T) {
	text := []byte(`{"minimum":-0,"minLength":-0,"default":[-0]}`)
	fast, ok := fastSchema(text)
	exact, err := exactSchema(text)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	for name, props := range map[string]*JSONSchemaProps{"fast": fast, "exact": exact} {
		if *props.Minimum != 0 || !math.Signbit(*props.Minimum) {
			t.Errorf("%s: minimum %v, want -0", name, *props.Minimum)
		}
		if *props.MinLength != 0 {
			t.Errorf("%s: minLength %d, want 0", name, *props.MinLength)
		}
		if got := fmt.Sprintf("%#v", props.Default); got != "[]interface {}{0}" {
			t.Errorf("%s: default %s", name, got)
		}
	}
}
