package builtin_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

func model(t *testing.T, plural string) *builtin.Model {
	t.Helper()
	for _, r := range builtin.Resources() {
		if r.Plural == plural {
			return builtin.NewModel(r, r.Versions[0])
		}
	}
	t.Fatalf("no %s", plural)
	return nil
}

// Lists are merged by the keys of the Go types: two managers own a container
// each.
func TestApplyByTypes(t *testing.T) {
	m := model(t, "pods")
	config := func(container string) map[string]any {
		return map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"name": "a", "namespace": "default"},
			"spec": map[string]any{"containers": []any{
				map[string]any{"name": container, "image": "i"},
			}},
		}
	}
	first, err := m.Apply(nil, config("a"), builtin.Manager{Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := m.Apply(first, config("b"), builtin.Manager{Name: "two"})
	if err != nil {
		t.Fatal(err)
	}
	containers, _, _ := unstructured.NestedSlice(second, "spec", "containers")
	if u := (unstructured.Unstructured{Object: second}); len(containers) != 2 ||
		len(u.GetManagedFields()) != 2 {
		t.Errorf("%v", second)
	}
}

// The fields of an update belong to its manager.
func TestTrack(t *testing.T) {
	for _, plural := range []string{"configmaps", "customresourcedefinitions", "apiservices"} {
		m := model(t, plural)
		out, err := m.Track(nil, map[string]any{
			"apiVersion": m.Kind.GroupVersion().String(), "kind": m.Kind.Kind,
			"metadata": map[string]any{"name": "a", "labels": map[string]any{"a": "b"}},
		}, builtin.Manager{Name: "one"})
		if err != nil {
			t.Fatal(err)
		}
		if u := (unstructured.Unstructured{Object: out}); len(u.GetManagedFields()) != 1 {
			t.Errorf("%s: %v", plural, out)
		}
	}
}

// Every line of the table of defaults has a value.
func TestDefaults(t *testing.T) {
	deployments := model(t, "deployments")
	object := map[string]any{"spec": map[string]any{"template": map[string]any{
		"spec": map[string]any{"containers": []any{map[string]any{"name": "a"}}},
	}}}
	deployments.Default(object)
	for path, want := range map[string]any{
		"replicas": int64(1), "progressDeadlineSeconds": int64(600),
	} {
		if got, _, _ := unstructured.NestedFieldNoCopy(object, "spec", path); got != want {
			t.Errorf("%s is %v", path, got)
		}
	}
	containers, _, _ := unstructured.NestedSlice(object, "spec", "template", "spec", "containers")
	first, _ := containers[0].(map[string]any)
	if first["imagePullPolicy"] != "IfNotPresent" {
		t.Errorf("%v", object)
	}
	if errs := deployments.Validate(object, nil); len(errs) != 3 {
		t.Errorf("%v", errs) // metadata.name, metadata.namespace, spec.selector
	}
}
