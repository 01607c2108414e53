package openapi_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/openapi"
)

// members returns the JSON form of a schema.
func members(t *testing.T, s any) (out map[string]any) {
	t.Helper()
	doc, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(doc, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Schemas are edited and become OpenAPI as the cases say (STR-030, STR-110 to
// STR-112, STR-130 to STR-132).
func TestRewrittenSchemas(t *testing.T) {
	type input struct {
		Schema   protocol.Input `json:"schema"`
		Rewrites []string       `json:"rewrites"`
	}
	type answer struct {
		Schema map[string]any `json:"schema"`
	}
	rewrites := map[string]func(*structural.Schema) *structural.Schema{
		"Unfold":                structural.ExpandIntOrString,
		"StripValueValidations": structural.StripValueValidations,
		"StripNullable":         structural.StripNullable,
	}
	for _, c := range vectors.Cases[input, answer](t, "rewrittenSchema") {
		s, err := structural.Parse(vectors.JSON(t, c.Input.Schema))
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		for _, name := range c.Input.Rewrites {
			s = rewrites[name](s)
		}
		if diff := cmp.Diff(c.Want.Schema, members(t, openapi.ToSpec(s))); diff != "" {
			t.Errorf("%s %s: %s", c.ID, c.Rule, diff)
		}
	}
}

// Schemas are published as the cases say (CRD-500 to CRD-504, STR-131).
func TestPublishedSchemas(t *testing.T) {
	type input struct {
		CRD     protocol.Input `json:"crd"`
		Version string         `json:"version"`
		OpenAPI string         `json:"openapi"`
	}
	type answer struct {
		Name   string         `json:"name"`
		Schema map[string]any `json:"schema"`
	}
	for _, c := range vectors.Cases[input, answer](t, "publishedSchema") {
		crd, _, err := definition.Parse(vectors.JSON(t, c.Input.CRD))
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		def, err := definition.Compile(crd)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
		v := def.Version(c.Input.Version)
		kind := openapi.Kind{
			Group: def.Group(), Version: v.Name, Kind: def.Names().Kind,
			SelectableFields:       v.SelectableFields,
			PreservesUnknownFields: def.PreservesUnknownFields(),
		}
		publish := openapi.PublishV3
		if c.Input.OpenAPI == "v2" {
			publish = openapi.PublishV2
		}
		got := answer{kind.Name(), members(t, publish(v.Schema(), kind))}
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%s %s: %s", c.ID, c.Rule, diff)
		}
	}
}
