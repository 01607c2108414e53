package conversion_test

import (
	"context"
	"testing"

	"github.com/crdsem/crdsem/conversion"
)

// An object inside of itself is refused before it is copied.
func TestCyclicObject(t *testing.T) {
	cyclic := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo"}
	cyclic["spec"] = []any{cyclic}
	same := func(_ context.Context, object map[string]any) (map[string]any, error) { return object, nil }
	functions, err := conversion.HubAndSpoke("g.io/v2", conversion.Spoke{APIVersion: "g.io/v1", ToHub: same, FromHub: same})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := functions.Convert(context.Background(), cyclic, "g.io/v2"); err == nil {
		t.Error("Convert takes a cyclic object")
	}
	if _, err := conversion.RoundTrip(context.Background(), functions, cyclic, "g.io/v2", nil); err == nil {
		t.Error("RoundTrip takes a cyclic object")
	}
}

// A nil context never ends, whoever converts.
func TestNilContext(t *testing.T) {
	same := func(ctx context.Context, object map[string]any) (map[string]any, error) { return object, ctx.Err() }
	functions, err := conversion.Pairwise(conversion.Route{From: "g.io/v1", To: "g.io/v2", Convert: same})
	if err != nil {
		t.Fatal(err)
	}
	spec := conversion.Spec{Group: "g.io", Versions: []string{"v1", "v2"}, Strategy: conversion.StrategyWebhook, ReviewVersions: []string{"v1"}}
	converter, err := conversion.New(spec, functions)
	if err != nil {
		t.Fatal(err)
	}
	var none context.Context
	object := map[string]any{"apiVersion": "g.io/v1", "kind": "Foo", "metadata": map[string]any{"name": "x"}}
	list := map[string]any{"apiVersion": "g.io/v1", "kind": "FooList", "items": []any{object}}
	for name, convert := range map[string]func() (map[string]any, error){
		"functions": func() (map[string]any, error) { return functions.Convert(none, object, "g.io/v2") },
		"converter": func() (map[string]any, error) { return converter.Convert(none, object, "g.io/v2") },
		"list":      func() (map[string]any, error) { return converter.ConvertList(none, list, "g.io/v2") },
	} {
		if out, err := convert(); err != nil || out["apiVersion"] != "g.io/v2" {
			t.Errorf("%s: %v, %v", name, out, err)
		}
	}
}
