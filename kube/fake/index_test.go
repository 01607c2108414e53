package fake_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// byClass indexes pools by their class.
func byClass(object client.Object) []string {
	return []string{object.(*Pool).Spec.Class}
}

// Lists by an indexed field have the objects with the value, in typed and
// untyped lists, with other selectors and with a limit.
func TestIndexField(t *testing.T) {
	ctx := t.Context()
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).Build()
	c, err := poolServer(t).Client(base, nil)
	must(t, err)
	var indexer client.FieldIndexer = c
	must(t, indexer.IndexField(ctx, &Pool{}, "spec.class", byClass))
	if err := indexer.IndexField(ctx, &Pool{}, "spec.class", byClass); err == nil {
		t.Error("a second index of the same field")
	}
	for name, class := range map[string]string{"a": "fast", "b": "", "c": "fast"} {
		p := pool(name)
		p.Spec.Class = class
		must(t, c.Create(ctx, p))
	}
	fast := client.MatchingFields{"spec.class": "fast"}
	var list PoolList
	must(t, c.List(ctx, &list, fast))
	if len(list.Items) != 2 || list.Items[0].Name != "a" || list.Items[1].Name != "c" {
		t.Errorf("got %+v", list.Items)
	}
	must(t, c.List(ctx, &list, client.MatchingFields{"spec.class": "standard"}))
	if len(list.Items) != 1 || list.Items[0].Name != "b" {
		t.Errorf("by the default: got %+v", list.Items)
	}
	must(t, c.List(ctx, &list, fast, client.Limit(1)))
	if len(list.Items) != 1 {
		t.Errorf("limit 1: %d pools", len(list.Items))
	}
	must(t, c.List(ctx, &list, fast, client.Limit(2)))
	if len(list.Items) != 2 {
		t.Errorf("limit 2: %d pools", len(list.Items))
	}
	must(t, c.IndexField(ctx, &Pool{}, "name", func(object client.Object) []string {
		return []string{object.GetName(), "any"}
	}))
	for name, want := range map[string]int{"a": 1, "b": 0, "any": 2} {
		must(t, c.List(ctx, &list, client.MatchingFields{"spec.class": "fast", "name": name}))
		if len(list.Items) != want {
			t.Errorf("fast and %s: %d pools", name, len(list.Items))
		}
	}
	not := fields.ParseSelectorOrDie("spec.class=fast,metadata.name!=a")
	must(t, c.List(ctx, &list, client.MatchingFieldsSelector{Selector: not}))
	if len(list.Items) != 1 || list.Items[0].Name != "c" {
		t.Errorf("not a: got %+v", list.Items)
	}
	both := client.MatchingFields{"spec.class": "fast", "metadata.name": "c"}
	must(t, c.List(ctx, &list, both))
	if len(list.Items) != 1 || list.Items[0].Name != "c" {
		t.Errorf("by name, too: got %+v", list.Items)
	}
	untyped := &unstructured.UnstructuredList{}
	untyped.SetAPIVersion("example.com/v1")
	untyped.SetKind("PoolList")
	must(t, c.List(ctx, untyped, fast))
	if len(untyped.Items) != 2 {
		t.Errorf("untyped: %d pools", len(untyped.Items))
	}
	err = c.List(ctx, &list, client.MatchingFields{"spec.replicas": "3"})
	if err == nil || err.Error() != "field label not supported: spec.replicas" {
		t.Errorf("by a field without an index: %v", err)
	}
	partial := &metav1.PartialObjectMetadataList{}
	partial.SetGroupVersionKind(untyped.GroupVersionKind())
	const metadata = "a list of metadata cannot be chosen by an indexed field"
	if err := c.List(ctx, partial, fast); err == nil || err.Error() != metadata {
		t.Errorf("%v, want %s", err, metadata)
	}
}

// Indexes of other kinds are those of the fake client.
func TestIndexFieldOfOtherKinds(t *testing.T) {
	ctx := t.Context()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "default"},
		Spec:       corev1.PodSpec{NodeName: "n"},
	}
	base := clientfake.NewClientBuilder().WithScheme(poolScheme(t)).WithObjects(pod).Build()
	c, err := poolServer(t).Client(base, nil)
	must(t, err)
	must(t, c.IndexField(ctx, &corev1.Pod{}, "spec.nodeName", func(o client.Object) []string {
		return []string{o.(*corev1.Pod).Spec.NodeName}
	}))
	for node, want := range map[string]int{"n": 1, "m": 0} {
		var list corev1.PodList
		must(t, c.List(ctx, &list, client.MatchingFields{"spec.nodeName": node}))
		if len(list.Items) != want {
			t.Errorf("node %s: %d pods", node, len(list.Items))
		}
	}
}

// An interceptor of the base client is an error, and so are an index of a kind
// of the server, and a status subresource that its definition lacks. Around the
// returned client, an interceptor sees requests.
func TestBaseIsNotSilentlyDropped(t *testing.T) {
	ctx := t.Context()
	calls := 0
	funcs := interceptor.Funcs{Create: func(ctx context.Context, c client.WithWatch,
		object client.Object, options ...client.CreateOption) error {
		calls++
		return c.Create(ctx, object, options...)
	}}
	builder := func() *clientfake.ClientBuilder {
		return clientfake.NewClientBuilder().WithScheme(poolScheme(t))
	}
	intercepted := builder().WithInterceptorFuncs(funcs).Build()
	if _, err := poolServer(t).Client(intercepted, nil); err == nil ||
		!strings.Contains(err.Error(), "interceptor.NewClient") {
		t.Errorf("the interceptor is dropped: %v", err)
	}
	indexed := builder().WithIndex(&Pool{}, "spec.class", byClass).Build()
	if _, err := poolServer(t).Client(indexed, nil); err == nil ||
		!strings.Contains(err.Error(), "Client.IndexField") {
		t.Errorf("the index is dropped: %v", err)
	}
	crd, err := os.ReadFile("../testdata/pools.yaml")
	must(t, err)
	def, err := kube.Parse(bytes.ReplaceAll(crd, []byte("        status: {}\n"), nil))
	must(t, err)
	server, err := fake.NewServer(def)
	must(t, err)
	if _, err := server.Client(builder().WithStatusSubresource(&Pool{}).Build(), nil); err == nil ||
		!strings.Contains(err.Error(), "status subresource of example.com/v1, Kind=Pool") {
		t.Errorf("the status subresource is dropped: %v", err)
	}
	both, err := kube.Parse([]byte(widgets))
	must(t, err)
	server, err = fake.NewServer(both)
	must(t, err)
	withStatus := builder().WithStatusSubresource(widget("v1"), widget("v2")).Build()
	if _, err := server.Client(withStatus, nil); err != nil {
		t.Errorf("both versions have a status: %v", err)
	}
	other := builder().WithIndex(&corev1.Pod{}, "a", func(client.Object) []string { return nil })
	c, err := poolServer(t).Client(other.Build(), nil)
	must(t, err)
	must(t, interceptor.NewClient(c, funcs).Create(ctx, pool("a")))
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}
