package live

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// TestClient does the requests of a controller with controller-runtime's
// client, once with the real API server and once with the fake one, and
// compares the errors and the objects. The log has both times.
func TestClient(t *testing.T) {
	needEtcd(t)
	resources, err := loadResources([]string{filepath.Join(repository, "examples", "rules")})
	if err != nil || len(resources) != 1 {
		t.Fatalf("%d definitions, %v", len(resources), err)
	}
	begin := time.Now()
	r := &run{server: startServer(t, startEtcd(t)), judge: facade{}}
	s := &session{run: r, resource: resources[0]}
	x, err := s.do(http.MethodPost, crdPath, mediaJSON, encode(resources[0].object))
	if err == nil && x.Status == http.StatusCreated {
		err = s.waitUntilServed()
	}
	if err != nil {
		t.Fatal(err)
	}
	real := poolStory(t, realClient(t, r.server))
	realTime := time.Since(begin)
	begin = time.Now()
	imitated := poolStory(t, fakeClient(t, resources[0].text))
	fakeTime := time.Since(begin)
	for i := range max(len(real), len(imitated)) {
		a, b := "nothing", "nothing"
		if i < len(real) {
			a = real[i]
		}
		if i < len(imitated) {
			b = imitated[i]
		}
		if a != b {
			t.Errorf("request %d\nserver %s\nfake   %s", i, a, b)
		}
	}
	t.Logf("%d requests: real server %s, fake server %s", len(real), realTime, fakeTime)
}

// poolKind is the kind of examples/rules.
var poolKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Pool"}

func realClient(t *testing.T, server *apiServer) client.Client {
	t.Helper()
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(poolKind, meta.RESTScopeNamespace)
	c, err := client.New(server.config, client.Options{
		Scheme: runtime.NewScheme(), Mapper: mapper,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func fakeClient(t *testing.T, definition []byte) client.Client {
	t.Helper()
	d, err := kube.Parse(definition)
	if err != nil {
		t.Fatal(err)
	}
	server, err := fake.NewServer(d)
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	c, err := server.Client(clientfake.NewClientBuilder().WithScheme(scheme).Build(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// poolStory does the requests and returns what came back, one text a request.
func poolStory(t *testing.T, c client.Client) []string {
	t.Helper()
	ctx := context.Background()
	var told []string
	tell := func(object *unstructured.Unstructured, err error) {
		told = append(told, outcome(object, err))
	}
	pool := newPool("web", 3)
	tell(pool, c.Create(ctx, pool))
	tell(pool, c.Create(ctx, newPool("web", 3)))
	tell(nil, c.Create(ctx, newPool("big", 11)))
	stale := pool.DeepCopy()
	set := func(value any, fields ...string) {
		if err := unstructured.SetNestedField(pool.Object, value, fields...); err != nil {
			t.Fatal(err)
		}
	}
	set(int64(4), "spec", "replicas")
	tell(pool, c.Update(ctx, pool))
	tell(stale, c.Update(ctx, stale))
	set(int64(4), "status", "replicas")
	tell(pool, c.Status().Update(ctx, pool))
	set("fast", "spec", "class")
	tell(pool, c.Update(ctx, pool))
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":["a.io/b"]}}`))
	tell(pool, c.Patch(ctx, pool, patch, client.FieldOwner("me")))
	other := newPool("web", 5)
	apply := client.ApplyConfigurationFromUnstructured(other)
	tell(nil, c.Apply(ctx, apply, client.FieldOwner("you")))
	tell(other, c.Apply(ctx, apply, client.FieldOwner("you"), client.ForceOwnership))
	tell(nil, c.Delete(ctx, pool))
	key := client.ObjectKeyFromObject(pool)
	tell(pool, c.Get(ctx, key, pool))
	patch = client.RawPatch(types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/finalizers"}]`))
	tell(pool, c.Patch(ctx, pool, patch))
	tell(nil, c.Get(ctx, key, pool))
	tell(nil, c.Update(ctx, newPool("none", 1)))
	return told
}

func newPool(name string, replicas int64) *unstructured.Unstructured {
	pool := &unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"replicas": replicas},
	}}
	pool.SetGroupVersionKind(poolKind)
	pool.SetNamespace(namespace)
	pool.SetName(name)
	return pool
}

// outcome returns an error with its reason, or an object without what servers
// make up.
func outcome(object *unstructured.Unstructured, err error) string {
	if err != nil {
		return fmt.Sprintf("%s: %v", apierrors.ReasonForError(err), err)
	}
	if object == nil {
		return "done"
	}
	shown := object.DeepCopy()
	shown.SetUID("")
	shown.SetResourceVersion("")
	return strings.TrimSpace(times.ReplaceAllString(string(encode(settle(shown.Object))), "T"))
}
