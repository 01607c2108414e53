package merge_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crdsem/crdsem/merge"
)

// benchCRD returns a CRD of realistic size.
func benchCRD(b *testing.B) *apiextensionsv1.CustomResourceDefinition {
	b.Helper()
	for _, crd := range crds(b) {
		if crd.Name == "certificates.cert-manager.io" {
			return crd
		}
	}
	b.Fatal("the corpus has no certificates")
	return nil
}

func BenchmarkSchema(b *testing.B) {
	crd := benchCRD(b)
	b.Run("crdsem", func(b *testing.B) {
		s, published := ourSchema(b, crd.Spec.Versions[0])
		if !published {
			b.Fatal("no schema")
		}
		for b.Loop() {
			merge.Compile(s)
		}
	})
	b.Run("kubernetes", func(b *testing.B) {
		all := models(b, crd)
		for b.Loop() {
			newConverter(b, all)
		}
	})
}

func BenchmarkApply(b *testing.B) {
	w := newWorld(b, benchCRD(b))
	object := func(name string, dns ...any) map[string]any {
		return map[string]any{
			"apiVersion": "cert-manager.io/v1",
			"kind":       "Certificate",
			"metadata": map[string]any{
				"name":      name,
				"namespace": "ns",
				"labels":    map[string]any{"a": "b"},
			},
			"spec": map[string]any{
				"secretName": "s",
				"dnsNames":   dns,
				"issuerRef":  map[string]any{"name": "i", "kind": "Issuer"},
				"privateKey": map[string]any{"size": int64(2048)},
			},
		}
	}
	s := step{
		version: w.crd.Spec.Versions[0],
		apply:   true,
		manager: "m",
		object:  object("c", "a.example.com", "b.example.com"),
	}
	live, err := w.ours.Apply(b.Context(), nil, s.object,
		merge.Request{APIVersion: "cert-manager.io/v1", Manager: "m"})
	if err != nil {
		b.Fatal(err)
	}
	s.object = object("c", "a.example.com", "c.example.com")
	b.Run("crdsem", func(b *testing.B) {
		for b.Loop() {
			_, err := w.ours.Apply(b.Context(), live, s.object,
				merge.Request{APIVersion: "cert-manager.io/v1", Manager: "m"})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kubernetes", func(b *testing.B) {
		m := w.manager(b, s.version, "")
		for b.Loop() {
			_, err := m.Apply(&unstructured.Unstructured{Object: cloneMap(live)},
				&unstructured.Unstructured{Object: cloneMap(s.object)}, "m", false)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	w := newWorld(b, benchCRD(b))
	old := map[string]any{
		"apiVersion": "cert-manager.io/v1",
		"kind":       "Certificate",
		"metadata":   map[string]any{"name": "c"},
		"spec": map[string]any{
			"secretName": "s",
			"dnsNames":   []any{"a"},
			"issuerRef":  map[string]any{"name": "i"},
		},
	}
	updated := cloneMap(old)
	updated["spec"].(map[string]any)["secretName"] = "t"
	b.Run("crdsem", func(b *testing.B) {
		typ := ourType(b, w.crd.Spec.Versions[0])
		for b.Loop() {
			if _, err := typ.Compare(old, updated); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kubernetes", func(b *testing.B) {
		for b.Loop() {
			x, err := w.convert.ObjectToTyped(&unstructured.Unstructured{Object: old})
			if err != nil {
				b.Fatal(err)
			}
			y, err := w.convert.ObjectToTyped(&unstructured.Unstructured{Object: updated})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := x.Compare(y); err != nil {
				b.Fatal(err)
			}
		}
	})
}
