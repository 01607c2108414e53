package openapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/openapi"
)

// roundTrip checks that a schema survives both conversions and that the spec
// schema can be encoded.
func roundTrip(t *testing.T, name string, s *structural.Schema) {
	t.Helper()
	there := openapi.ToSpec(s)
	back, err := openapi.FromSpec(there)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !structural.Equal(s, back) {
		t.Errorf("%s: the schema that comes back differs", name)
	}
	if _, err := json.Marshal(there); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// The schemas of the vectors survive, except for empty lists of keys and rules.
func TestRoundTripVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpStructural) {
		text := vectors.JSON(t, v.Req.Schema)
		if bytes.Contains(text, []byte(`-keys":[]`)) || bytes.Contains(text, []byte(`-validations":[]`)) {
			continue
		}
		if s, err := structural.Parse(text); err == nil {
			roundTrip(t, v.ID, s)
		}
	}
}

// Real schemas survive.
func TestRoundTripCorpus(t *testing.T) {
	for _, version := range corpus.Schemas(t) {
		s, err := structural.Parse(version.Text)
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		roundTrip(t, version.String(), s)
	}
}

// A spec schema that FromSpec cannot read is an error, not a loss.
func TestFromSpecErrors(t *testing.T) {
	for name, s := range map[string]*spec.Schema{
		"two types":    {SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"a", "b"}}},
		"a reference":  spec.RefSchema("#/definitions/a"),
		"a wrong flag": {VendorExtensible: spec.VendorExtensible{Extensions: spec.Extensions{"x-kubernetes-int-or-string": "true"}}},
		"dependencies": {SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"object"},
			Dependencies: spec.Dependencies{"a": {Property: []string{"b"}}}}},
		"list of schemas": {SchemaProps: spec.SchemaProps{Items: &spec.SchemaOrArray{Schemas: []spec.Schema{{}}}}},
	} {
		if got, err := openapi.FromSpec(s); err == nil {
			t.Errorf("%s: no error but %v", name, got)
		}
	}
}

// The keys of a list may be strings of Go, as code writes them, or of a
// document.
func TestKeysOfLists(t *testing.T) {
	for name, keys := range map[string]any{"code": []string{"a"}, "document": []any{"a"}} {
		s, err := openapi.FromSpec(&spec.Schema{
			SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"array"}},
			VendorExtensible: spec.VendorExtensible{Extensions: spec.Extensions{
				"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}},
		})
		if err != nil || len(s.ListMapKeys()) != 1 || s.ListMapKeys()[0] != "a" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}
