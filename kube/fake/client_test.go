package fake_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// must fails the test for an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func key(name string) client.ObjectKey {
	return client.ObjectKey{Namespace: "default", Name: name}
}

// A create fills in defaults and what only the server sets, prunes unknown
// fields, and drops the status.
func TestCreate(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	p := pool("one")
	p.Spec.Unknown, p.Status.Replicas = "x", 3
	must(t, c.Create(ctx, p))
	if p.Spec.Class != "standard" || p.Spec.MaxReplicas != 10 || p.Spec.Unknown != "" ||
		p.Status.Replicas != 0 || p.UID == "" || p.ResourceVersion == "" || p.Generation != 1 ||
		p.CreationTimestamp.IsZero() || len(p.ManagedFields) != 1 {
		t.Errorf("got %+v", p)
	}
	if err := c.Create(ctx, pool("one")); !apierrors.IsAlreadyExists(err) {
		t.Errorf("got %v", err)
	}
	p = pool("two")
	p.Spec.Replicas = 11
	err := c.Create(ctx, p)
	if !apierrors.IsInvalid(err) ||
		!strings.Contains(err.Error(), "replicas must be between 1 and 10") {
		t.Errorf("got %v", err)
	}
	if err := c.Get(ctx, key("two"), p); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
	generated := pool("")
	generated.GenerateName = "made-"
	must(t, c.Create(ctx, generated))
	if !strings.HasPrefix(generated.Name, "made-") || len(generated.Name) != 10 {
		t.Errorf("name %q", generated.Name)
	}
	strict := pool("strict")
	strict.Spec.Unknown = "x"
	err = c.Create(ctx, strict, client.FieldValidation("Strict"))
	if !apierrors.IsBadRequest(err) {
		t.Errorf("got %v", err)
	}
	must(t, c.Create(ctx, pool("dry"), client.DryRunAll))
	if err := c.Get(ctx, key("dry"), p); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

// The store refuses a new object with a revision, after validation. Texts that
// are no revision and dry runs are let through. An apply refuses such texts,
// before validation, and no revision.
func TestCreateWithRevision(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	must(t, c.Create(ctx, pool("taken")))
	for name, revision := range map[string]string{"new": "5", "taken": "05"} {
		p := pool(name)
		p.ResourceVersion = revision
		err := c.Create(ctx, p)
		refused, _ := errors.AsType[*apierrors.StatusError](err)
		const want = "resourceVersion should not be set on objects to be created"
		if refused == nil || refused.ErrStatus.Code != 500 || refused.ErrStatus.Reason != "" ||
			refused.ErrStatus.Message != want {
			t.Errorf("%s: got %v", name, err)
		}
		p.Spec.Replicas = 11
		if err := c.Create(ctx, p); !apierrors.IsInvalid(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	p := pool("new")
	p.ResourceVersion = "5"
	must(t, c.Create(ctx, p, client.DryRunAll))
	if p.ResourceVersion != "5" {
		t.Errorf("a dry run answers resourceVersion %q", p.ResourceVersion)
	}
	for i, revision := range []string{"0", "text", "-1", "18446744073709551616"} {
		p := pool("new-" + strconv.Itoa(i))
		p.ResourceVersion = revision
		must(t, c.Create(ctx, p))
		if p.ResourceVersion == revision {
			t.Errorf("resourceVersion %q is stored", revision)
		}
	}
	applied := config("applied", 3)
	applied.SetResourceVersion("5")
	must(t, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
		client.FieldOwner("one")))
	if applied.GetResourceVersion() == "5" {
		t.Error("the resourceVersion of an apply is stored")
	}
	applied = config("text", 11)
	applied.SetResourceVersion("text")
	err := c.Apply(ctx, client.ApplyConfigurationFromUnstructured(applied),
		client.FieldOwner("one"))
	if err == nil || err.Error() != `strconv.ParseUint: parsing "text": invalid syntax` {
		t.Errorf("got %v", err)
	}
}

// An update counts generation and resourceVersion, keeps the status, runs
// transition rules and finds conflicts.
func TestUpdate(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	p := pool("one")
	must(t, c.Create(ctx, p))
	stale := p.DeepCopyObject().(*Pool)
	before := p.ResourceVersion
	must(t, c.Update(ctx, p))
	if p.ResourceVersion != before {
		t.Error("an update without a change was stored")
	}
	p.Spec.Replicas, p.Status.Replicas = 4, 4
	must(t, c.Update(ctx, p))
	if p.Generation != 2 || p.ResourceVersion == before || p.Status.Replicas != 0 {
		t.Errorf("got %+v", p)
	}
	if err := c.Update(ctx, stale); !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
	p.Status.Replicas = 4
	must(t, c.Status().Update(ctx, p))
	if p.Generation != 2 || p.Status.Replicas != 4 {
		t.Errorf("got %+v", p)
	}
	p.Spec.Class = "other"
	if err := c.Update(ctx, p); !apierrors.IsInvalid(err) ||
		!strings.Contains(err.Error(), "the class of a pool cannot be changed") {
		t.Errorf("got %v", err)
	}
	if err := c.Update(ctx, pool("none")); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
}

// Patches of every type reach the server.
func TestPatch(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	p := pool("one")
	must(t, c.Create(ctx, p))
	from := p.DeepCopyObject().(*Pool)
	p.Spec.Replicas = 5
	must(t, c.Patch(ctx, p, client.MergeFrom(from)))
	locked := client.MergeFromWithOptions(from, client.MergeFromWithOptimisticLock{})
	if err := c.Patch(ctx, p.DeepCopyObject().(*Pool), locked); !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
	operations := client.RawPatch(types.JSONPatchType,
		[]byte(`[{"op":"replace","path":"/spec/replicas","value":6}]`))
	must(t, c.Patch(ctx, p, operations))
	if p.Spec.Replicas != 6 || p.Generation != 3 {
		t.Errorf("got %+v", p)
	}
	status := client.RawPatch(types.MergePatchType, []byte(`{"status":{"replicas":6}}`))
	must(t, c.Status().Patch(ctx, p, status))
	if p.Status.Replicas != 6 {
		t.Errorf("got %+v", p)
	}
	strategic := client.RawPatch(types.StrategicMergePatchType, []byte(`{}`))
	if err := c.Patch(ctx, p, strategic); !apierrors.IsUnsupportedMediaType(err) {
		t.Errorf("got %v", err)
	}
}

// config returns an apply configuration of a pool.
func config(name string, replicas int64) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"replicas": replicas},
	}}
	u.SetAPIVersion("example.com/v1")
	u.SetKind("Pool")
	u.SetName(name)
	u.SetNamespace("default")
	return u
}

// A server-side apply creates and changes objects, and has conflicts.
func TestApply(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	first := client.ApplyConfigurationFromUnstructured(config("one", 3))
	must(t, c.Apply(ctx, first, client.FieldOwner("first")))
	second := config("one", 4)
	apply := client.ApplyConfigurationFromUnstructured(second)
	err := c.Apply(ctx, apply, client.FieldOwner("second"))
	if !apierrors.IsConflict(err) ||
		!apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) {
		t.Errorf("got %v", err)
	}
	must(t, c.Apply(ctx, apply, client.FieldOwner("second"), client.ForceOwnership))
	var p Pool
	must(t, c.Get(ctx, key("one"), &p))
	if p.Spec.Replicas != 4 || p.Spec.Class != "standard" || p.Generation != 2 ||
		len(p.ManagedFields) != 1 || p.ManagedFields[0].Manager != "second" {
		t.Errorf("got %+v", p)
	}
}

// An object with finalizers stays until the last one is gone.
func TestDelete(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	p := pool("one")
	p.Finalizers = []string{"example.com/one"}
	must(t, c.Create(ctx, p))
	must(t, c.Delete(ctx, p))
	must(t, c.Get(ctx, key("one"), p))
	if p.DeletionTimestamp.IsZero() || *p.DeletionGracePeriodSeconds != 0 || p.Generation != 2 {
		t.Errorf("got %+v", p)
	}
	p.Finalizers = append(p.Finalizers, "example.com/two")
	if err := c.Update(ctx, p); !apierrors.IsInvalid(err) {
		t.Errorf("got %v", err)
	}
	p.Finalizers = nil
	must(t, c.Update(ctx, p))
	if err := c.Get(ctx, key("one"), p); !apierrors.IsNotFound(err) {
		t.Errorf("got %v", err)
	}
	for _, name := range []string{"a", "b"} {
		p := pool(name)
		p.Labels = map[string]string{"app": name}
		must(t, c.Create(ctx, p))
	}
	must(t, c.DeleteAllOf(ctx, &Pool{}, client.InNamespace("default"),
		client.MatchingLabels{"app": "a"}))
	var list PoolList
	must(t, c.List(ctx, &list))
	if len(list.Items) != 1 || list.Items[0].Name != "b" {
		t.Errorf("got %+v", list.Items)
	}
	err := c.Delete(ctx, pool("b"), client.Preconditions{UID: new(types.UID("other"))})
	if !apierrors.IsConflict(err) {
		t.Errorf("got %v", err)
	}
}

// Lists select, and come in pages. Unknown fields cannot be selected.
func TestList(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	for _, name := range []string{"c", "a", "b"} {
		must(t, c.Create(ctx, pool(name)))
	}
	var list PoolList
	must(t, c.List(ctx, &list, client.Limit(2)))
	if len(list.Items) != 2 || list.Items[0].Name != "a" || *list.RemainingItemCount != 1 {
		t.Errorf("got %+v", list)
	}
	must(t, c.List(ctx, &list, client.Limit(2), client.Continue(list.Continue)))
	if len(list.Items) != 1 || list.Items[0].Name != "c" || list.Continue != "" {
		t.Errorf("got %+v", list)
	}
	must(t, c.List(ctx, &list, client.MatchingFields{"metadata.name": "b"}))
	if len(list.Items) != 1 {
		t.Errorf("got %+v", list.Items)
	}
	err := c.List(ctx, &list, client.MatchingFields{"spec.class": "standard"})
	if !apierrors.IsBadRequest(err) {
		t.Errorf("got %v", err)
	}
	old := &unstructured.UnstructuredList{}
	old.SetAPIVersion("example.com/v1beta1")
	old.SetKind("PoolList")
	must(t, c.List(ctx, old))
	if len(old.Items) != 3 || old.Items[0].GetAPIVersion() != "example.com/v1beta1" {
		t.Errorf("got %v", old.Items)
	}
	partial := &metav1.PartialObjectMetadataList{}
	partial.SetGroupVersionKind(list.GroupVersionKind())
	partial.APIVersion, partial.Kind = "example.com/v1", "PoolList"
	must(t, c.List(ctx, partial))
	if len(partial.Items) != 3 || partial.Items[0].Name != "a" {
		t.Errorf("got %+v", partial)
	}
}

// The scale changes the replicas.
func TestScale(t *testing.T) {
	c, ctx := poolClient(t), t.Context()
	p := pool("one")
	must(t, c.Create(ctx, p))
	var scale autoscalingv1.Scale
	must(t, c.SubResource("scale").Get(ctx, p, &scale))
	if scale.Spec.Replicas != 3 || scale.UID != p.UID {
		t.Errorf("got %+v", scale)
	}
	scale.Spec.Replicas = 5
	must(t, c.SubResource("scale").Update(ctx, p, client.WithSubResourceBody(&scale)))
	must(t, c.Get(ctx, key("one"), p))
	if p.Spec.Replicas != 5 || p.Generation != 2 {
		t.Errorf("got %+v", p)
	}
	scale.ResourceVersion = ""
	scale.Spec.Replicas = 50
	err := c.SubResource("scale").Update(ctx, p, client.WithSubResourceBody(&scale))
	if !apierrors.IsInvalid(err) {
		t.Errorf("got %v", err)
	}
}

// A watch sees every write.
func TestWatch(t *testing.T) {
	c := poolClient(t)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	must(t, c.Create(ctx, pool("one")))
	w, err := c.Watch(ctx, &PoolList{})
	must(t, err)
	defer w.Stop()
	go func() {
		p := pool("one")
		patch := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"replicas":4}}`))
		_ = c.Patch(ctx, p, patch) // without it the test has too few events
		_ = c.Delete(ctx, p)
	}()
	for _, want := range []watch.EventType{watch.Added, watch.Modified, watch.Deleted} {
		got, ok := <-w.ResultChan()
		if !ok || got.Type != want {
			t.Fatalf("got %v, want %s", got, want)
		}
		if p, ok := got.Object.(*Pool); !ok || p.Name != "one" {
			t.Errorf("got %v", got.Object)
		}
	}
}

// Objects of the base client move to the server. Other kinds stay there.
func TestBase(t *testing.T) {
	stored := pool("one")
	stored.Spec.Replicas, stored.Status.Replicas = 99, 7 // from before the rule
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "c"}}
	c, ctx := poolClient(t, stored, config), t.Context()
	var p Pool
	must(t, c.Get(ctx, key("one"), &p))
	if p.Status.Replicas != 7 || p.Spec.Class != "standard" || p.UID == "" {
		t.Errorf("got %+v", p)
	}
	p.Labels = map[string]string{"a": "b"}
	must(t, c.Update(ctx, &p)) // ratcheting: what did not change need not be valid
	must(t, c.Get(ctx, key("c"), config))
	config.Data = map[string]string{"a": "b"}
	must(t, c.Update(ctx, config))
	must(t, c.List(ctx, &corev1.ConfigMapList{}))
	mapping, err := c.RESTMapper().RESTMapping(
		(&PoolList{}).GroupVersionKind().GroupKind())
	if err == nil {
		t.Errorf("an empty kind is mapped to %v", mapping)
	}
	namespaced, err := apiutil.IsObjectNamespaced(&p, c.Scheme(), c.RESTMapper())
	if err != nil || !namespaced {
		t.Errorf("got %v, %v", namespaced, err)
	}
	if namespaced, err = c.IsObjectNamespaced(&p); err != nil || !namespaced {
		t.Errorf("got %v, %v", namespaced, err)
	}
}

// warnings collects the warnings of answers.
type warnings []string

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (w *warnings) HandleWarningHeaderWithContext(
	_ context.Context, _ int, _ string, text string,
) {
	*w = append(*w, text)
}

// Warnings reach the handler.
func TestWarnings(t *testing.T) {
	var got warnings
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, &got)
	must(t, err)
	p := pool("one")
	p.Spec.Unknown = "x"
	must(t, c.Create(t.Context(), p))
	if len(got) != 1 || got[0] != `unknown field "spec.unknown"` {
		t.Errorf("got %q", got)
	}
}
