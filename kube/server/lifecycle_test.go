package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem/kube/server"
)

// begun starts a server that the test stops.
func begun(t *testing.T, o server.Options) (*server.Server, client.WithWatch) {
	t.Helper()
	s, err := server.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewWithWatch(s.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// The objects of a server are those that the one before it wrote.
func TestData(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "data")
	s, c := begun(t, server.Options{Definitions: []string{folder(t)}, Data: path})
	a := tab("a", 3)
	if err := c.Create(ctx, a); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	s, c = begun(t, server.Options{Data: path, Definitions: []string{folder(t)}})
	got := tab("", 0)
	if err := c.Get(ctx, client.ObjectKeyFromObject(a), got); err != nil {
		t.Fatal(err)
	}
	if got.GetUID() != a.GetUID() || got.GetResourceVersion() != a.GetResourceVersion() {
		t.Errorf("%v, want %v", got, a)
	}
	b := tab("b", 3)
	if err := c.Create(ctx, b); err != nil {
		t.Fatal(err)
	}
	if b.GetUID() == a.GetUID() || len(b.GetResourceVersion()) < len(a.GetResourceVersion()) {
		t.Errorf("a new object has the uid or the version of an old one: %v", b)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(path + "*")
	if err != nil || len(left) != 2 || left[1] != path+".lock" {
		t.Errorf("%v, %v", left, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]string{
		"data: line 1: expected the kind crdsem-server/v1": "{}\n" + string(text),
		"data: line 5: ": strings.Join(strings.SplitAfterN(string(text), "\n", 5)[:4], "") + "{\n",
		"no definition of nones.example.com": strings.Replace(string(text), `"resource":"tabs"`,
			`"resource":"nones"`, 1),
	} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := server.Start(ctx, server.Options{Data: path})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	none := filepath.Join(t.TempDir(), "none", "data")
	if _, err := server.Start(ctx, server.Options{Data: none}); err == nil {
		t.Error("a folder that does not exist is no error")
	}
}

// A context that has ended ends the start.
func TestStartEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data := filepath.Join(t.TempDir(), "data")
	s, _ := begun(t, server.Options{Data: data})
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	for _, o := range []server.Options{{Definitions: []string{folder(t)}}, {Data: data}} {
		if _, err := server.Start(ctx, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// After Stop no goroutine of the server is left, whatever clients did.
func TestNoGoroutineIsLeft(t *testing.T) {
	h := startHooks(t)
	before := runtime.NumGoroutine()
	s, err := server.Start(t.Context(), server.Options{
		Definitions: []string{folder(t)}, CollectGarbage: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewWithWatch(s.Config(), client.Options{HTTPClient: by})
	if err != nil {
		t.Fatal(err)
	}
	all := &corev1.ConfigMapList{}
	watch, err := c.Watch(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), h.configuration("ValidatingWebhookConfiguration",
		[2]string{"allow", ""})); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), tab("a", 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	watch.Stop()
	by.CloseIdleConnections()
	h.CloseClientConnections()
	now := 0
	for range 100 {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
}

// A request above the limit has to come again. A watch is not counted.
func TestMaxInFlight(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	slow := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the end of the client is noticed
		close(asked)
		<-r.Context().Done()
	}))
	defer slow.Close()
	h := startHooks(t)
	h.Server = slow
	s, c := begun(t, server.Options{Definitions: []string{folder(t)}, MaxInFlight: 1})
	err := c.Create(ctx, h.configuration("ValidatingWebhookConfiguration",
		[2]string{"slow", ""}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Watch(ctx, &corev1.ConfigMapList{}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- c.Create(ctx, tab("a", 1)) }()
	<-asked
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	code, answer := sent(t, by, "GET", s.Config().Host+"/api/v1/namespaces", "", "")
	if code != http.StatusTooManyRequests || answer["reason"] != "TooManyRequests" {
		t.Errorf("%d %v", code, answer)
	}
	// A write is no watch, whatever it asks for.
	code, _ = sent(t, by, "POST", s.Config().Host+"/api/v1/namespaces?watch=1", "", `{}`)
	if code != http.StatusTooManyRequests {
		t.Errorf("a write that asks for a watch: %d", code)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("a request that was given up is answered")
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// With the option, objects go with their owners, by the propagation that was
// asked for, and with their namespace.
func TestCollectGarbage(t *testing.T) {
	ctx := t.Context()
	s, c := begun(t, server.Options{CollectGarbage: true})
	configMap := func(name, namespace string, owners ...*corev1.ConfigMap) *corev1.ConfigMap {
		t.Helper()
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
		for _, owner := range owners {
			blocks := true
			cm.OwnerReferences = append(cm.OwnerReferences, metav1.OwnerReference{
				APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID,
				BlockOwnerDeletion: &blocks,
			})
		}
		if err := c.Create(ctx, cm); err != nil {
			t.Fatal(err)
		}
		return cm
	}
	eventually := func(what string, holds func() bool) {
		t.Helper()
		for range 200 {
			if holds() {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("not so: %s", what)
	}
	get := func(cm *corev1.ConfigMap) (*corev1.ConfigMap, error) {
		out := &corev1.ConfigMap{}
		return out, c.Get(ctx, client.ObjectKeyFromObject(cm), out)
	}
	isGone := func(cm *corev1.ConfigMap) func() bool {
		return func() bool { _, err := get(cm); return apierrors.IsNotFound(err) }
	}
	a, b := configMap("a", "default"), configMap("b", "default")
	ofBoth, ofA := configMap("of-both", "default", a, b), configMap("of-a", "default", a)
	below := configMap("below", "default", ofA)
	if err := c.Delete(ctx, a); err != nil {
		t.Fatal(err)
	}
	eventually("of-a is gone", isGone(ofA))
	eventually("what is below of-a is gone", isGone(below))
	eventually("of-both has one owner", func() bool {
		got, err := get(ofBoth)
		return err == nil && len(got.OwnerReferences) == 1
	})
	orphan := client.PropagationPolicy(metav1.DeletePropagationOrphan)
	if err := c.Delete(ctx, b, orphan); err != nil {
		t.Fatal(err)
	}
	eventually("b is gone", isGone(b))
	eventually("of-both has no owner", func() bool {
		got, err := get(ofBoth)
		return err == nil && len(got.OwnerReferences) == 0
	})
	owner := configMap("owner", "default")
	held := configMap("held", "default", owner)
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":["example.com/x"]}}`))
	if err := c.Patch(ctx, held, patch); err != nil {
		t.Fatal(err)
	}
	foreground := client.PropagationPolicy(metav1.DeletePropagationForeground)
	if err := c.Delete(ctx, owner, foreground); err != nil {
		t.Fatal(err)
	}
	eventually("held is being deleted", func() bool {
		got, err := get(held)
		return err == nil && got.DeletionTimestamp != nil
	})
	if isGone(owner)() {
		t.Error("the owner is gone before what blocks it")
	}
	patch = client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := c.Patch(ctx, held, patch); err != nil {
		t.Fatal(err)
	}
	eventually("the owner is gone", isGone(owner))
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "mine"}}
	if err := c.Create(ctx, ns); err != nil {
		t.Fatal(err)
	}
	inside := configMap("inside", "mine")
	if err := c.Delete(ctx, ns); err != nil {
		t.Fatal(err)
	}
	eventually("the namespace is gone", func() bool {
		return apierrors.IsNotFound(c.Get(ctx, client.ObjectKeyFromObject(ns), ns))
	})
	if !isGone(inside)() {
		t.Error("what was in the namespace is still there")
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}
