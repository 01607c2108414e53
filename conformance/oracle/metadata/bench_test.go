package metadata_test

import (
	"context"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"

	ours "github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// benchResource returns a resource as stored in the server, with an unknown
// field if requested.
func benchResource(unknown ...string) map[string]any {
	metadata := map[string]any{
		"name":              "web-0",
		"namespace":         "prod",
		"uid":               "u-1",
		"resourceVersion":   "12",
		"generation":        int64(3),
		"creationTimestamp": "2020-01-01T00:00:00Z",
		"labels": map[string]any{
			"app.example.com/name": "web",
			"tier":                 "",
		},
		"finalizers": []any{"example.com/cleanup"},
		"managedFields": []any{
			map[string]any{
				"manager":    "kubectl",
				"operation":  "Apply",
				"apiVersion": "g.io/v1",
				"time":       "2020-01-01T00:00:00Z",
				"fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{
					"f:spec": map[string]any{".": map[string]any{}, "f:n": map[string]any{}},
				},
			},
		},
	}
	for _, name := range unknown {
		metadata[name] = "x"
	}
	return map[string]any{"apiVersion": "g.io/v1", "kind": "K", "metadata": metadata}
}

func BenchmarkCoerce(b *testing.B) {
	for name, unknown := range map[string][]string{"normal": nil, "unknown": {"junk"}} {
		b.Run(name+"/crdsem", func(b *testing.B) {
			b.ReportAllocs()
			resource := benchResource(unknown...)
			metadata := resource["metadata"]
			for b.Loop() {
				resource["metadata"] = metadata
				if _, err := coerced(resource, ours.Strict); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/kubernetes", func(b *testing.B) {
			b.ReportAllocs()
			resource := benchResource(unknown...)
			metadata := resource["metadata"]
			for b.Loop() {
				resource["metadata"] = metadata
				err, _ := objectmeta.CoerceWithOptions(nil, resource, embeddedSchema, false,
					objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	resource := benchResource()
	b.Run("crdsem", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if errs := ours.ValidateEmbedded(resource, profile.Latest()); errs != nil {
				b.Fatal(errs)
			}
		}
	})
	b.Run("kubernetes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			errs := objectmeta.Validate(context.Background(), nil, resource, embeddedSchema, false)
			if len(errs) > 0 {
				b.Fatal(errs)
			}
		}
	})
}
