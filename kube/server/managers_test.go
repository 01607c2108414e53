package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem/kube/server"
	"github.com/crdsem/crdsem/minors"
)

// tabVersions has a status in each of its versions.
const tabVersions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tabs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: tabs, singular: tab, kind: Tab, listKind: TabList}
  versions:
  - &v
    name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}},
      status: {type: object, properties: {ready: {type: integer}}}}}}
  - {<<: *v, name: v2, storage: false}
  - {<<: *v, name: v3, storage: false, subresources: {}}
`

func definitionFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crd.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A write of the status through another version took all owners of the first
// away, up to Kubernetes 1.34 (kubernetes#133704): the next apply then removes
// nothing of what it leaves out.
func TestR03StatusOwners(t *testing.T) {
	const (
		tabs   = "/apis/example.com/%s/namespaces/default/tabs/a"
		applyB = `{"apiVersion":"example.com/@","kind":"Tab","metadata":{"name":"a"},"spec":{"b":"y"}}`
	)
	of := func(version, text string) string { return strings.ReplaceAll(text, "@", version) }
	both := strings.Replace(applyB, `"b":"y"`, `"a":"x","b":"y"`, 1)
	for _, c := range []struct {
		name, minor     string
		applied, status string // the versions of the apply and of the status
		method          string
		keeps           bool // the owners
	}{
		{"1.34, another version", "1.34", "v1", "v2", "PUT", false},
		{"1.30, another version", "1.30", "v1", "v2", "PUT", false},
		{"1.33, from the other side", "1.33", "v2", "v1", "PUT", false},
		{"1.34, the same version", "1.34", "v1", "v1", "PUT", true},
		{"1.35, another version", "1.35", "v1", "v2", "PUT", true},
		{"1.37, from the other side", "1.37", "v2", "v1", "PUT", true},
		{"1.38, another version", "1.38", "v1", "v2", "PUT", true},
		{"1.34, a merge patch", "1.34", "v1", "v2", "MERGE", true},
		{"1.35, a merge patch", "1.35", "v1", "v2", "MERGE", true},
		{"1.34, a JSON patch", "1.34", "v1", "v2", "JSON", true},
		{"1.37, a JSON patch", "1.37", "v2", "v1", "JSON", true},
		{"1.31, another version", "1.31", "v2", "v1", "PUT", false},
		{"1.32, another version", "1.32", "v1", "v2", "PUT", false},
		{"1.33, the same version", "1.33", "v2", "v2", "PUT", true},
		{"1.36, another version", "1.36", "v1", "v2", "PUT", true},
		{"1.34, with the spec", "1.34", "v1", "v2", "WHOLE", true},
		{"1.34, an apply of the status", "1.34", "v1", "v2", "APPLY", true},
		{"1.37, an apply of the status", "1.37", "v1", "v2", "APPLY", true},
		{"1.34, owned in a version without a status", "1.34", "v3", "v2", "PUT", false},
		{"1.37, owned in a version without a status", "1.37", "v3", "v2", "PUT", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			minor, err := minors.Parse(c.minor)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := begun(t, server.Options{
				Definitions: []string{definitionFile(t, tabVersions)}, Kubernetes: minor,
			})
			by, err := rest.HTTPClientFor(s.Config())
			if err != nil {
				t.Fatal(err)
			}
			owned := roadClient{t, s, by}
			path := func(version string) string { return strings.Replace(tabs, "%s", version, 1) }
			owned.apply(path(c.applied), "app", of(c.applied, both))
			_, live := owned.at(http.MethodGet, path(c.status), "", "")
			body := of(c.status, `{"apiVersion":"example.com/@","kind":"Tab","metadata":{"name":"a","resourceVersion":"R"},"status":{"ready":1}}`)
			body = strings.Replace(body, `"R"`, `"`+valueAt(live, "metadata.resourceVersion")+`"`, 1)
			switch c.method {
			case "PUT", "WHOLE":
				if c.method == "WHOLE" {
					body = strings.Replace(body, `"status"`,
						`"spec":{"a":"x","b":"y"},"status"`, 1)
				}
				owned.at(http.MethodPut, path(c.status)+"/status?fieldManager=ctrl",
					"application/json", body)
			case "MERGE":
				owned.at(http.MethodPatch, path(c.status)+"/status?fieldManager=ctrl",
					"application/merge-patch+json", `{"status":{"ready":1}}`)
			case "JSON":
				owned.at(http.MethodPatch, path(c.status)+"/status?fieldManager=ctrl",
					"application/json-patch+json",
					`[{"op":"add","path":"/status","value":{"ready":1}}]`)
			case "APPLY":
				owned.apply(path(c.status)+"/status", "ctrl", of(c.status,
					`{"apiVersion":"example.com/@","kind":"Tab","metadata":{"name":"a"},"status":{"ready":1}}`))
			}
			_, after := owned.at(http.MethodGet, path(c.applied), "", "")
			if got := valueAt(after, "status.ready"); got != "1" {
				t.Errorf("status.ready is %s", got)
			}
			kept := strings.Contains(valueAt(after, "metadata.managedFields"), "manager:app")
			owned.apply(path(c.applied), "app", of(c.applied, applyB))
			_, after = owned.at(http.MethodGet, path(c.applied), "", "")
			removed := valueAt(after, "spec.a") != "x"
			if kept != c.keeps || removed != c.keeps {
				t.Errorf("the owner is kept: %v, what it leaves out is removed: %v", kept, removed)
			}
		})
	}
}

// Owners by updates, and several ones, are lost by such a write as well.
func TestR03OwnersByUpdates(t *testing.T) {
	const tab = "/apis/example.com/%s/namespaces/default/tabs"
	for minor, keeps := range map[string]bool{
		"1.30": false, "1.34": false, "1.35": true, "1.37": true, "1.38": true,
	} {
		t.Run(minor, func(t *testing.T) {
			in, err := minors.Parse(minor)
			if err != nil {
				t.Fatal(err)
			}
			s, _ := begun(t, server.Options{
				Definitions: []string{definitionFile(t, tabVersions)}, Kubernetes: in,
			})
			by, err := rest.HTTPClientFor(s.Config())
			if err != nil {
				t.Fatal(err)
			}
			c := roadClient{t, s, by}
			at := func(version string) string { return strings.Replace(tab, "%s", version, 1) }
			c.at(http.MethodPost, at("v1")+"?fieldManager=edit", "application/json",
				`{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"a","labels":{"k":"v"}},"spec":{"a":"x"}}`)
			c.apply(at("v1")+"/a", "ops", `{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"a"},"spec":{"b":"y"}}`)
			_, live := c.at(http.MethodGet, at("v2")+"/a", "", "")
			c.at(http.MethodPut, at("v2")+"/a/status?fieldManager=ctrl", "application/json",
				`{"apiVersion":"example.com/v2","kind":"Tab","metadata":{"name":"a","resourceVersion":"`+
					valueAt(live, "metadata.resourceVersion")+`"},"status":{"ready":1}}`)
			_, after := c.at(http.MethodGet, at("v1")+"/a", "", "")
			managed := valueAt(after, "metadata.managedFields")
			for _, manager := range []string{"edit", "ops"} {
				if strings.Contains(managed, "manager:"+manager) != keeps {
					t.Errorf("%s: %s", manager, managed)
				}
			}
			if !strings.Contains(managed, "manager:ctrl") {
				t.Errorf("the status has no owner: %s", managed)
			}
		})
	}
}

// A write through a version that lacks a field of the stored one: the owner of
// the field keeps it, as on a server, although the value is lost.
func TestOwnersOfLostFields(t *testing.T) {
	definition := strings.Replace(tabVersions, "name: v2, storage: false}", `name: v2, storage: false,
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {b: {type: string}}}}}}}`, 1)
	s, _ := begun(t, server.Options{Definitions: []string{definitionFile(t, definition)}})
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	c := roadClient{t, s, by}
	const tab = "/apis/example.com/%s/namespaces/default/tabs/a"
	at := func(version string) string { return strings.Replace(tab, "%s", version, 1) }
	all := strings.TrimSuffix(at("v1"), "/a")
	c.at(http.MethodPost, all+"?fieldManager=app", "application/json",
		`{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"a"},"spec":{"a":"x","b":"y"}}`)
	c.at(http.MethodPatch, at("v2")+"?fieldManager=ctrl", "application/merge-patch+json",
		`{"spec":{"b":"z"}}`)
	_, after := c.at(http.MethodGet, at("v1"), "", "")
	if a, b := valueAt(after, "spec.a"), valueAt(after, "spec.b"); a == "x" || b != "z" {
		t.Errorf("spec.a is %s, spec.b is %s", a, b)
	}
	managed := valueAt(after, "metadata.managedFields")
	if !strings.Contains(managed, "f:a") {
		t.Errorf("spec.a has no owner: %s", managed)
	}
}

// A write through a version with a default that the stored version lacks. A
// read does not fill it in. The write does, and its manager owns the field. In
// an object that is read twice the field is there, and nobody would own it.
func TestOwnersOfDefaults(t *testing.T) {
	definition := strings.Replace(tabVersions, "name: v2, storage: false}", `name: v2, storage: false,
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
      a: {type: string}, b: {type: string, default: filled}}}}}}}`, 1)
	s, _ := begun(t, server.Options{Definitions: []string{definitionFile(t, definition)}})
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	c := roadClient{t, s, by}
	const tab = "/namespaces/default/tabs/a"
	c.apply("/apis/example.com/v1"+tab, "app",
		`{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"a"},"spec":{"a":"x"}}`)
	code, after := c.at(http.MethodPatch, "/apis/example.com/v2"+tab+"?fieldManager=ctrl",
		"application/merge-patch+json", `{"metadata":{"labels":{"l":"m"}}}`)
	if b := valueAt(after, "spec.b"); code != http.StatusOK || b != "filled" {
		t.Fatalf("%d, spec.b is %s", code, b)
	}
	managed := valueAt(after, "metadata.managedFields")
	if !strings.Contains(managed, "f:b") {
		t.Errorf("spec.b has no owner: %s", managed)
	}
}
