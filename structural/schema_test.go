package structural_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// Identical subschemas are one node; a node that differs in one keyword is
// another.
func TestNewSharesIdenticalNodes(t *testing.T) {
	leaf := func(description string) *crd.JSONSchemaProps {
		return &crd.JSONSchemaProps{
			Type:        "string",
			Description: description,
			Default:     map[string]any{"a": int64(1)},
		}
	}
	properties := map[string]*crd.JSONSchemaProps{"a": leaf("x"), "b": leaf("x"), "c": leaf("y")}
	s, err := built(&crd.JSONSchemaProps{Type: "object", Properties: properties})
	if err != nil {
		t.Fatal(err)
	}
	if s.Property("a") != s.Property("b") {
		t.Error("a and b are identical but not shared")
	}
	if s.Property("a") == s.Property("c") {
		t.Error("a and c differ but are shared")
	}
	if !s.HasDefaults() || s.HasRules() {
		t.Errorf("HasDefaults %v, HasRules %v; want true, false", s.HasDefaults(), s.HasRules())
	}
}

// A node knows whether a default below it holds a null.
func TestNullDefaults(t *testing.T) {
	for text, want := range map[string]bool{
		`1`: false, `{"x":1}`: false, `[{"x":[1]}]`: false, `{}`: false, `[]`: false,
		`{"x":null}`: true, `[1,null]`: true, `[{"x":{"y":null}}]`: true,
	} {
		s, err := structural.Parse([]byte(`{"type":"object","properties":{"a":{"x-kubernetes-preserve-unknown-fields":true,"default":` + text + `}}}`))
		if err != nil {
			t.Fatal(err)
		}
		if s.HasNullDefaults() != want || s.Property("a").HasNullDefaults() {
			t.Errorf("%s: %v at the root, %v at the node itself",
				text, s.HasNullDefaults(), s.Property("a").HasNullDefaults())
		}
	}
}

// Since Kubernetes 1.36 an example counts as a keyword of the root's metadata
// (STR-057).
func TestRulesOfMinors(t *testing.T) {
	s, err := structural.Parse([]byte(`{"type":"object","properties":{"metadata":{"type":"object","example":"x"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for minor, want := range map[string]int{"1.35": 0, "1.36": 1, "1.37": 1} {
		m, err := minors.Parse(minor)
		if err != nil {
			t.Fatal(err)
		}
		if errs := structural.Validate(s, nil, structural.Kubernetes(m)); len(errs) != want {
			t.Errorf("%s: %v", minor, errs)
		}
	}
}

// A rule has all that the definition says about it.
func TestRules(t *testing.T) {
	s, err := structural.Parse([]byte(`{"type":"object","x-kubernetes-validations":[
		{"rule":"a","message":"m","messageExpression":"e","fieldPath":".f","reason":"FieldValueRequired","optionalOldSelf":false},
		{"rule":"b","reason":""},{"rule":"c","optionalOldSelf":true}]}`))
	if err != nil {
		t.Fatal(err)
	}
	no, yes := false, true
	want := []structural.Rule{
		{Rule: "a", Message: "m", MessageExpression: "e", FieldPath: ".f",
			Reason: "FieldValueRequired", HasReason: true, OptionalOldSelf: &no},
		{Rule: "b", HasReason: true},
		{Rule: "c", OptionalOldSelf: &yes},
	}
	if diff := cmp.Diff(want, s.Rules()); diff != "" {
		t.Error(diff)
	}
}
