package definition_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
)

// TestConversionVectors validates CRDs that differ in spec.conversion only (CONV-050 to CONV-056).
func TestConversionVectors(t *testing.T) {
	file, err := os.Open("../conformance/vectors/stages/conversion.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v struct {
			ID, Kind   string
			Conversion map[string]any
			Errors     []string
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		integers(v.Conversion)
		if v.Kind != "crdValidation" {
			continue
		}
		count++
		var got []string
		for _, e := range validateConversion(t, v.ID, v.Conversion).Errors {
			got = append(got, e.Error())
		}
		slices.Sort(got)
		slices.Sort(v.Errors)
		if diff := cmp.Diff(v.Errors, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", v.ID, diff)
		}
	}
	if count != 33 {
		t.Errorf("read %d vectors, want 33", count)
	}
}

// validateConversion validates a create, or the update that the vector's name tells of.
func validateConversion(t *testing.T, id string, conversion map[string]any) definition.Result {
	t.Helper()
	established, isUpdate := map[string]string{"crd-update-bad-cabundle-established-true": "True", "crd-update-bad-cabundle-established-false": "False"}[id]
	if !isUpdate {
		return definition.Validate(decodeCRD(t, crdWithConversion(conversion)).ForCreate())
	}
	old, updated := crdWithConversion(map[string]any{"strategy": "None"}), crdWithConversion(conversion)
	for _, crd := range []map[string]any{old, updated} {
		crd["metadata"].(map[string]any)["resourceVersion"] = "1"
		crd["status"] = map[string]any{"storedVersions": []any{"v1"}, "conditions": []any{map[string]any{"type": "Established", "status": established}}}
	}
	oldCRD := decodeCRD(t, old)
	return definition.ValidateUpdate(decodeCRD(t, updated).ForUpdate(oldCRD), oldCRD)
}

func decodeCRD(t *testing.T, document map[string]any) *definition.CRD {
	t.Helper()
	crd, _, err := definition.FromMap(document)
	if err != nil {
		t.Fatal(err)
	}
	return crd
}

// integers turns the numbers of a document, all whole here, into int64.
func integers(object map[string]any) {
	for key, value := range object {
		switch value := value.(type) {
		case float64:
			object[key] = int64(value)
		case map[string]any:
			integers(value)
		}
	}
}

func crdWithConversion(conversion map[string]any) map[string]any {
	schema := map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}
	return map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "foos.example.com"},
		"spec": map[string]any{"group": "example.com", "scope": "Namespaced", "conversion": conversion,
			"names":    map[string]any{"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": schema}}}}
}
