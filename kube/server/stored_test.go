package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crdsem/crdsem/kube/server"
)

// An object is stored as it is, and read as a server reads it; what is written
// can be read as it is stored.
func TestStored(t *testing.T) {
	s, c := begun(t, server.Options{Definitions: []string{folder(t)}})
	const key = "/example.com/tabs/default/old"
	err := s.Store(key, []byte(`{"apiVersion":"example.com/v1","kind":"Tab","metadata":`+
		`{"name":"old","namespace":"default","uid":"u"},"spec":{"size":12,"more":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	object := tab("old", 0)
	if err := c.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
		t.Fatal(err)
	}
	if got := valueAt(object.Object, "spec"); got != "map[size:12]" {
		t.Errorf("spec is %s", got)
	}
	object.Object["spec"] = map[string]any{"size": int64(11)}
	if err := c.Update(t.Context(), object); err == nil {
		t.Error("an object that is too large was updated")
	}
	object.Object["spec"] = map[string]any{}
	if err := c.Update(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	text, ok := s.Stored(key)
	if !ok || !strings.Contains(string(text), `"spec":{"size":1}`) ||
		strings.Contains(string(text), "resourceVersion") {
		t.Errorf("stored is %s", text)
	}
	for _, bad := range []string{"", "tabs", "/example.com/tabs/old", "/example.com/nones/a/b",
		"/example.com/tabs/default/", "//namespaces/a/b"} {
		if err := s.Store(bad, text); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
		if _, ok := s.Stored(bad); ok {
			t.Errorf("something is stored under %s", bad)
		}
	}
	if err := s.Store(key, []byte("[]")); err == nil {
		t.Error("a list was stored")
	}
}

// A definition that is stored is served, and one that is stored in its place.
// One that cannot be served keeps its objects for the next.
func TestStoredDefinition(t *testing.T) {
	s, c := begun(t, server.Options{Definitions: []string{folder(t)}})
	const key = "/apiextensions.k8s.io/customresourcedefinitions/tabs.example.com"
	text, ok := s.Stored(key)
	if !ok {
		t.Fatal("there is no definition")
	}
	higher := strings.Replace(string(text), `"maximum":9`, `"maximum":19`, 1)
	if err := s.Store(key, []byte(higher)); err != nil {
		t.Fatal(err)
	}
	if err := c.Create(t.Context(), tab("a", 12)); err != nil {
		t.Error(err)
	}
	broken := strings.Replace(higher, `"conversion":{"strategy":"None"}`,
		`"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],`+
			`"clientConfig":{"url":"https://localhost","caBundle":"ICAg"}}}`, 1)
	for _, one := range []struct {
		definition string
		served     bool
	}{{broken, false}, {higher, true}} {
		if err := s.Store(key, []byte(one.definition)); err != nil {
			t.Fatal(err)
		}
		object := tab("a", 0)
		err := c.Get(t.Context(), client.ObjectKeyFromObject(object), object)
		if apierrors.IsNotFound(err) == one.served {
			t.Errorf("served is %v: %v", one.served, err)
		}
		if _, ok := s.Stored("/example.com/tabs/default/a"); !ok {
			t.Error("the object is gone")
		}
	}
}

// A definition of v1beta1 is served as an old server has left it.
func TestStoredBeta(t *testing.T) {
	s, c := begun(t, server.Options{})
	err := s.Store("/apiextensions.k8s.io/customresourcedefinitions/tabs.example.com", []byte(`
		{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition",
		"metadata":{"name":"tabs.example.com"},"spec":{"group":"example.com","version":"v1",
		"scope":"Namespaced","preserveUnknownFields":true,"subresources":{"status":{}},
		"names":{"plural":"tabs","singular":"tab","kind":"Tab","listKind":"TabList"},
		"additionalPrinterColumns":[{"name":"Size","type":"integer","JSONPath":".spec.size"}],
		"conversion":{"strategy":"None"},
		"validation":{"openAPIV3Schema":{"properties":{"spec":{"properties":{
			"size":{"type":"integer","maximum":9}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	object := tab("a", 3)
	object.Object["more"] = "kept"
	if err := c.Create(t.Context(), object); err != nil || object.Object["more"] != "kept" {
		t.Errorf("%v, %v", err, object.Object)
	}
	if err := c.Create(t.Context(), tab("b", 10)); !apierrors.IsInvalid(err) {
		t.Error(err)
	}
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
	}}
	if err := c.Get(t.Context(), client.ObjectKey{Name: "tabs.example.com"}, crd); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"spec.versions.0.additionalPrinterColumns.0.jsonPath": ".spec.size",
		"spec.versions.0.subresources":                        "map[status:map[]]",
		"spec.validation":                                     "<nil>",
		"status.conditions.2.type":                            "NonStructuralSchema",
	} {
		if got := valueAt(crd.Object, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// CBOR is served if that is asked for, in bodies, answers and errors.
func TestCBOR(t *testing.T) {
	s, _ := begun(t, server.Options{Definitions: []string{folder(t)}, CBOR: true})
	without := started(t, folder(t))
	body, err := direct.Marshal(tab("a", 3).Object)
	if err != nil {
		t.Fatal(err)
	}
	const cbor, tabs = "application/cbor", "/apis/example.com/v1/namespaces/default/tabs"
	for _, c := range []struct {
		of                   *server.Server
		method, path, accept string
		code                 int
		want                 string // in the JSON of an answer in CBOR, or else in the text
	}{
		{s, "POST", tabs, cbor, 201, `"size":3`},
		{s, "POST", tabs, cbor, 409, `"reason":"AlreadyExists"`},
		{s, "GET", tabs, cbor, 200, `"kind":"TabList"`},
		{s, "GET", tabs + "/a", cbor, 200, `"size":3`},
		{s, "GET", tabs + "?watch=true", cbor, 406, "NotAcceptable"},
		{without, "POST", tabs, "", 415, "UnsupportedMediaType"},
		{without, "GET", tabs, cbor, 406, "NotAcceptable"},
	} {
		by, err := rest.HTTPClientFor(c.of.Config())
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), c.method,
			c.of.Config().Host+c.path, strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", c.accept)
		request.Header.Set("Content-Type", cbor)
		code, media, text := answered(t, by, request)
		if media == cbor {
			var object any
			if err := direct.Unmarshal([]byte(text), &object); err != nil {
				t.Fatal(err)
			}
			shown, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			text = string(shown)
		}
		if code != c.code || !strings.Contains(text, c.want) || code < 300 && media != cbor {
			t.Errorf("%s %s: %d %s %s", c.method, c.path, code, media, text)
		}
	}
}
