package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The metadata of an embedded resource in a default is stored as the live
// server stores it (META-005). What is given is not changed.
func TestCoercedDefaults(t *testing.T) {
	given := func(metadata map[string]any) map[string]any {
		return map[string]any{"versions": []any{map[string]any{"schema": map[string]any{
			"openAPIV3Schema": map[string]any{"type": "object", "properties": map[string]any{
				"template": map[string]any{
					"type": "object", "x-kubernetes-embedded-resource": true,
					"x-kubernetes-preserve-unknown-fields": true,
					"default": map[string]any{
						"apiVersion": "v1", "kind": "Pod", "metadata": metadata,
					},
				},
			}},
		}}}}
	}
	unknown := map[string]any{"name": "a", "labels": map[string]any{}, "unknown": "dropped"}
	spec, same := given(unknown), given(unknown)
	got := withCoercedDefaults(spec)
	if diff := cmp.Diff(given(map[string]any{"name": "a"}), got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(same, spec); diff != "" {
		t.Errorf("the argument is changed: %s", diff)
	}
}
