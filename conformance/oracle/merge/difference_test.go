package merge_test

import (
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"

	"github.com/crdsem/crdsem/merge"
)

// pairs is a CRD with a list of two keys.
func pairs() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "pairs.g.io"
	crd.Spec.Group = "g.io"
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: "Pair", ListKind: "PairList", Plural: "pairs", Singular: "pair"}
	item := &apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"a", "b"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"a": {Type: "string"}, "b": {Type: "string"}, "v": {Type: "string"}}}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{"list": {Type: "array", XListType: ptr.To("map"), XListMapKeys: []string{"a", "b"},
				Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: item}}}}}}}
	return crd
}

// TestItemsThatOmitSomeKeys holds the one known difference between the server's structured-merge-diff, version 6, and ours, version 4: an item that omits some of its
// keys. If this test fails, the difference is gone, and the documentation of package merge has to say so.
func TestItemsThatOmitSomeKeys(t *testing.T) {
	w := newWorld(t, pairs())
	s := step{version: w.crd.Spec.Versions[0], apply: true, manager: "m", object: map[string]any{"apiVersion": "g.io/v1", "kind": "Pair",
		"metadata": map[string]any{"name": "n"}, "list": []any{map[string]any{"a": "x", "v": "1"}}}}
	if _, err := w.runReal(t, nil, s); err != nil {
		t.Errorf("the server takes the keys that are there: %v", err)
	}
	if _, err := w.runOurs(nil, s); err == nil || !strings.Contains(err.Error(), `omits key field "b"`) {
		t.Errorf("we refuse the item: %v", err)
	}
	s.object["list"] = []any{map[string]any{"v": "1"}}
	_, want := w.runReal(t, nil, s)
	_, got := w.runOurs(nil, s)
	if want == nil || got == nil || want.Error() != got.Error() {
		t.Errorf("an item without any key: %v, want %v", got, want)
	}
}

// benchCRD is a CRD of some size.
func benchCRD(b *testing.B) *apiextensionsv1.CustomResourceDefinition {
	b.Helper()
	for _, crd := range crds(b) {
		if crd.Name == "certificates.cert-manager.io" {
			return crd
		}
	}
	b.Skip("the corpus has no certificates")
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
		return map[string]any{"apiVersion": "cert-manager.io/v1", "kind": "Certificate", "metadata": map[string]any{"name": name, "namespace": "ns", "labels": map[string]any{"a": "b"}},
			"spec": map[string]any{"secretName": "s", "dnsNames": dns, "issuerRef": map[string]any{"name": "i", "kind": "Issuer"}, "privateKey": map[string]any{"size": int64(2048)}}}
	}
	s := step{version: w.crd.Spec.Versions[0], apply: true, manager: "m", object: object("c", "a.example.com", "b.example.com")}
	live, err := w.ours.Apply(nil, s.object, merge.Request{APIVersion: "cert-manager.io/v1", Manager: "m"})
	if err != nil {
		b.Fatal(err)
	}
	s.object = object("c", "a.example.com", "c.example.com")
	b.Run("crdsem", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.ours.Apply(live, s.object, merge.Request{APIVersion: "cert-manager.io/v1", Manager: "m"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kubernetes", func(b *testing.B) {
		m := w.manager(b, s.version, "")
		for b.Loop() {
			_, err := m.Apply(&unstructured.Unstructured{Object: cloneMap(live)}, &unstructured.Unstructured{Object: cloneMap(s.object)}, "m", false)
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	w := newWorld(b, benchCRD(b))
	old := map[string]any{"apiVersion": "cert-manager.io/v1", "kind": "Certificate", "metadata": map[string]any{"name": "c"},
		"spec": map[string]any{"secretName": "s", "dnsNames": []any{"a"}, "issuerRef": map[string]any{"name": "i"}}}
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
