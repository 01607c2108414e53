package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// The documents of OpenAPI have the paths of a resource with their operations,
// and the schemas that these refer to.
func TestDocuments(t *testing.T) {
	wide := strings.Replace(aKinds, `"scope":"Cluster"`, `"scope":"Namespaced"`, 1)
	for path, definition := range map[string]string{
		"/apis/g.io/v1/as":                        aKinds,
		"/apis/g.io/v1/namespaces/{namespace}/as": wide,
	} {
		c := newTestCluster(t, definition)
		for _, old := range []bool{false, true} {
			of, prefix, head := "/openapi/v3/apis/g.io/v1", "#/components/schemas/", `openapi: "3.0.0"`
			if old {
				of, prefix, head = "/openapi/v2", "#/definitions/", `swagger: "2.0"`
			}
			document := c.must(t, "GET", of, "")
			key, value, _ := strings.Cut(head, ": ")
			info := map[string]any{"title": "Kubernetes", "version": "v1.37.0"}
			if fmt.Sprintf("%q", document[key]) != value || cmp.Diff(document["info"],
				any(info)) != "" {
				t.Errorf("%s: %v, %v", of, document[key], document["info"])
			}
			ref := map[string]any{"$ref": prefix + "io.g.v1.A"}
			body := map[string]any{"description": "OK", "schema": ref}
			if !old {
				body = map[string]any{"description": "OK", "content": map[string]any{
					"application/json": map[string]any{"schema": ref},
				}}
			}
			operation := func(action string, writes bool) map[string]any {
				out := map[string]any{
					"operationId": action + "Av1", "x-kubernetes-action": action,
					"responses": map[string]any{"200": body},
					"x-kubernetes-group-version-kind": map[string]any{
						"group": "g.io", "version": "v1", "kind": "A",
					},
				}
				var all []any
				for _, name := range []string{"dryRun", "fieldManager", "fieldValidation"} {
					one := map[string]any{"name": name, "in": "query"}
					kind := one
					if !old {
						kind = map[string]any{}
						one["schema"] = kind
					}
					kind["type"], kind["uniqueItems"] = "string", true
					all = append(all, one)
				}
				if writes {
					out["parameters"] = all
				}
				return out
			}
			want := map[string]any{
				path: map[string]any{"get": operation("list", false), "post": operation("post", true)},
				path + "/{name}": map[string]any{
					"get": operation("get", false), "put": operation("put", true),
					"patch": operation("patch", true), "delete": operation("delete", true),
				},
			}
			paths, _ := document["paths"].(map[string]any)
			if old { // it has all others, too
				if len(paths) < 100 {
					t.Errorf("%d paths", len(paths))
				}
				maps.DeleteFunc(paths, func(path string,
					_ any) bool {
					return !strings.Contains(path, "g.io")
				})
			}
			if diff := cmp.Diff(want, paths); diff != "" {
				t.Errorf("%s: %s", of, diff)
			}
			schemas, _ := document["definitions"].(map[string]any)
			if !old {
				schemas, _ = document["components"].(map[string]any)["schemas"].(map[string]any)
				const meta = "io.k8s.apimachinery.pkg.apis.meta.v1."
				names := strings.ReplaceAll(fmt.Sprint(slices.Sorted(maps.Keys(schemas))), meta, "")
				want := "[io.g.v1.A FieldsV1 ManagedFieldsEntry ObjectMeta OwnerReference Time]"
				if names != want || objectMeta != meta+"ObjectMeta" {
					t.Errorf("%s: %v", of, names)
				}
			}
			metadata, _ := schemas[objectMeta].(map[string]any)
			if metadata["type"] != "object" || (metadata["properties"] == nil) != old ||
				schemas["io.g.v1.A"] == nil {
				t.Errorf("%s: %v", of, metadata)
			}
		}
		for _, none := range []string{"/openapi", "/openapi/v1", "/openapi/v3/apis/g.io/v2"} {
			if code, text := asked(t, c, "GET", none, ""); code != http.StatusNotFound {
				t.Errorf("%s: %d %s", none, code, text)
			}
		}
		if code, _ := asked(t, c, "POST", "/openapi/v2", ""); code != http.StatusNotFound {
			t.Errorf("a POST: %d", code)
		}
	}
}

// A document is made once until what is served changes, and one that cannot be
// made is an error.
func TestPublish(t *testing.T) {
	c := newTestCluster(t)
	made := 0
	get := func(err error) string {
		w := httptest.NewRecorder()
		c.publish(w, &published{name: "a", media: "text/a"}, func() ([]byte, error) {
			made++
			return fmt.Append(nil, "text ", made), err
		})
		return fmt.Sprint(w.Code, " ", w.Header().Get("Content-Type"), " ", w.Body)
	}
	const failed = `500 application/json {"kind":"Status","apiVersion":"v1","metadata":{},` +
		`"status":"Failure","message":"Internal error occurred: no","reason":"InternalError",` +
		`"details":{"causes":[{"message":"no"}]},"code":500}` + "\n"
	if got := get(errors.New("no")); got != failed {
		t.Error(got)
	}
	for i, want := range []string{"200 text/a text 2", "200 text/a text 2", "200 text/a text 3"} {
		if i == 2 {
			c.changes.Add(1)
		}
		if got := get(nil); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
	for path, want := range map[string]string{
		"api/v1": "/v1 true", "apis/apps/v1": "apps/v1 true", "api": " false", "apis/apps": " false",
		"api/v1/a": " false", "apis/apps/v1/a": " false", "other/v1": " false", "a/apps/v1": " false",
	} {
		gv, ok := groupVersionOf(path)
		if got := strings.TrimPrefix(fmt.Sprint(gv.Group, "/", gv.Version, " ", ok), "/ "); got !=
			strings.TrimPrefix(want, " ") {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// What a handler without a cluster answers, whole.
func TestDiscoveryOfHandler(t *testing.T) {
	h := handlerOf(t, strings.Replace(aKinds, `"versions":[`, `"versions":[{"name":"v2","served":true,`+
		`"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"status":{}}},`, 1))
	const (
		verbs = `"verbs":["delete","deletecollection","get","list","patch","create","update","watch"]`
		v1    = `{"groupVersion":"g.io/v1","version":"v1"}`
		v2    = `{"groupVersion":"g.io/v2","version":"v2"}`
		group = `"name":"g.io","versions":[` + v2 + `,` + v1 + `],"preferredVersion":` + v2 + `}`
		a     = `{"name":"as","singularName":"a","namespaced":false,"kind":"A",` + verbs + `}`
		lists = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"g.io/`
	)
	for path, want := range map[string]string{
		"/api":  `{"kind":"APIVersions","versions":[],"serverAddressByClientCIDRs":null}`,
		"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"kind":"APIGroup","apiVersion":"v1",` + group + `]}`,
		"/apis/g.io/": `{"kind":"APIGroup","apiVersion":"v1",` +
			group,
		"/apis/g.io/v1": lists + `v1","resources":[` + a + `]}`,
		"/apis/g.io/v2": lists + `v2","resources":[` + a + `,{"name":"as/status","singularName":"",` +
			`"namespaced":false,"kind":"A","verbs":["get","patch","update"]}]}`,
		"/api/v2": "404 page not found", "/apis/g.io/v3": "404 page not found", "/": "404 page not found",
		"/apis/b.io": "404 page not found", "/other/g.io/v1": "404 page not found",
		"/version": "404 page not found",
	} {
		code, text := asked(t, h, "GET", path, "")
		text = withoutHash(strings.TrimSpace(text))
		if text != want || (code == 200) != strings.HasPrefix(want, "{") {
			t.Errorf("%s: %d %s, want %s", path, code, text, want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/api", nil)
	r.Header.Set("Accept", "application/json;"+aggregated)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	const none = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2",` +
		`"metadata":{},"items":[]}`
	if strings.TrimSpace(w.Body.String()) != none {
		t.Error(w.Body)
	}
}

// withoutHash returns a text without the hash of a storage version, which a
// transcript has.
func withoutHash(text string) string {
	before, after, ok := strings.Cut(text, `,"storageVersionHash":"`)
	if !ok {
		return text
	}
	_, after, _ = strings.Cut(after, `"`)
	return before + after
}

// Definitions are served from the start, or none of them, and not any more when
// they are gone. While one ends, its objects are only read and deleted.
func TestInstall(t *testing.T) {
	c := newTestCluster(t)
	c.starting = true
	objects := func(texts ...string) (all []map[string]any) {
		for _, text := range texts {
			var object map[string]any
			if err := json.Unmarshal([]byte(text), &object); err != nil {
				t.Fatal(err)
			}
			all = append(all, object)
		}
		return all
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.load(ended, objects(aKinds)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wrong := strings.Replace(aKinds, `"name":"as.g.io"`, `"name":"bs.g.io"`, 1)
	const text = `CustomResourceDefinition.apiextensions.k8s.io "bs.g.io" is invalid: metadata.name: `
	if err := c.load(t.Context(), objects(aKinds, wrong)); err == nil ||
		!strings.HasPrefix(err.Error(), text) {
		t.Error(err)
	}
	other := strings.ReplaceAll(aKinds, "g.io", "h.io")
	if err := c.load(t.Context(), objects(aKinds, other)); err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"g.io", "h.io"} {
		c.must(t, "POST", "/apis/"+group+"/v1/as", `{"apiVersion":"`+group+
			`/v1","kind":"A","metadata":{"name":"a","finalizers":["g.io/x"]}}`)
	}
	kept := c.installed["as.g.io"].objects
	c.objectsOf(definitions).Remove(definitionPrefix + "as.g.io")
	c.install("as.g.io")
	if code, _ := asked(t, c, "GET", "/apis/g.io/v1/as", ""); code != http.StatusNotFound ||
		kept.Len() != 0 || c.installed["as.g.io"] != nil || c.installed["as.h.io"] == nil {
		t.Errorf("a definition that is gone is served: %d", code)
	}
	const crd = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/as.h.io"
	c.must(t, "DELETE", crd, "")
	first := c.must(t, "GET", "/apis/h.io/v1/as/a", "")
	if got := c.must(t, "DELETE", crd, ""); len(finalizersOf(got)) != 1 {
		t.Errorf("%v", got)
	}
	if diff := cmp.Diff(first, c.must(t, "GET", "/apis/h.io/v1/as/a", "")); diff != "" {
		t.Errorf("an object that ends changes: %s", diff)
	}
	resources, _ := c.must(t, "GET", "/apis/h.io/v1", "")["resources"].([]any)
	verbs := fmt.Sprint(resources[0].(map[string]any)["verbs"])
	if verbs != "[delete deletecollection get list watch]" {
		t.Error(verbs)
	}
	code, refused := asked(t, c, "POST", "/apis/h.io/v1/as", `{"metadata":{"name":"b"}}`)
	if code != http.StatusForbidden || !strings.Contains(refused, `as.h.io \"b\" is forbidden`) {
		t.Errorf("%d %s", code, refused)
	}
	conditions := fmt.Sprint(c.must(t, "GET", crd, "")["status"])
	if strings.Count(conditions, "type:Terminating") != 1 {
		t.Error(conditions)
	}
	c.must(t, "PATCH", "/apis/h.io/v1/as/a", `{"metadata":{"finalizers":null}}`)
	if code, _ := asked(t, c, "GET", crd, ""); code != http.StatusNotFound {
		t.Errorf("the definition is there: %d", code)
	}
}

// Small parts, with what callers seldom give them.
func TestPieces(t *testing.T) {
	some := map[string]any{"a": "b"}
	by := func(manager, time string) map[string]any {
		return withManagers(some, []any{map[string]any{"manager": manager, "time": time}})
	}
	for name, test := range map[string]struct{ got, want any }{
		"meta of nothing":    {withMeta(nil, "a", "b"), map[string]any{"metadata": some}},
		"no meta of nothing": {withMeta(nil, "a", nil), map[string]any{"metadata": map[string]any{}}},
		"core":               {internalPackage(""), "core"},
		"events":             {internalPackage("events.k8s.io"), "core"},
		"internal":           {internalPackage("internal.apiserver.k8s.io"), "apiserverinternal"},
		"apps":               {internalPackage("apps"), "apps"},
		"rbac":               {internalPackage("rbac.authorization.k8s.io"), "rbac"},
		"no definition":      {groupOf("a"), ""},
		"definition":         {groupOf("a.b.c"), "b.c"},
		"no texts":           {texts([]string{}), []any(nil)},
		"texts":              {texts([]string{"a", "b"}), []any{"a", "b"}},
		"stored again":       {storedVersions(map[string]any{"storedVersions": []any{"a"}}, "a"), []any{"a"}},
		"stored":             {storedVersions(map[string]any{"storedVersions": []any{"a"}}, "b"), []any{"a", "b"}},
		"first stored":       {storedVersions(nil, "b"), []any{"b"}},
		"no revision":        {isRevision(errors.New("a")), false},
		"revision":           {isRevision(&crdsem.StatusError{Rule: "PIPE-016"}), true},
		"another rule":       {isRevision(&crdsem.StatusError{Rule: "PIPE-013"}), false},
		"dry":                {withSentRevision(some, withMeta(nil, "resourceVersion", "7")), withMeta(some, "resourceVersion", "7")},
		"dry without one":    {withSentRevision(some, some), some},
		"no JSON":            {isSame(some, map[string]any{"a": func() {}}), false},
		"no JSON, either":    {isSame(map[string]any{"a": func() {}}, some), false},
		"same":               {isSame(some, maps.Clone(some)), true},
		"same numbers":       {isSame([]any{int64(1), 1.5, true, nil}, []any{1.0, 1.5, true, nil}), true},
		"other numbers":      {isSame([]any{int64(1)}, []any{int64(2)}), false},
		"minus zero":         {isSame(0.0, math.Copysign(0, -1)), false},
		"no list":            {isSame([]any(nil), []any{}), false},
		"no map":             {isSame(map[string]any{}, map[string]any(nil)), false},
		"another key":        {isSame(map[string]any{"a": nil}, map[string]any{"b": nil}), false},
		"another type":       {isSame("1", int64(1)), false},
		"finalizers":         {finalizersOf(withMeta(nil, "finalizers", []any{"a", 1, "b"})), []string{"a", "b"}},
		"age":                {fmt.Sprint(older(of("a", "2"), of("b", "1")), older(of("a", "1"), of("b", "1"))), "1 -1"},
		"another manager":    {keepTimes(by("a", "1"), by("b", "1")), by("a", "1")},
		"another time":       {keepTimes(by("a", "2"), by("a", "1")), by("a", "1")},
		"no owners":          {ownersOf(withMeta(nil, "ownerReferences", []any{1})), []map[string]any(nil)},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	of := &definition.Version{Name: "v1"}
	r := &request{version: &version{kind: &kind{namespaced: true}, model: of}, namespace: "n"}
	object := map[string]any{}
	if err := r.inNamespace(object); err != nil || metaText(object, "namespace") != "n" {
		t.Errorf("%v, %v", object, err)
	}
}

// A Pod on a node has the time to end that the request, it itself or the server
// says, and others none.
func TestGracePeriod(t *testing.T) {
	pod := func(node, phase string, own any) map[string]any {
		spec := map[string]any{"nodeName": node}
		if own != nil {
			spec["terminationGracePeriodSeconds"] = own
		}
		return map[string]any{"spec": spec, "status": map[string]any{"phase": phase}}
	}
	seven := int64(7)
	for _, test := range []struct {
		pod   map[string]any
		asked *int64
		want  int64
	}{
		{pod("n", "Running", nil), nil, 30},
		{pod("n", "Running", int64(9)), nil, 9},
		{pod("n", "Running", int64(9)), &seven, 7},
		{pod("n", "Pending", int64(9)), &seven, 7},
		{pod("", "Running", int64(9)), &seven, 0},
		{pod("n", "Succeeded", int64(9)), &seven, 0},
		{pod("n", "Failed", int64(9)), &seven, 0},
		{map[string]any{}, &seven, 0},
	} {
		got := gracePeriod(test.pod, &metav1.DeleteOptions{GracePeriodSeconds: test.asked})
		if got != test.want {
			t.Errorf("%v: %d, want %d", test.pod, got, test.want)
		}
	}
}

// Two writes of what was read before are not both done.
func TestChanged(t *testing.T) {
	c := newTestCluster(t, aKinds)
	k, _ := c.kinds.Resource("g.io", "as")
	r := &request{version: k.versions["v1"], server: c.Handler, ctx: t.Context(), name: "a"}
	stale := storage.NewObject(r.key(), map[string]any{}, nil)
	if out, err := r.put(stale, stale); out != nil || err != errChanged {
		t.Errorf("%v, %v", out, err)
	}
	if err := r.drop(stale); err != errChanged {
		t.Error(err)
	}
	out, err := r.put(nil, stale)
	if want := withMeta(nil, "resourceVersion", fmt.Sprint(c.store.Revision())); err != nil ||
		cmp.Diff(want, out) != "" {
		t.Errorf("%v, %v", out, err)
	}
	live := k.objects.Get(r.key())
	if r.dryRun = true; r.drop(live) != nil || k.objects.Len() != 1 {
		t.Error("a dry run removes an object")
	}
	if r.dryRun = false; r.drop(live) != nil || k.objects.Len() != 0 {
		t.Error("an object is there")
	}
}

// of returns a definition of a key and an age.
func of(key, at string) *storage.Object {
	return storage.NewObject(key, map[string]any{
		"metadata": map[string]any{"creationTimestamp": at},
	}, nil)
}
