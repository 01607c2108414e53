package fake_test

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// Requests about other kinds reach the client below, which keeps their objects.
func TestOtherKinds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).
		WithStatusSubresource(&corev1.Pod{}).Build()
	c, err := poolServer(t).Client(base, nil)
	must(t, err)
	w, err := c.Watch(ctx, &corev1.PodList{})
	must(t, err)
	defer w.Stop()
	pod := func(name string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	}
	p := pod("p")
	must(t, c.Create(ctx, p))
	if got, ok := <-w.ResultChan(); !ok || got.Type != watch.Added {
		t.Errorf("the watch sees %v", got)
	}
	p.Labels = map[string]string{"a": "b"}
	must(t, c.Update(ctx, p))
	node := []byte(`{"spec":{"nodeName":"n"}}`)
	must(t, c.Patch(ctx, p, client.RawPatch(types.MergePatchType, node)))
	p.Status.Phase = corev1.PodRunning
	must(t, c.Status().Update(ctx, p))
	must(t, c.Status().Patch(ctx, p,
		client.RawPatch(types.MergePatchType, []byte(`{"status":{"message":"m"}}`))))
	config := corev1apply.ConfigMap("c", "default").WithData(map[string]string{"a": "b"})
	must(t, c.Apply(ctx, config, client.FieldOwner("o")))
	var stored corev1.Pod
	must(t, base.Get(ctx, key("p"), &stored))
	if stored.Labels["a"] != "b" || stored.Spec.NodeName != "n" ||
		stored.Status.Phase != corev1.PodRunning || stored.Status.Message != "m" {
		t.Errorf("the client below has %+v", stored)
	}
	must(t, base.Get(ctx, key("c"), &corev1.ConfigMap{}))
	must(t, c.SubResource("eviction").Create(ctx, p, &policyv1.Eviction{}))
	if err := c.Get(ctx, key("p"), &stored); !apierrors.IsNotFound(err) {
		t.Errorf("an evicted pod: %v", err)
	}
	must(t, c.Create(ctx, pod("q")))
	must(t, c.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace("default")))
	must(t, c.Create(ctx, pod("r")))
	must(t, c.Delete(ctx, pod("r")))
	var left corev1.PodList
	must(t, base.List(ctx, &left))
	if len(left.Items) != 0 {
		t.Errorf("left are %v", left.Items)
	}
	if c.Unwrap() != base {
		t.Error("another client below")
	}
}

// All objects of the server's kinds move to it, and the client below does not
// change any more.
func TestAdopt(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).
		WithObjects(pool("a"), pool("b"), pool("c")).Build()
	c, err := poolServer(t).Client(base, nil)
	must(t, err)
	var list PoolList
	must(t, c.List(ctx, &list))
	if len(list.Items) != 3 || list.Items[2].Name != "c" {
		t.Errorf("the server has %+v", list.Items)
	}
	must(t, c.Delete(ctx, pool("a")))
	must(t, base.Get(ctx, key("a"), &Pool{}))
}

// An object that cannot be read is an error that names it: one that only a
// webhook converts, which is not there.
func TestAdoptUnreadable(t *testing.T) {
	const webhook = "  scope: Namespaced\n  conversion: {strategy: Webhook, webhook: " +
		"{conversionReviewVersions: [v1], clientConfig: {url: \"https://localhost/\"}}}\n"
	def, err := kube.Parse([]byte(strings.Replace(widgets, "  scope: Namespaced\n", webhook, 1)))
	must(t, err)
	server, err := fake.NewServer(def)
	must(t, err)
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).
		WithObjects(widget("v2")).Build()
	const want = "widgets.example.com default/one: "
	if _, err := server.Client(base, nil); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// wrapped is a client of another type than those of controller-runtime.
type wrapped struct {
	client.WithWatch
	indexes map[string]bool
}

// A client of any type may be below the server's.
func TestWrappedBase(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).WithObjects(pool("a")).Build()
	for _, below := range []client.WithWatch{
		struct{ client.WithWatch }{base}, &struct{ client.WithWatch }{base},
		&wrapped{WithWatch: base, indexes: map[string]bool{"Pool": true}},
	} {
		c, err := poolServer(t).Client(below, nil)
		if err != nil {
			t.Errorf("%T: %v", below, err)
			continue
		}
		must(t, c.Get(ctx, key("a"), &Pool{}))
		if c.Unwrap() != below {
			t.Errorf("%T: another client below", below)
		}
	}
}

// Objects of a kind without namespaces move to the server as they are, in each
// mode.
func TestClusterScoped(t *testing.T) {
	ctx := t.Context()
	clustered := strings.Replace(widgets, "scope: Namespaced", "scope: Cluster", 1)
	def, err := kube.Parse([]byte(clustered))
	must(t, err)
	for _, options := range [][]fake.Option{nil, {fake.Lenient()}} {
		server, err := fake.NewServer(def)
		must(t, err)
		stored := widget("v1")
		stored.SetNamespace("")
		base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).
			WithObjects(stored).Build()
		c, err := server.Client(base, nil, options...)
		must(t, err)
		w := widget("v1")
		must(t, c.Get(ctx, client.ObjectKey{Name: "one"}, w))
		w.SetLabels(map[string]string{"a": "b"})
		must(t, c.Update(ctx, w))
		created := widget("v2")
		created.SetNamespace("")
		created.SetName("two")
		must(t, c.Create(ctx, created))
		for _, got := range []client.Object{w, created} {
			if got.GetNamespace() != "" {
				t.Errorf("%s is in %q", got.GetName(), got.GetNamespace())
			}
		}
		must(t, c.Delete(ctx, created))
		if created.GetNamespace() != "" {
			t.Errorf("deleted from %q", created.GetNamespace())
		}
		if err := c.Get(ctx, client.ObjectKey{Name: "two"}, created); !apierrors.IsNotFound(err) {
			t.Errorf("after its deletion: %v", err)
		}
	}
}

// A list that fails, or whose items are not of the index's type, is an error.
func TestIndexErrors(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, nil)
	must(t, err)
	must(t, c.Create(ctx, pool("a")))
	must(t, c.IndexField(ctx, &Pool{}, "spec.class", byClass))
	standard := client.MatchingFields{"spec.class": "standard"}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.List(ended, &PoolList{}, standard); err == nil {
		t.Error("a list after its context")
	}
	if err := c.List(ctx, &PoolList{}, standard, client.InNamespace("a/b")); err == nil {
		t.Error("a list of a namespace that cannot be")
	}
	unknown := &unstructured.UnstructuredList{}
	if err := c.List(ctx, unknown, standard); err == nil {
		t.Error("a list of no kind")
	}
	if _, err := c.IsObjectNamespaced(unknown); err == nil {
		t.Error("no kind is namespaced")
	}
	if err := c.IndexField(ctx, &unstructured.Unstructured{}, "a", byClass); err == nil {
		t.Error("an index of no kind")
	}
}
