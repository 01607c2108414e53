package server

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a definition of v1beta1 says for all versions is said for each, and the
// defaults of v1beta1 count. What is given is not changed, and may be anything.
func TestFromBeta(t *testing.T) {
	given := func() map[string]any {
		return map[string]any{
			"apiVersion": "apiextensions.k8s.io/v1beta1",
			"spec": map[string]any{
				"version": "v1", "versions": []any{
					map[string]any{"name": "v1", "served": true, "storage": true},
					map[string]any{"name": "v2", "served": true},
				},
				"additionalPrinterColumns": []any{
					map[string]any{"name": "Size", "type": "integer", "JSONPath": ".spec.size"},
				},
				"validation": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}},
				"conversion": map[string]any{
					"strategy": "Webhook", "webhookClientConfig": map[string]any{"url": "https://a"},
				},
			},
		}
	}
	version := func(fields map[string]any) map[string]any {
		fields["schema"] = map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}}
		fields["additionalPrinterColumns"] = []any{
			map[string]any{"name": "Size", "type": "integer", "jsonPath": ".spec.size"},
		}
		return fields
	}
	want := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"spec": map[string]any{
			"preserveUnknownFields": true,
			"versions": []any{
				version(map[string]any{"name": "v1", "served": true, "storage": true}),
				version(map[string]any{"name": "v2", "served": true}),
			},
			"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
				"clientConfig":             map[string]any{"url": "https://a"},
				"conversionReviewVersions": []any{"v1beta1"},
			}},
		},
	}
	beta := given()
	if diff := cmp.Diff(want, fromBeta(beta)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(given(), beta); diff != "" {
		t.Errorf("the argument is changed: %s", diff)
	}
	fromBeta(map[string]any{"apiVersion": beta["apiVersion"], "spec": map[string]any{
		"versions": []any{nil, map[string]any{"additionalPrinterColumns": []any{nil}}},
	}})
}
