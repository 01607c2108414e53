package fake_test

import (
	"slices"
	"strings"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// widgets has two versions with a status, and a scale whose replicas no schema
// has.
const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - &v
    name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object}
          status: {type: object, properties: {replicas: {type: integer}, count: {type: number}}}
  - {<<: *v, name: v2, storage: false}
`

func widgetClient(t *testing.T) client.Client {
	t.Helper()
	def, err := kube.Parse([]byte(widgets))
	must(t, err)
	server, err := fake.NewServer(def)
	must(t, err)
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := server.Client(base, nil)
	must(t, err)
	return c
}

// Of two definitions of a kind the later one counts, as on a server to which
// both are applied.
func TestDuplicateDefinitions(t *testing.T) {
	first, err := kube.Parse([]byte(strings.Replace(widgets, "name: v2", "name: v3", 1)))
	must(t, err)
	second, err := kube.Parse([]byte(widgets))
	must(t, err)
	server, err := fake.NewServer(first, second)
	must(t, err)
	var served []string
	for _, kind := range server.Served() {
		served = append(served, kind.Version)
	}
	if !slices.Contains(served, "v2") || slices.Contains(served, "v3") {
		t.Errorf("served: %v", served)
	}
}

func widget(version string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/" + version, "kind": "Widget",
		"metadata": map[string]any{"name": "one", "namespace": "default"},
	}}
}

// An update without a status takes it from managers of other versions, not from
// those of its own. The status itself stays.
func TestStatusManagersOfOtherVersions(t *testing.T) {
	for _, test := range []struct {
		version  string
		managers int
	}{{"v1", 2}, {"v2", 1}} {
		c, ctx := widgetClient(t), t.Context()
		w := widget("v1")
		w.SetLabels(map[string]string{"a": "b"})
		must(t, c.Create(ctx, w))
		w.Object["status"] = map[string]any{"replicas": int64(2)}
		must(t, c.Status().Update(ctx, w))
		if n := len(w.GetManagedFields()); n != 2 {
			t.Errorf("%s: %d managers after an update of the status", test.version, n)
		}
		delete(w.Object, "status")
		w.SetAPIVersion("example.com/" + test.version)
		must(t, c.Update(ctx, w))
		if n := len(w.GetManagedFields()); n != test.managers || w.Object["status"] == nil {
			t.Errorf("%s: %d managers, status %v", test.version, n, w.Object["status"])
		}
	}
}

// A scale can be written though the schema does not have its replicas. They are
// not stored.
func TestScaleWithoutReplicas(t *testing.T) {
	c, ctx := widgetClient(t), t.Context()
	w := widget("v1")
	must(t, c.Create(ctx, w))
	w.Object["status"] = map[string]any{"replicas": int64(2)}
	must(t, c.Status().Update(ctx, w))
	scale := &autoscalingv1.Scale{}
	if err := c.SubResource("scale").Get(ctx, w, scale); err == nil {
		t.Error("there is a scale without replicas")
	}
	scale.Name, scale.Namespace, scale.Spec.Replicas = "one", "default", 5
	must(t, c.SubResource("scale").Update(ctx, w, client.WithSubResourceBody(scale)))
	if scale.Status.Replicas != 2 {
		t.Errorf("got %+v", scale)
	}
	must(t, c.Get(ctx, key("one"), w))
	if spec, _ := w.Object["spec"].(map[string]any); spec == nil || len(spec) != 0 {
		t.Errorf("the spec is %v", w.Object["spec"])
	}
}

// A -0 is stored as such, and read as 0. To write 0 then is a change.
func TestNegativeZero(t *testing.T) {
	c, ctx := widgetClient(t), t.Context()
	w := widget("v1")
	must(t, c.Create(ctx, w))
	for _, test := range []struct {
		count   string
		changes bool
	}{{"-0.0", true}, {"0", true}, {"0", false}} {
		before := w.GetResourceVersion()
		patch := client.RawPatch(types.MergePatchType, []byte(`{"status":{"count":`+test.count+`}}`))
		must(t, c.Status().Patch(ctx, w, patch))
		if changes := w.GetResourceVersion() != before; changes != test.changes {
			t.Errorf("%s: is a change: %v", test.count, changes)
		}
	}
}

// An apply that creates is refused for another name than that of the URL before
// its resourceVersion is looked at.
func TestApplyLooksAtTheNameFirst(t *testing.T) {
	c, ctx := widgetClient(t), t.Context()
	patch := client.RawPatch(types.ApplyPatchType, []byte(`{"apiVersion": "example.com/v1",
		"kind": "Widget", "metadata": {"name": "other", "resourceVersion": "text"}}`))
	err := c.Patch(ctx, widget("v1"), patch, client.FieldOwner("first"))
	if !apierrors.IsBadRequest(err) {
		t.Errorf("another name: got %v", err)
	}
	patch = client.RawPatch(types.ApplyPatchType, []byte(`{"apiVersion": "example.com/v1",
		"kind": "Widget", "metadata": {"name": "one", "resourceVersion": "text"}}`))
	if err := c.Patch(ctx, widget("v1"), patch, client.FieldOwner("first")); err == nil ||
		apierrors.IsBadRequest(err) {
		t.Errorf("no number: got %v", err)
	}
}
