package conversion_test

import (
	"context"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/conformance/vectors"
	"github.com/crdsem/crdsem/conversion"
)

// Field labels are accepted or rejected (CONV-007).
func TestFieldLabels(t *testing.T) {
	type input struct {
		Version          string   `json:"version"`
		Label            string   `json:"label"`
		ClusterScoped    bool     `json:"clusterScoped"`
		SelectableFields []string `json:"selectableFields"`
	}
	type answer struct {
		Label string `json:"label"`
		Error string `json:"error"`
	}
	for _, c := range vectors.Cases[input, answer](t, "fieldLabel") {
		var paths []string
		for _, path := range c.Input.SelectableFields {
			paths = append(paths, strings.TrimPrefix(path, "."))
		}
		converter, err := conversion.New(conversion.Spec{
			CRD: "foos.example.com", Group: "example.com", Versions: []string{"v1", "v2"},
			Strategy: conversion.StrategyNone, ClusterScoped: c.Input.ClusterScoped,
			SelectableFields: map[string][]string{"v1": paths},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := answer{Label: c.Input.Label}
		if err := converter.CheckFieldLabel(c.Input.Version, c.Input.Label); err != nil {
			got = answer{Error: err.Error()}
		}
		if got != c.Want {
			t.Errorf("%s: %+v, want %+v", c.ID, got, c.Want)
		}
	}
}

// An object that contains itself is rejected before it is copied.
func TestCyclicObject(t *testing.T) {
	cyclic := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo"}
	cyclic["spec"] = []any{cyclic}
	same := func(_ context.Context, object map[string]any) (map[string]any, error) {
		return object, nil
	}
	spoke := conversion.Spoke{APIVersion: "g.io/v1", ToHub: same, FromHub: same}
	functions, err := conversion.HubAndSpoke("g.io/v2", spoke)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := functions.Convert(context.Background(), cyclic, "g.io/v2"); err == nil {
		t.Error("Convert takes a cyclic object")
	}
	_, err = conversion.RoundTrip(context.Background(), functions, cyclic, "g.io/v2", nil)
	if err == nil {
		t.Error("RoundTrip takes a cyclic object")
	}
}
