package conversion_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/conversion"
	"github.com/crdsem/crdsem/internal/test/vectors"
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

// Objects and lists are converted as in the cases, by a webhook that gives the
// answer of the case (CONV-001 to CONV-032).
func TestConversionCases(t *testing.T) {
	type input struct {
		Strategy conversion.Strategy `json:"strategy"`
		Group    string              `json:"group"`
		Versions []string            `json:"versions"`
		Reviews  []string            `json:"conversionReviewVersions"`
		Object   map[string]any      `json:"object"`
		To       string              `json:"to"`
		Response struct {
			Status int    `json:"status"`
			Body   string `json:"body"`
		} `json:"response"`
	}
	type answer struct {
		Object  map[string]any    `json:"object"`
		Error   string            `json:"error"`
		Request map[string]any    `json:"request"`
		Headers map[string]string `json:"headers"`
	}
	ran := 0
	for _, c := range vectors.Cases[input, answer](t, "webhookConversion") {
		if r := c.Input.Response; r.Status > 200 || c.ID == "webhook-empty-body" {
			continue // failed calls are the subject of package webhook
		}
		var got answer
		hook := func(_ context.Context, review []byte) ([]byte, error) {
			if err := json.Unmarshal(review, &got.Request); err != nil {
				t.Fatal(err)
			}
			return []byte(c.Input.Response.Body), nil
		}
		converter, err := conversion.New(conversion.Spec{
			CRD: "foos." + c.Input.Group, Group: c.Input.Group, Versions: c.Input.Versions,
			Strategy: c.Input.Strategy, ReviewVersions: c.Input.Reviews,
			NewUID: func() string { return "$UID" },
		}, conversion.WebhookFunc(hook))
		if err == nil {
			convert := converter.Convert
			if _, isList := c.Input.Object["items"]; isList {
				convert = converter.ConvertList
			}
			got.Object, err = convert(t.Context(), c.Input.Object, c.Input.To)
		}
		ran++
		got.Error, got.Headers = errorText(err), c.Want.Headers
		got.Request, c.Want.Request = plain(t, got.Request), plain(t, c.Want.Request)
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", c.ID, c.Description, diff)
		}
	}
	if ran < 40 {
		t.Errorf("only %d cases ran", ran)
	}
}

// plain returns an object as encoding/json decodes it.
func plain(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	if object == nil {
		return nil
	}
	return cloned(t, object)
}
