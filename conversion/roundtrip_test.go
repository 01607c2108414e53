package conversion_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
)

// replaced returns functions that convert every object to the one given for the
// version, e.g. "g.io/v2".
func replaced(t *testing.T, there, back map[string]any) conversion.ObjectConverter {
	t.Helper()
	to := func(object map[string]any) conversion.Function {
		return func(context.Context, map[string]any) (map[string]any, error) {
			if object == nil {
				return nil, errors.New("no object")
			}
			return object, nil
		}
	}
	f, err := conversion.HubAndSpoke("g.io/v2", conversion.Spoke{
		APIVersion: "g.io/v1", ToHub: to(there), FromHub: to(back)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A round trip names each value that was lost, added or changed, in order.
func TestRoundTripLosses(t *testing.T) {
	version := func(v string, spec any) map[string]any {
		return map[string]any{"apiVersion": v, "kind": "K", "spec": spec}
	}
	type object = map[string]any
	for name, c := range map[string]struct {
		before, after any
		want          []conversion.Loss
	}{
		"nothing": {object{"a": []any{int64(1)}}, object{"a": []any{int64(1)}}, nil},
		"fields": {object{"a": int64(1), "c": int64(2)}, object{"b": int64(3), "c": int64(4)},
			[]conversion.Loss{
				{Kind: conversion.Lost, Path: "spec.a", Before: int64(1)},
				{Kind: conversion.Added, Path: "spec.b", After: int64(3)},
				{Kind: conversion.Changed, Path: "spec.c", Before: int64(2), After: int64(4)},
			}},
		"shorter list": {[]any{"a", "b", "c"}, []any{"x"}, []conversion.Loss{
			{Kind: conversion.Changed, Path: "spec[0]", Before: "a", After: "x"},
			{Kind: conversion.Lost, Path: "spec[1]", Before: "b"},
			{Kind: conversion.Lost, Path: "spec[2]", Before: "c"},
		}},
		"longer list": {[]any{"a"}, []any{"a", "b"}, []conversion.Loss{
			{Kind: conversion.Added, Path: "spec[1]", After: "b"},
		}},
		"another kind of value": {
			object{"a": object{}, "b": []any{}}, object{"a": []any{}, "b": object{}},
			[]conversion.Loss{
				{Kind: conversion.Changed, Path: "spec.a", Before: object{}, After: []any{}},
				{Kind: conversion.Changed, Path: "spec.b", Before: []any{}, After: object{}},
			}},
	} {
		functions := replaced(t, version("g.io/v2", "there"), version("g.io/v1", c.after))
		trip, err := conversion.RoundTrip(t.Context(), functions, version("g.io/v1", c.before),
			"g.io/v2", nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, trip.Losses); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The error of a round trip names its direction.
func TestRoundTripErrors(t *testing.T) {
	object := map[string]any{"apiVersion": "g.io/v1", "kind": "K"}
	other := map[string]any{"apiVersion": "g.io/v2", "kind": "K"}
	for want, there := range map[string]map[string]any{
		"converting from g.io/v1 to g.io/v2: ":      nil,
		"converting back from g.io/v2 to g.io/v1: ": other,
	} {
		_, err := conversion.RoundTrip(t.Context(), replaced(t, there, nil), object, "g.io/v2", nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Spokes that cannot be converted are refused, whichever function is missing.
func TestHubAndSpokeErrors(t *testing.T) {
	same := func(_ context.Context, o map[string]any) (map[string]any, error) { return o, nil }
	for want, spokes := range map[string][]conversion.Spoke{
		"no function converts from v1 to v2": {{APIVersion: "v1", FromHub: same}},
		"no function converts from v2 to v1": {{APIVersion: "v1", ToHub: same}},
		"a conversion from v2 to itself":     {{APIVersion: "v2", ToHub: same, FromHub: same}},
		"two functions convert from v1 to v2": {
			{APIVersion: "v1", ToHub: same, FromHub: same},
			{APIVersion: "v1", ToHub: same, FromHub: same},
		},
	} {
		if _, err := conversion.HubAndSpoke("v2", spokes...); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A loss is described in one line. The error of a function that returns nothing
// names its direction.
func TestLossTexts(t *testing.T) {
	for want, loss := range map[string]conversion.Loss{
		"spec.a: lost, was 1":          {Kind: conversion.Lost, Path: "spec.a", Before: 1},
		"spec.b: added, is 2":          {Kind: conversion.Added, Path: "spec.b", After: 2},
		"spec.c: changed from 3 to x4": {Kind: conversion.Changed, Path: "spec.c", Before: 3, After: "x4"},
	} {
		if got := loss.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	none := func(context.Context, map[string]any) (map[string]any, error) { return nil, nil }
	f, err := conversion.Pairwise(conversion.Route{From: "v1", To: "v2", Convert: none})
	if err != nil {
		t.Fatal(err)
	}
	const want = "the conversion from v1 to v2 returned no object"
	_, err = f.Convert(t.Context(), map[string]any{"apiVersion": "v1"}, "v2")
	if errorText(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
