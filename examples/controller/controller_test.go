package controller

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	clientfake "sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/crdsem/crdsem/kube"
	"github.com/crdsem/crdsem/kube/fake"
)

// newClient returns a client of a server that knows the definition of pools.
func newClient(t *testing.T) client.Client {
	t.Helper()
	definitions, err := kube.ReadFiles([]string{"../rules/crd.yaml"})
	must(t, err)
	server, err := fake.NewServer(definitions...)
	must(t, err)
	base := clientfake.NewClientBuilder().WithScheme(newScheme(t)).Build()
	c, err := server.Client(base, nil)
	must(t, err)
	return c
}

func TestReconcile(t *testing.T) { testReconcile(t, newClient(t)) }

// testReconcile runs with any client, also with one of a real API server.
func testReconcile(t *testing.T, c client.Client) {
	ctx := t.Context()
	pool := &Pool{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}
	pool.Spec.Replicas = 3
	must(t, c.Create(ctx, pool))
	if pool.Spec.Class != "standard" || pool.Spec.MaxReplicas != 10 {
		t.Errorf("defaults are missing: %+v", pool.Spec)
	}

	key := client.ObjectKeyFromObject(pool)
	r := &Reconciler{Client: c}
	_, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: key})
	must(t, err)
	must(t, c.Get(ctx, key, pool))
	if pool.Status.Replicas != 3 || len(pool.Finalizers) != 1 || pool.Generation != 1 {
		t.Errorf("after the first time: %+v", pool)
	}

	pool.Spec.Class = "fast" // a rule compares with oldSelf
	err = c.Update(ctx, pool)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("the class can be changed: %v", err)
	}
	must(t, c.Get(ctx, key, pool))
	pool.Spec.Replicas = 11 // a rule compares two fields
	if err := c.Update(ctx, pool); !apierrors.IsInvalid(err) {
		t.Errorf("there can be more replicas than allowed: %v", err)
	}

	must(t, c.Delete(ctx, pool))
	must(t, c.Get(ctx, key, pool)) // waits for the finalizer
	_, err = r.Reconcile(ctx, reconcile.Request{NamespacedName: key})
	must(t, err)
	if err := c.Get(ctx, key, pool); !apierrors.IsNotFound(err) {
		t.Errorf("the pool is still there: %v", err)
	}
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	must(t, AddToScheme(scheme))
	return scheme
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
