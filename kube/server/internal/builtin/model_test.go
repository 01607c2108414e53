package builtin_test

import (
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crdsem/crdsem/internal/test/testschema"
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

// A configuration is merged by the types of a kind. What is atomic, and what
// does not fit, is refused with the server's texts.
func TestMerge(t *testing.T) {
	const live = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":` +
		`{"replicas":1,"template":{"spec":{"containers":[{"name":"a","image":"i"}]}}}}`
	of := func(spec string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment",` + spec + `}`
	}
	containers := func(list string) string {
		return of(`"spec":{"template":{"spec":{"containers":[` + list + `]}}}`)
	}
	const atomic = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: "
	typing := model(t, "deployments").Typing()
	for _, test := range []struct{ object, config, want string }{
		{live, of(`"spec":{"replicas":2,"paused":true}`), strings.Replace(live, `"replicas":1`,
			`"paused":true,"replicas":2`, 1)},
		{live, containers(`{"name":"a","image":"j"}`), strings.Replace(live, `"i"`, `"j"`, 1)},
		{live, containers(`{"name":"b","image":"j"}`), strings.Replace(live, `}]`,
			`},{"name":"b","image":"j"}]`, 1)},
		{live, of(`"metadata":{"labels":{"a":"b"}}`), strings.Replace(live, `"name":"a"}`,
			`"name":"a","labels":{"a":"b"}}`, 1)},
		{live, of(`"spec":{"selector":{"matchLabels":{"a":"b"}}}`), atomic + ".spec.selector"},
		{live, containers(`{"name":"b"},{"name":"a","args":["a"]}`),
			atomic + ".spec.template.spec.containers[1].args"},
		{live, of(`"spec":{"replicas":"a"}`), "failed to convert patch object to typed object: "},
		{live, containers(`{"name":"a"},{"name":"a"}`),
			"failed to convert patch object to typed object: "},
		{strings.Replace(live, `}]`, `},{"name":"a"}]`, 1), containers(`{"name":"a"}`),
			strings.Replace(live, `,"image":"i"`, "", 1)},
		{of(`"spec":{"replicas":"a"}`), of(`"spec":{"replicas":2}`),
			"failed to convert original object to typed object: "},
	} {
		object, config := testschema.Object(t, test.object), testschema.Object(t, test.config)
		before := []map[string]any{runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(config)}
		got, err := typing.Merge(object, config)
		if err != nil {
			if !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("%s: %v, want %s", test.config, err, test.want)
			}
		} else if want := testschema.Object(t, test.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", test.config, got, want)
		}
		if !reflect.DeepEqual(before, []map[string]any{object, config}) {
			t.Errorf("%s is changed: %v, %v", test.config, object, config)
		}
	}
}
