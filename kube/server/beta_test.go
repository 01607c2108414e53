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

// What a version says for itself stays, and what is of no definition is kept as
// it is.
func TestFromBetaByParts(t *testing.T) {
	const beta, v1 = "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1"
	type object = map[string]any
	versions := func(all ...any) object {
		return object{"preserveUnknownFields": true, "versions": append([]any{}, all...)}
	}
	for name, test := range map[string]struct{ given, want object }{
		"of v1":       {object{"apiVersion": v1, "spec": object{"version": "a"}}, nil},
		"of none":     {object{"spec": object{"version": "a"}}, nil},
		"no spec":     {object{"apiVersion": beta, "spec": "a"}, nil},
		"empty":       {object{"apiVersion": beta, "spec": object{}}, versions()},
		"odd version": {object{"apiVersion": beta, "spec": object{"version": 7}}, versions()},
		"one version": {object{"apiVersion": beta, "spec": object{"version": "a"}},
			versions(object{"name": "a", "served": true, "storage": true})},
		"its versions": {object{"apiVersion": beta, "spec": object{
			"version": "a", "versions": []any{object{"name": "b"}, "text"},
		}}, versions(object{"name": "b"}, "text")},
		"of its own": {object{"apiVersion": beta, "spec": object{
			"preserveUnknownFields": false, "validation": "all", "subresources": "all",
			"additionalPrinterColumns": []any{"all"}, "versions": []any{
				object{"schema": "own", "subresources": "own", "additionalPrinterColumns": []any{"own"}},
				object{},
			},
		}}, object{"preserveUnknownFields": false, "versions": []any{
			object{"schema": "own", "subresources": "own", "additionalPrinterColumns": []any{"own"}},
			object{"schema": "all", "subresources": "all", "additionalPrinterColumns": []any{"all"}},
		}}},
		"no webhook": {object{"apiVersion": beta, "spec": object{
			"conversion": object{"strategy": "None", "conversionReviewVersions": []any{"v1"}},
		}}, object{"preserveUnknownFields": true, "versions": []any{},
			"conversion": object{"strategy": "None"}}},
		"a webhook": {object{"apiVersion": beta, "spec": object{"conversion": object{
			"strategy": "Webhook", "webhookClientConfig": "c", "conversionReviewVersions": []any{"v1"},
		}}}, object{"preserveUnknownFields": true, "versions": []any{}, "conversion": object{
			"strategy": "Webhook",
			"webhook":  object{"clientConfig": "c", "conversionReviewVersions": []any{"v1"}},
		}}},
	} {
		want := object{"apiVersion": v1, "spec": test.want}
		if test.want == nil {
			want = test.given
		}
		if diff := cmp.Diff(want, fromBeta(test.given)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
