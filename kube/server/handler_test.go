package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kube/server"
	"github.com/crdsem/crdsem/merge/apply"
)

// A handler tells what it serves, and keeps the objects that it is given as
// they are.
func TestHandler(t *testing.T) {
	definition := func(text string) *crdsem.Definition {
		d, err := crdsem.Parse([]byte(text), apply.Server())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	wide := strings.Replace(testschema.Definition("Wall", `
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`), "scope: Namespaced", "scope: Cluster", 1)
	h, err := server.NewHandler(definition(desks), definition(wide))
	if err != nil {
		t.Fatal(err)
	}
	h.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC) }
	if _, err := server.NewHandler(definition(desks), nil); err == nil ||
		err.Error() != "a definition is nil" {
		t.Error(err)
	}
	const kinds = "[example.com/v1, Kind=Desk example.com/v1, Kind=Wall]"
	if got := fmt.Sprint(h.Served()); got != kinds {
		t.Errorf("serves %s", got)
	}
	for kind, want := range map[string]string{"Desk": "desks namespace", "Wall": "walls root"} {
		of := schema.GroupKind{Group: "example.com", Kind: kind}
		mapping, err := h.Mapper().RESTMapping(of, "v1")
		if err != nil {
			t.Fatal(err)
		}
		if got := mapping.Resource.Resource + " " + string(mapping.Scope.Name()); got != want {
			t.Errorf("%s is %s, want %s", kind, got, want)
		}
		singular := schema.GroupVersionResource{
			Group: "example.com", Resource: strings.ToLower(kind),
		}
		if got, err := h.Mapper().KindFor(singular); got.Kind != kind || err != nil {
			t.Errorf("%s is of %s (%v)", singular, got, err)
		}
	}
	c, err := client.New(h.Config(), client.Options{Mapper: h.Mapper()})
	if err != nil {
		t.Fatal(err)
	}
	object := func(version, kind string, metadata map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": version, "kind": kind, "metadata": metadata,
			"spec": map[string]any{"replicas": int64(-1)},
		}}
	}
	named := map[string]any{"namespace": "n", "name": "a"}
	for _, wrong := range [][2]string{{"example.com/v2", "Desk"}, {"example.com/v1", "None"}} {
		err := h.Put(object(wrong[0], wrong[1], named))
		want := wrong[0] + ", Kind=" + wrong[1] + " is not served"
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, metadata := range []map[string]any{named, {
		"namespace": "n", "name": "a", "uid": "u", "creationTimestamp": "2020-01-01T00:00:00Z",
	}} {
		if err := h.Put(object("example.com/v1", "Desk", metadata)); err != nil {
			t.Fatal(err)
		}
		got := object("example.com/v1", "Desk", nil)
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "n", Name: "a"}, got); err != nil {
			t.Fatal(err)
		}
		uid, created := metadata["uid"], metadata["creationTimestamp"]
		if uid == nil {
			uid, created = string(got.GetUID()), "2026-01-02T03:04:05Z"
		}
		at := got.GetCreationTimestamp().UTC().Format(time.RFC3339)
		if uid == "" || string(got.GetUID()) != uid || at != created {
			t.Errorf("stored as %v", got)
		}
		spec, _ := got.Object["spec"].(map[string]any)
		if spec["replicas"] != int64(-1) {
			t.Errorf("stored as %v", got)
		}
	}
}

// A handler of definitions refuses built-in kinds by their names: a manager
// that owns one would wait for it without a word.
func TestHandlerNamesBuiltInKinds(t *testing.T) {
	h, err := server.NewHandler()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/apis/apps/v1": "501 only definitions are served here, no kinds of apps/v1 (ControllerRevision, " +
			"DaemonSet, Deployment, ReplicaSet, StatefulSet): use package kube/server",
		"/apis/apps/v1/namespaces/default/deployments": "501 only definitions are served here, no kinds " +
			"of apps/v1 (Deployment): use package kube/server",
		"/api/v1/pods":            "501 only definitions are served here, no kinds of v1 (Pod): use",
		"/apis/apps/v1/others":    "404 ",
		"/apis/apps/v2":           "404 ",
		"/apis/other.com/v1":      "404 ",
		"/apis/other.com/v1/pods": "404 ",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		var status struct{ Message string }
		_ = json.Unmarshal(w.Body.Bytes(), &status) // a 404 is no JSON
		if got := fmt.Sprint(w.Code, " ", status.Message); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
