package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kube/server"
)

var desks = testschema.Definition("Desk", `
    deprecated: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
    selectableFields: [{jsonPath: .spec.color}]
    additionalPrinterColumns: [{name: Color, type: string, jsonPath: .spec.color}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              color: {type: string, default: red}
              replicas: {type: integer}
          status:
            type: object
            properties:
              replicas: {type: integer}
              selector: {type: string}
`)

// call is a request of desks, unless its path begins with /api, and what its
// answer has: a code, and parts of the headers
// and of the body. A part after an exclamation mark is absent.
type call struct {
	method, path, header, body string
	code                       int
	parts                      string // separated by |
}

// calls sends requests one after the other.
func calls(t *testing.T, list []call) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "d.yaml"), []byte(desks), 0o600); err != nil {
		t.Fatal(err)
	}
	callsOn(t, started(t, dir), list)
}

// callsOn sends requests to a server one after the other.
func callsOn(t *testing.T, to *server.Server, list []call) {
	t.Helper()
	config := to.Config()
	by, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range list {
		path := "/apis/example.com/v1/namespaces/default/desks" + c.path
		if strings.HasPrefix(c.path, "/api") {
			path = c.path
		}
		request, err := http.NewRequestWithContext(t.Context(), c.method, config.Host+path,
			strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		for header := range strings.SplitSeq(c.header, "\n") {
			if name, value, ok := strings.Cut(header, ": "); ok {
				request.Header.Set(name, value)
			}
		}
		code, head, body := answeredWhole(t, by, request)
		text := head + "\n" + body
		if code != c.code {
			t.Errorf("%d: %s %s: %d, want %d: %s", i, c.method, c.path, code, c.code, text)
		}
		for part := range strings.SplitSeq(c.parts, "|") {
			wanted, absent := strings.CutPrefix(part, "!")
			if strings.Contains(text, wanted) == absent {
				t.Errorf("%d: %s %s (%s): %s in %s", i, c.method, c.path, c.header, part, text)
			}
		}
	}
}

const desk = `{"apiVersion":"example.com/v1","kind":"Desk","metadata":{"name":"`

// An answer has the form that a client accepts.
func TestForm(t *testing.T) {
	const (
		partial = "Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
		list    = "Accept: application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
		table   = "Accept: application/json;as=Table;g=meta.k8s.io;v="
	)
	calls(t, []call{
		{"POST", "", "", desk + `a"},"spec":{}}`, 201, `application/json|"kind":"Desk"|"color":"red"`},
		{"GET", "/a", "Accept: application/yaml", "", 200, "application/yaml|\nkind: Desk\n"},
		{"GET", "/a", "Accept: text/html, application/*;q=0.9", "", 200, `application/json|"kind":"Desk"`},
		{"GET", "/a", "Accept: text/html", "", 406, "only the following media types are accepted: " +
			"application/json, application/yaml, application/vnd.kubernetes.protobuf|!cbor"},
		{"GET", "/a", "Accept: application/vnd.kubernetes.protobuf,application/yaml", "", 200, "application/yaml"},
		{"GET", "/b", "Accept: application/yaml", "", 404, "application/yaml|\nreason: NotFound\n"},
		{"GET", "/b", "Accept: text/html", "", 406, "application/json"},
		{"GET", "/a?pretty=true", "", "", 200, "\n  \"kind\": \"Desk\""},
		{"GET", "/a?pretty=1", "", "", 200, "\n  \"kind\": \"Desk\""},
		{"GET", "/a?pretty=0", "User-Agent: curl/8", "", 200, `"kind":"Desk"`},
		{"GET", "/a", "User-Agent: curl/8", "", 200, "\n  \"kind\": \"Desk\""},
		{"GET", "/a", "User-Agent: my-curl", "", 200, `"kind":"Desk"`},
		{"GET", "/a", partial, "", 200, `"kind":"PartialObjectMetadata"|"apiVersion":"meta.k8s.io/v1"|"name":"a"|!"spec":{"c`},
		{"GET", "", partial, "", 406, "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)"},
		{"GET", "", list, "", 200, `"kind":"PartialObjectMetadataList"|"kind":"PartialObjectMetadata"|!continue|!"color"`},
		{"GET", "/a", list, "", 500, "content is not a list"},
		{"GET", "?limit=1&labelSelector=none", list, "", 200, `"items":null`},
		{"GET", "", table + "v1", "", 200, `"kind":"Table"|"apiVersion":"meta.k8s.io/v1"|"cells":["a","red"]|"kind":"PartialObjectMetadata"`},
		{"GET", "/a", table + "v1beta1", "", 200, `"apiVersion":"meta.k8s.io/v1beta1"|!meta.k8s.io/v1"`},
		{"GET", "/a", table + "v2", "", 406, "only the following media types"},
		{"GET", "/a?includeObject=None", table + "v1", "", 200, `"object":null`},
		{"GET", "/a?includeObject=Object", table + "v1", "", 200, `"kind":"Desk"`},
		{"GET", "/a?includeObject=Other", table + "v1", "", 400, `includeObject: Invalid value: \"Other\"`},
		{"GET", "/a", "Accept: application/json;as=Other;g=meta.k8s.io;v=v1", "", 406, "only the following"},
	})
}

// Options of writes, and bodies that are refused.
func TestWriteOptions(t *testing.T) {
	calls(t, []call{
		{"POST", "?dryRun=All", "", desk + `a"}}`, 201, `"name":"a"`},
		{"GET", "/a", "", "", 404, `desks.example.com \"a\" not found`},
		{"POST", "?dryRun=Some", "", desk + `a"}}`, 422, "dryRun: Unsupported value"},
		{"POST", "?fieldValidation=Other", "", desk + `a"}}`, 422, "fieldValidation: Unsupported value"},
		{"POST", "?fieldValidation=Strict", "", desk + `a"},"other":1}`, 400, `unknown field \"other\"`},
		{"POST", "?fieldManager=" + strings.Repeat("m", 129), "", desk + `a"}}`, 422, "fieldManager: Too long"},
		{"POST", "", "Content-Type: text/plain", desk + `a"}}`, 415, "the body of the request was in an unknown format"},
		{"POST", "", "Content-Type: application/yaml; charset=utf-8", "apiVersion: example.com/v1\nkind: Desk\nmetadata: {name: yaml}\n", 201, `"name":"yaml"`},
		{"POST", "", "", strings.Repeat(" ", 3<<20) + "{}", 413, "limit is 3145728"},
		{"POST", "?fieldValidation=Ignore", "", strings.Repeat(" ", 3<<20-len(desk)-6) + desk + `big"}}`, 201, `"name":"big"`},
		{"POST", "", "", desk + `a","namespace":"other"}}`, 400, "does not match the namespace"},
		{"POST", "", "", desk + `a"}}`, 201, ""},
		{"POST", "", "", desk + `a"}}`, 409, `desks.example.com \"a\" already exists`},
		{"PUT", "/a", "", desk + `b"}}`, 400, "the name of the object (b) does not match the name on the URL (a)"},
		{"PUT", "/a", "", desk + `a"}}`, 422, "metadata.resourceVersion: Invalid value"},
		{"PUT", "/a", "", desk + `a","resourceVersion":"1"}}`, 409, "the object has been modified"},
		{"PATCH", "/a", "", `{}`, 415, "application/json-patch+json"},
		{"PATCH", "/a?force=true", "Content-Type: application/merge-patch+json", `{}`, 422, "force: Forbidden"},
		{"PATCH", "/a", "Content-Type: application/merge-patch+json", `{"spec":{"color":"blue"}}`, 200, `"color":"blue"`},
		{"PATCH", "/a", "Content-Type: application/json-patch+json", `[{"op":"remove","path":"/none"}]`, 422, ""},
		{"PATCH", "/a", "Content-Type: application/json-patch+json", `[{"op":"replace","path":"/spec/color","value":"green"}]`, 200, `"color":"green"`},
		{"PATCH", "/a", "Content-Type: application/apply-patch+yaml", desk + `a"}}`, 422, "fieldManager: Required value"},
		{"PATCH", "/a?fieldManager=m", "Content-Type: application/apply-patch+yaml", desk + `a"},"spec":{"color":"white"}}`, 409, "Apply failed with 1 conflict"},
		{"PATCH", "/a?fieldManager=m&force=true", "Content-Type: application/apply-patch+yaml", desk + `a"},"spec":{"color":"white"}}`, 200, `"color":"white"`},
		{"PATCH", "/n?fieldManager=m", "Content-Type: application/apply-patch+yaml", desk + `o"}}`, 400, "the name of the object (o) does not match the name on the URL (n)"},
		{"PATCH", "/n?fieldManager=m", "Content-Type: application/apply-patch+yaml", `{"apiVersion":"example.com/v1","kind":"Desk"}`, 400, "name must be provided"},
		{"PATCH", "/n?fieldManager=m", "Content-Type: application/apply-patch+yaml", desk + `n","uid":"u"}}`, 409, "uid mismatch: the provided object specified uid u"},
		{"PATCH", "/n?fieldManager=m", "Content-Type: application/apply-patch+yaml", desk + `n"}}`, 201, `"name":"n"`},
		{"PATCH", "/n?fieldManager=m&fieldValidation=Strict", "Content-Type: application/apply-patch+yaml", desk + `n"},"spec":{},"spec":{}}`, 400, "error strict decoding patch"},
		{"PATCH", "/n?fieldManager=m", "Content-Type: application/apply-patch+yaml", "{", 400, "error decoding patch"},
		{"DELETE", "/n?dryRun=All", "", "", 200, "Success"},
		{"DELETE", "/n", "", `{"preconditions":{"uid":"u"}}`, 409, "the UID in the precondition (u) does not match the UID in record"},
		{"DELETE", "/n", "", `{"kind":1}`, 400, ""},
		{"DELETE", "/n", "", `{"gracePeriodSeconds":0}`, 200, "Success"},
		{"GET", "/n", "", "", 404, ""},
	})
}

// Pages of a list, states of the past, and selectors.
func TestLists(t *testing.T) {
	calls(t, []call{
		{"POST", "", "", desk + `a","labels":{"l":"1"}},"spec":{"color":"blue"}}`, 201, ""},
		{"POST", "", "", desk + `b"},"spec":{}}`, 201, ""},
		{"POST", "", "", desk + `c"},"spec":{}}`, 201, ""},
		{"GET", "?limit=3", "", "", 200, `"continue":""|!remaining|"kind":"DeskList"`},
		{"GET", "?limit=2", "", "", 200, `"remainingItemCount":1|"name":"b"|!"name":"c"`},
		{"GET", "?continue=x", "", "", 400, "invalid continue token: continue key is not valid: illegal base64 data at input byte 0"},
		{"GET", "?continue=e30", "", "", 400, "continue key is not valid: server does not recognize this encoded version "},
		{"GET", "?resourceVersion=abc", "", "", 400, "invalid resource version: "},
		{"GET", "?resourceVersion=999999", "", "", 504, "Too large resource version: 999999, current: |ResourceVersionTooLarge"},
		{"GET", "?resourceVersion=1&resourceVersionMatch=Exact", "", "", 200, `"items":[]|"resourceVersion":"1"`},
		{"GET", "?resourceVersion=1&resourceVersionMatch=NotOlderThan", "", "", 200, `"name":"c"`},
		{"GET", "?resourceVersion=1", "", "", 200, `"name":"c"`},
		{"GET", "?labelSelector=l", "", "", 200, `"name":"a"|!"name":"b"`},
		{"GET", "?labelSelector=?", "", "", 400, "unable to parse requirement"},
		{"GET", "?fieldSelector=spec.color=red", "", "", 200, `"name":"b"|"name":"c"|!"name":"a"`},
		{"GET", "?fieldSelector=spec.color=blue", "", "", 200, `"name":"a"|!"name":"b"`},
		{"GET", "?fieldSelector=spec.other=blue", "", "", 400, "field label not supported: spec.other"},
		{"GET", "?fieldSelector=metadata.name!=a", "", "", 200, `"name":"b"|!"name":"a"`},
		{"GET", "?fieldSelector=metadata.namespace=other", "", "", 200, `"items":[]`},
		{"DELETE", "?labelSelector=l", "", "", 200, ""},
		{"GET", "", "", "", 200, `"name":"b"|!"name":"a"`},
		{"DELETE", "", "", "", 200, ""},
		{"GET", "", "", "", 200, `"items":[]`},
	})
}

// The status and the scale of an object.
func TestParts(t *testing.T) {
	const scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"`
	calls(t, []call{
		{"POST", "", "", desk + `a"},"spec":{"replicas":2},"status":{"replicas":7}}`, 201, `"replicas":2|!status`},
		{"PATCH", "/a/status", "Content-Type: application/merge-patch+json", `{"spec":{"replicas":9},"status":{"replicas":1,"selector":"a=b"}}`, 200, `"spec":{"color":"red","replicas":2}|"replicas":1`},
		{"GET", "/a/scale", "", "", 200, `"kind":"Scale"|"spec":{"replicas":2}|"status":{"replicas":1,"selector":"a=b"}`},
		{"GET", "/b/scale", "", "", 404, ""},
		{"PUT", "/a/scale", "", scale + `a"},"spec":{"replicas":4}}`, 200, `"spec":{"replicas":4}`},
		{"PUT", "/a/scale", "", scale + `b"},"spec":{"replicas":4}}`, 400, "the name of the object (b) does not match the name on the URL (a)"},
		{"PUT", "/a/scale", "", scale + `a","namespace":"n"},"spec":{"replicas":4}}`, 400, "the namespace of the provided object does not match the namespace sent on the request"},
		{"PUT", "/a/scale", "", scale + `a","uid":"u"},"spec":{"replicas":4}}`, 409, "Precondition failed: UID in precondition: u"},
		{"PUT", "/a/scale", "", scale + `a"},"spec":{"replicas":-4}}`, 422, "spec.replicas: Invalid value: -4"},
		{"PUT", "/a/scale", "", scale + `a","resourceVersion":"1"},"spec":{"replicas":5}}`, 409, "the object has been modified"},
		{"PUT", "/a/scale?dryRun=All", "", scale + `a"},"spec":{"replicas":6}}`, 200, `"spec":{"replicas":6}`},
		{"PUT", "/a/scale", "Content-Type: text/plain", "", 415, ""},
		{"PUT", "/a/scale", "", "{", 400, ""},
		{"GET", "/a", "", "", 200, `"replicas":4`},
		{"PATCH", "/a/scale", "Content-Type: application/merge-patch+json", `{"spec":{"replicas":5}}`, 200, `"spec":{"replicas":5}`},
		{"PATCH", "/a/scale", "Content-Type: application/merge-patch+json", `{"spec":{"replicas":"x"}}`, 422, ""},
		{"PATCH", "/a/scale", "Content-Type: application/merge-patch+json", `{"metadata":{"name":"b"}}`, 400,
			"the name of the object (b) does not match the name on the URL (a)"},
		{"PATCH", "/a/scale", "Content-Type: application/merge-patch+json", `{"metadata":{"namespace":"b"}}`, 400,
			"the namespace of the provided object does not match the namespace sent on the request"},
		{"PUT", "/a/scale", "", scale + `"},"spec":{"replicas":5}}`, 400, "name must be provided"},
		{"PATCH", "/a/scale", "Content-Type: application/json-patch+json", `[{"op":"remove","path":"/none"}]`, 422, ""},
		{"PATCH", "/a/scale", "Content-Type: text/plain", `{}`, 415, ""},
		{"PATCH", "/a/scale?fieldManager=m", "Content-Type: application/apply-patch+yaml", "{", 400, "error decoding patch"},
		{"GET", "/a", "", "", 200, `"replicas":5`},
		{"PUT", "/a/status", "", desk + `a"},"status":{"replicas":3}}`, 422, "metadata.resourceVersion: Invalid value"},
		{"POST", "/a/status", "", "{}", 405, "MethodNotAllowed"},
		{"GET", "/a/other", "", "", 404, ""},
	})
}

// Deletes by finalizers, propagation and preconditions.
func TestDeletes(t *testing.T) {
	const merge = "Content-Type: application/merge-patch+json"
	calls(t, []call{
		{"POST", "", "", desk + `a","finalizers":["example.com/x"]}}`, 201, `"generation":1`},
		{"DELETE", "/a", "", `{"preconditions":{"resourceVersion":"1"}}`, 409, "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record"},
		{"DELETE", "/a?dryRun=All", "", "", 200, `"deletionTimestamp"`},
		{"GET", "/a", "", "", 200, `!deletionTimestamp`},
		{"DELETE", "/a", "", "", 200, `"deletionTimestamp"|"deletionGracePeriodSeconds":0|"generation":2|["example.com/x"]`},
		{"DELETE", "/a", "", "", 200, `"generation":2`},
		{"PATCH", "/a", merge, `{"metadata":{"finalizers":["example.com/x","example.com/y"]}}`, 422, "no new finalizers can be added if the object is being deleted"},
		{"PATCH", "/a", merge, `{"metadata":{"finalizers":null}}`, 200, `"name":"a"`},
		{"GET", "/a", "", "", 404, ""},
		{"POST", "", "", desk + `b"}}`, 201, ""},
		{"DELETE", "/b?propagationPolicy=Foreground", "", "", 200, `"finalizers":["foregroundDeletion"]`},
		{"DELETE", "/b?propagationPolicy=Orphan", "", "", 200, `"finalizers":["orphan"]`},
		{"DELETE", "/b", "", "", 200, `"finalizers":["orphan"]`},
		{"DELETE", "/b?orphanDependents=true", "", "", 200, `"finalizers":["orphan"]`},
		{"DELETE", "/b?orphanDependents=true&propagationPolicy=Orphan", "", "", 422, "orphanDependents and deletionPropagation cannot be both set"},
		{"DELETE", "/b?propagationPolicy=Background", "", "", 200, `"status":"Success"|"kind":"desks"|"uid"`},
		{"POST", "", "", desk + `c","finalizers":["example.com/x"]}}`, 201, ""},
		{"DELETE", "/c?orphanDependents=false", "", "", 202, `["example.com/x"]`},
		{"POST", "", "", desk + `d"}}`, 201, ""},
		{"DELETE", "?dryRun=All", "", "", 200, `"name":"d"`},
		{"GET", "/d", "", "", 200, ""},
		{"DELETE", "", "", "", 200, `"name":"c"|"name":"d"|"kind":"DeskList"`},
		{"GET", "", "", "", 200, `"name":"c"|!"name":"d"`},
	})
}

// Discovery in parts and in one answer.
func TestDiscovery(t *testing.T) {
	const one = "Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	calls(t, []call{
		{"GET", "/api", "", "", 200, `"kind":"APIVersions"|"versions":["v1"]`},
		{"GET", "/api/v1", "", "", 200, `"kind":"APIResourceList"|"groupVersion":"v1"|"name":"pods/status"`},
		{"GET", "/api/v2", "", "", 404, ""},
		{"GET", "/apis", "", "", 200, `"kind":"APIGroupList"|"name":"example.com","versions":[{"groupVersion":"example.com/v1","version":"v1"}],"preferredVersion":{"groupVersion":"example.com/v1","version":"v1"}|"name":"apps"|!"name":""`},
		{"GET", "/apis", "Accept: application/yaml", "", 200, "application/yaml|kind: APIGroupList\n"},
		{"GET", "/apis/example.com", "", "", 200, `"kind":"APIGroup"|"name":"example.com"`},
		{"GET", "/apis/none.com", "", "", 404, ""},
		{"GET", "/apis/example.com/v1", "", "", 200, `"groupVersion":"example.com/v1"|` +
			`{"name":"desks","singularName":"desk","namespaced":true,"kind":"Desk","verbs":["delete","deletecollection","get","list","patch","create","update","watch"],"storageVersionHash":"|` +
			`{"name":"desks/status","singularName":"","namespaced":true,"kind":"Desk","verbs":["get","patch","update"]}|` +
			`{"name":"desks/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}`},
		{"GET", "/apis/example.com/v2", "", "", 404, ""},
		{"POST", "/apis", "", "", 404, ""},
		{"GET", "/apis", one, "", 200, `as=APIGroupDiscoveryList|"kind":"APIGroupDiscoveryList"|{"resource":"desks","responseKind":{"group":"example.com","version":"v1","kind":"Desk"},"scope":"Namespaced","singularResource":"desk"|` +
			`{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"}|"freshness":"Current"|"scope":"Cluster"`},
		{"GET", "/api", one, "", 200, `"resource":"pods"|!"resource":"desks"`},
	})
}

// Subresources of Pods and ServiceAccounts.
func TestBuiltInParts(t *testing.T) {
	const (
		pods  = "/api/v1/namespaces/default/pods"
		merge = "Content-Type: application/merge-patch+json"
		pod   = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}`
		evict = `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}}`
		bind  = `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}`
		token = "/api/v1/namespaces/default/serviceaccounts/s/token"
	)
	calls(t, []call{
		{"POST", pods, "", pod, 201, `"phase":"Pending"`},
		{"POST", pods + "/p/binding", "", bind, 201, `"status":"Success"`},
		{"POST", pods + "/p/binding", "", bind, 409, `pod p is already assigned to node \"n\"`},
		{"POST", pods + "/q/binding", "", bind, 404, ""},
		{"GET", pods + "/p", "", "", 200, `"nodeName":"n"|"type":"PodScheduled"`},
		{"POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", "", `{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"b"},"spec":{"selector":{"matchLabels":{"a":"b"}}}}`, 201, ""},
		{"PATCH", pods + "/p/status", merge, `{"status":{"phase":"Running"}}`, 200, `"phase":"Running"`},
		{"POST", pods + "/p/eviction", "", evict, 429, `Cannot evict pod as it would violate the pod's disruption budget.|"retryAfterSeconds":10`},
		{"POST", pods + "/p/eviction", "", "{", 400, ""},
		{"PATCH", "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status", merge, `{"status":{"disruptionsAllowed":1}}`, 200, ""},
		{"POST", pods + "/p/eviction", "", strings.Replace(evict, "}}", `},"deleteOptions":{"gracePeriodSeconds":7}}`, 1), 201, `"status":"Success"`},
		{"GET", pods + "/p", "", "", 200, `"deletionGracePeriodSeconds":7`},
		{"DELETE", pods + "/p?gracePeriodSeconds=9", "", "", 200, `"deletionGracePeriodSeconds":7`},
		{"DELETE", pods + "/p?gracePeriodSeconds=3", "", "", 200, `"deletionGracePeriodSeconds":3`},
		{"DELETE", pods + "/p?gracePeriodSeconds=0", "", "", 200, ""},
		{"GET", pods + "/p", "", "", 404, ""},
		{"POST", pods, "", pod, 201, ""},
		{"DELETE", pods + "/p", "", "", 200, `"deletionTimestamp"`},
		{"GET", pods + "/p", "", "", 404, ""},
		{"POST", "/api/v1/namespaces/default/serviceaccounts", "", `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"s"}}`, 201, ""},
		{"POST", token, "", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["a"]}}`, 201, `"expirationSeconds":3600|"token":"|"expirationTimestamp"`},
		{"POST", token, "", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["a"],"expirationSeconds":7200}}`, 201, `"expirationSeconds":7200`},
		{"POST", strings.Replace(token, "/s/", "/t/", 1), "", `{"spec":{"audiences":[]}}`, 404, ""},
		{"DELETE", "/api/v1/namespaces/default", "", "", 403, "this namespace may not be deleted"},
		{"POST", "/api/v1/namespaces", "", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"mine"}}`, 201, `"phase":"Active"|"finalizers":["kubernetes"]`},
		{"DELETE", "/api/v1/namespaces/mine", "", "", 200, `"phase":"Terminating"|"deletionTimestamp"`},
		{"DELETE", "/api/v1/namespaces/mine", "", "", 200, `"kind":"Namespace"|"phase":"Terminating"|"deletionTimestamp"`},
		{"PUT", "/api/v1/namespaces/mine/finalize", "", `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"mine"},"spec":{"finalizers":[]}}`, 200, ""},
		{"GET", "/api/v1/namespaces/mine", "", "", 404, ""},
		{"GET", "/apis/apps/v1/namespaces/default/deployments", "Accept: application/json;as=Table;g=meta.k8s.io;v=v1", "", 200, `"name":"Name"|"rows":[]`},
	})
}

// The names of a definition that ends are free for another one. Its objects end
// before it, and no new ones are made.
func TestDefinitionEnds(t *testing.T) {
	const (
		crds   = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
		merge  = "Content-Type: application/merge-patch+json"
		other  = "/apis/example.com/v1/tables"
		tables = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
			`"metadata":{"name":"tables.example.com"},"spec":{"group":"example.com","scope":"Cluster",` +
			`"names":{"plural":"tables","kind":"Desk"},"versions":[{"name":"v1","served":true,` +
			`"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`
		refused = `desks.example.com \"b\" is forbidden: create not allowed while custom resource ` +
			`definition is terminating`
	)
	calls(t, []call{
		{"POST", crds, "", tables, 201, ""},
		{"GET", crds + "/tables.example.com", "", "", 200,
			`"reason":"ListKindConflict","status":"False","type":"NamesAccepted"|` +
				`"reason":"NotAccepted","status":"False","type":"Established"`},
		{"GET", other, "", "", 404, ""},
		{"DELETE", crds + "/tables.example.com", "", "", 200, ""},
		{"GET", crds + "/tables.example.com", "", "", 404, ""},
		{"POST", crds, "", tables, 201, ""},
		{"POST", "", "", desk + `a","finalizers":["example.com/x"]}}`, 201, ""},
		{"DELETE", crds + "/desks.example.com", "", "", 200,
			`"finalizers":["customresourcecleanup.apiextensions.k8s.io"]|"deletionTimestamp"|` +
				`"reason":"InstanceDeletionPending","status":"True","type":"Terminating"`},
		{"GET", crds + "/desks.example.com", "", "", 200, `"type":"Terminating"|"type":"Established"`},
		{"GET", "/a", "", "", 200, `"deletionTimestamp"|"deletionGracePeriodSeconds":0`},
		{"POST", "", "", desk + `b"}}`, 403, refused},
		{"PATCH", "/b?fieldManager=m", "Content-Type: application/apply-patch+yaml", desk + `b"}}`, 403, refused},
		{"GET", other, "", "", 404, ""},
		{"PATCH", "/a", merge, `{"metadata":{"finalizers":null}}`, 200, ""},
		{"GET", crds + "/desks.example.com", "", "", 404, ""},
		{"GET", "", "", "", 404, ""},
		{"GET", crds + "/tables.example.com", "", "", 200, `"reason":"InitialNamesAccepted"|` +
			`"acceptedNames":{"kind":"Desk","listKind":"DeskList","plural":"tables","singular":"desk"}|` +
			`!Terminating`},
		{"GET", other, "", "", 200, `"kind":"DeskList"`},
		{"GET", "/apis/example.com/v1", "", "", 200, `"name":"tables"|!"name":"desks"`},
		{"PATCH", crds + "/tables.example.com", merge, `{"spec":{"names":{"singular":"table"}}}`, 200, ""},
		{"GET", other, "", "", 200, `"kind":"DeskList"`},
	})
}

// Parts of built-in kinds are applied and patched like those of others.
func TestBuiltInPartsByVerb(t *testing.T) {
	const (
		of     = "/apis/apps/v1/namespaces/default/deployments"
		head   = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"`
		spec   = `"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i:1"}]}}}`
		scale  = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d"},"spec":{"replicas":`
		apply  = "Content-Type: application/apply-patch+yaml"
		merge  = "Content-Type: application/merge-patch+json"
		json   = "Content-Type: application/json-patch+json"
		modify = "the object has been modified; please apply your changes to the latest version " +
			"and try again"
	)
	calls(t, []call{
		{"PATCH", of + "/none/status?fieldManager=m", apply, head + `none"}}`, 404, `deployments.apps \"none\" not found`},
		{"PATCH", of + "/d?fieldManager=m", apply, head + `e"},` + spec + "}", 400,
			"the name of the object (e) does not match the name on the URL (d)"},
		{"PATCH", of + "/d?fieldManager=m", apply, head + `d","uid":"u"},` + spec + "}", 409,
			"uid mismatch: the provided object specified uid u, and no existing object was found"},
		{"PATCH", of + "/d?fieldManager=m", apply, head + `d"},` + spec + "}", 201,
			`"manager":"m","operation":"Apply"|"generation":1`},
		{"PATCH", of + "/d?fieldManager=m", apply, head + `d","resourceVersion":"1"},` + spec + "}", 409, modify},
		{"PATCH", of + "/d?fieldManager=m", apply, head + `"},` + spec + "}", 400,
			"the name of the object (d based on URL) was undeterminable: name must be provided"},
		{"PATCH", of + "/d/status?fieldManager=s", apply, head + `d"},"status":{"replicas":3}}`, 200,
			`"replicas":3|"manager":"s","operation":"Apply","subresource":"status"|"generation":1`},
		{"PATCH", of + "/d/scale?fieldManager=o&force=true", apply, scale + `2}}`, 200, `"spec":{"replicas":2}`},
		{"PATCH", of + "/d/scale?fieldManager=p", apply, scale + `3}}`, 409, `conflict with \"o\" with subresource \"scale\"`},
		{"PUT", of + "/d/scale", "", scale + `4}}`, 200, `"spec":{"replicas":4}`},
		{"GET", of + "/d", "", "", 200, `"replicas":4|"generation":3`},
		{"PUT", of + "/d/scale?dryRun=All", "", scale + `9}}`, 200, `"spec":{"replicas":9}`},
		{"PATCH", of + "/d/scale", json, `[{"op":"replace","path":"/spec/replicas","value":5}]`, 200, `"spec":{"replicas":5}`},
		{"PATCH", of + "/none/scale", merge, `{"spec":{"replicas":1}}`, 404, `deployments.apps \"none\" not found`},
		{"PUT", of + "/none/scale", "", strings.Replace(scale, `"d"`, `"none"`, 1) + `1}}`, 404, `\"none\" not found`},
		{"PATCH", of + "/d/status", merge, `{"spec":{"replicas":8},"status":{"replicas":6}}`, 200, `"replicas":5|"replicas":6|"generation":4`},
		{"PUT", of + "/d/status", "", head + `d"},"status":{"readyReplicas":1}}`, 200, `"readyReplicas":1|!"replicas":6`},
		{"PATCH", of + "/d", merge, `{"metadata":{"uid":"other"}}`, 422, "metadata.uid: Invalid value|field is immutable"},
		{"PATCH", of + "/d", merge, `{"metadata":{"resourceVersion":"1"}}`, 409, modify},
		{"PATCH", of + "/d", merge, `{"metadata":{"name":"e"}}`, 400, "does not match the name on the URL (d)"},
		{"PATCH", of + "/d", "Content-Type: text/plain", `{}`, 415, "application/strategic-merge-patch+json, application/apply-patch+yaml"},
		{"PATCH", of + "/d", merge, `{`, 400, "invalid JSON patch"},
		{"PATCH", of + "/d", json, `[{"op":"remove","path":"/none"}]`, 422, "the server rejected our request due to an error in our request"},
		{"PUT", of + "/e", "", head + `e"},` + spec + "}", 404, `deployments.apps \"e\" not found`},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", "",
			`{"metadata":{"name":"l"},"spec":{"holderIdentity":"h"}}`, 201, `"holderIdentity":"h"`},
		{"POST", of, "Content-Type: text/plain", "{}", 415, "the body of the request was in an unknown format"},
	})
}

// A PUT creates objects of some kinds, whatever their resourceVersion, and
// needs that of the stored object of others.
func TestUpdatesWithoutAnObject(t *testing.T) {
	const (
		apis     = "/apis/"
		needed   = "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
		classes  = apis + "node.k8s.io/v1/runtimeclasses/a"
		roles    = apis + "rbac.authorization.k8s.io/v1/namespaces/default/roles/a"
		leases   = apis + "coordination.k8s.io/v1/namespaces/default/leases/a"
		budgets  = apis + "policy/v1/namespaces/default/poddisruptionbudgets"
		services = "/api/v1/namespaces/default/services/a"
		budget   = `{"metadata":{"name":"a"},"spec":{"minAvailable":1}}`
	)
	calls(t, []call{
		{"PUT", classes, "", `{"metadata":{"name":"a"},"handler":"h"}`, 201, `"handler":"h"`},
		{"PUT", classes, "", `{"metadata":{"name":"a"},"handler":"h"}`, 422, needed},
		{"PUT", roles, "", `{"metadata":{"name":"a"}}`, 201, `"kind":"Role"`},
		{"PUT", roles, "", `{"metadata":{"name":"a","labels":{"l":"m"}}}`, 200, `"l":"m"`},
		{"PUT", leases, "", `{"metadata":{"name":"a","resourceVersion":"4"}}`, 201, `!"resourceVersion":"4"`},
		{"PUT", services, "", `{"metadata":{"name":"a"},"spec":{"ports":[{"port":1}]}}`, 201, `"port":1`},
		{"PUT", budgets + "/a", "", budget, 404, "not found"},
		{"POST", budgets, "", budget, 201, ""},
		{"PUT", budgets + "/a", "", budget, 422, needed},
		{"PATCH", budgets + "/a", "Content-Type: application/merge-patch+json", `{"spec":{"minAvailable":2}}`, 200, `"minAvailable":2`},
	})
}

// Reviews are answered at once: the client may do everything.
func TestReviews(t *testing.T) {
	const (
		authentication = "/apis/authentication.k8s.io/v1/"
		authorization  = "/apis/authorization.k8s.io/v1/"
		bindings       = "/api/v1/namespaces/default/bindings"
		bind           = `{"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}`
		pod            = `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`
	)
	calls(t, []call{
		{"POST", authentication + "selfsubjectreviews", "", "{}", 201, `"kind":"SelfSubjectReview"|"metadata":{"creationTimestamp":|!"managedFields"|` +
			`"status":{"userInfo":{"groups":["system:masters","system:authenticated"],` +
			`"username":"kubernetes-admin"}}`},
		{"POST", authentication + "tokenreviews", "", `{"spec":{"token":"t"}}`, 201,
			`"status":{"authenticated":false,"user":{}}`},
		{"POST", authorization + "selfsubjectrulesreviews", "", "{}", 201, `"status":{"incomplete":false,` +
			`"nonResourceRules":[{"nonResourceURLs":["*"],"verbs":["*"]}],` +
			`"resourceRules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}`},
		{"POST", authorization + "selfsubjectaccessreviews", "", "{}", 201, `"status":{"allowed":true}`},
		{"POST", authorization + "selfsubjectaccessreviews", "", "{", 400, "cannot be handled as a SelfSubjectAccessReview"},
		{"GET", authorization + "selfsubjectaccessreviews", "", "", 405, ""},
		{"POST", bindings, "", bind, 404, `pods \"p\" not found`},
		{"POST", "/api/v1/namespaces/default/pods", "", pod, 201, ""},
		{"POST", bindings, "", bind, 201, `"status":"Success"`},
		{"POST", bindings, "", bind, 409, `pod p is already assigned to node \"n\"`},
		{"GET", "/api/v1/namespaces/default/pods/p", "", "", 200, `"nodeName":"n"`},
	})
}

// An object of a built-in kind is refused by the structure of the kind.
func TestBuiltInStructure(t *testing.T) {
	const (
		deploys   = "/apis/apps/v1/namespaces/default/deployments"
		ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses"
		pods      = "/api/v1/namespaces/default/pods"
		of        = `{"metadata":{"name":"a"},"spec":`
		pod       = `"spec":{"containers":[{"name":"c","image":"i"}]}`
		deploy    = of + `{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` +
			pod + `}}}`
	)
	calls(t, []call{
		{"POST", deploys, "", strings.Replace(deploy, `"labels":{"a":"b"}`, `"labels":{"a":"c"}`, 1), 422,
			"spec.template.metadata.labels: Invalid value"},
		{"POST", deploys, "", strings.Replace(deploy, `"image":"i"}`, `"image":"i"},{"name":"c"}`, 1), 422,
			"spec.template.spec.containers[1]: Duplicate value"},
		{"POST", deploys, "", strings.Replace(deploy, `"image":"i"`, `"imagePullPolicy":"Now"`, 1), 422,
			"spec.template.spec.containers[0].imagePullPolicy: Unsupported value"},
		{"POST", deploys, "", deploy, 201, ""},
		{"PUT", deploys + "/a", "", strings.Replace(deploy, `"name":"c",`, "", 1), 422,
			"spec.template.spec.containers[0].name: Required value"},
		{"POST", ingresses, "", of + `{"rules":[{"http":{"paths":[{"path":"/"}]}}]}}`, 422,
			"spec.rules[0].http.paths[0].pathType: Required value"},
		{"POST", pods, "", `{"metadata":{"name":"a"},` + strings.Replace(pod, `"image":"i"`,
			`"volumeMounts":[{"name":"v"}]`, 1) + "}", 422,
			"spec.containers[0].volumeMounts[0].mountPath: Required value"},
	})
}

// Options and bodies that a built-in kind refuses.
func TestBuiltInRefuses(t *testing.T) {
	const (
		maps     = "/api/v1/namespaces/default/configmaps"
		deploys  = "/apis/apps/v1/namespaces/default/deployments"
		services = "/apis/apiregistration.k8s.io/v1/apiservices"
		protobuf = "Content-Type: application/vnd.kubernetes.protobuf"
		apply    = "Content-Type: application/apply-patch+yaml"
		of       = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"`
		accept   = "Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	)
	calls(t, []call{
		{"POST", maps + "?dryRun=Some", "", of + "}}", 422, "dryRun: Unsupported value"},
		{"POST", maps, "", `{"data":{}}`, 422, "metadata.name: Required value: name or generateName is required"},
		{"POST", maps, "", of + "}}", 201, `"namespace":"default"`},
		{"PUT", maps + "/a?dryRun=Some", "", of + "}}", 422, "dryRun: Unsupported value"},
		{"PUT", maps + "/a", "", "{", 400, "cannot be handled as a ConfigMap"},
		{"PUT", maps + "/a", "", of + `,"namespace":"other"}}`, 400,
			"the namespace of the provided object does not match the namespace sent on the request"},
		{"PATCH", maps + "/a?dryRun=Some", apply, of + "}}", 422, "dryRun: Unsupported value"},
		{"PATCH", maps + "/a?fieldManager=m&fieldValidation=Strict", apply, of + `},"data":{},"data":{}}`,
			400, "error strict decoding patch"},
		{"PATCH", maps + "/a?fieldManager=m", apply, of + `},"data":{"k":1}}`, 500, ""},
		{"PATCH", maps + "/a?fieldManager=m", apply, "{", 400, "error decoding patch"},
		{"DELETE", maps + "/a?gracePeriodSeconds=x", "", "", 400, `strconv.ParseInt: parsing \"x\": invalid syntax`},
		{"DELETE", maps + "/a", protobuf, "k8s\x00\xff", 400, ""},
		{"DELETE", maps, "", `{"preconditions":{"uid":"u"}}`, 409, "the UID in the precondition (u)"},
		{"GET", maps + "?limit=x", "", "", 400, `strconv.ParseInt: parsing \"x\": invalid syntax`},
		{"GET", maps + "/a", "Accept: ;;,application/yaml", "", 200, "application/yaml"},
		{"GET", maps + "/a", accept, "", 200, `"kind":"PartialObjectMetadata"`},
		{"POST", services, "", `{"metadata":{"name":"v1.a"},"spec":{"any":1}}`, 201, `"any":1`},
		{"POST", services, "", `{"kind":"Other","metadata":{"name":"v1.b"}}`, 400,
			"the body is of apiregistration.k8s.io/v1, Kind=Other"},
		{"POST", services, "", `{"metadata":`, 400, "cannot be handled as a APIService"},
		{"PUT", deploys + "/d/scale", protobuf, "k8s\x00\xff", 400, "unexpected EOF"},
		{"PUT", deploys + "/d/scale", "", `{"kind":"Other","apiVersion":"v1","metadata":{"name":"d"}}`, 400,
			"is registered for version"},
		{"GET", "?watch=true&resourceVersion=x", "", "", 500, `resourceVersion: Invalid value: \"x\": strconv.ParseUint: `},
		{"GET", "/openapi/v3/api/v1", "", "", 404, ""},
	})
}

// What the server adds to objects of single kinds, and what it keeps of them.
func TestBuiltInKinds(t *testing.T) {
	const (
		services = "/api/v1/namespaces/default/services"
		jobs     = "/apis/batch/v1/namespaces/default/jobs"
		pods     = "/api/v1/namespaces/default/pods"
		spaces   = "/api/v1/namespaces"
		rcs      = "/api/v1/namespaces/default/replicationcontrollers"
		partial  = "Accept: application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
		list     = "Accept: application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
		table    = "Accept: application/json;as=Table;g=meta.k8s.io;v=v1beta1"
		merge    = "Content-Type: application/merge-patch+json"
		uid      = "batch.kubernetes.io/controller-uid"
		template = `"template":{"metadata":{"labels":{"a":"b"}},"spec":{"restartPolicy":"Never",` +
			`"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}}`
	)
	named := func(name, spec string) string {
		return `{"metadata":{"name":"` + name + `"},"spec":{` + spec + `}}`
	}
	calls(t, []call{
		{"POST", services, "", named("a", `"ports":[{"port":1}]`), 201, `"clusterIP":"10.0.0.3","clusterIPs":["10.0.0.3"]`},
		{"POST", services, "", named("b", `"ports":[{"port":1}]`), 201, `"clusterIP":"10.0.0.4","clusterIPs":["10.0.0.4"]`},
		{"PUT", services + "/a", "", named("a", `"ports":[{"port":2}]`), 200, `"clusterIP":"10.0.0.3","clusterIPs":["10.0.0.3"]|"port":2`},
		{"POST", services, "", named("c", `"clusterIP":"None"`), 201, `"clusterIP":"None","clusterIPs":["None"]`},
		{"POST", services, "", named("d", `"type":"ExternalName","externalName":"a.b"`), 201, `!clusterIP`},
		{"PATCH", services + "/d", merge, `{"spec":{"type":"ClusterIP","ports":[{"port":1}]}}`, 200, `"clusterIP":"10.0.0.5"`},
		{"POST", jobs, "", named("a", template), 201, `"matchLabels":{"` + uid + `":|"` + uid + `":|"controller-uid":|` +
			`"batch.kubernetes.io/job-name":"a"|"job-name":"a"|"a":"b"`},
		{"POST", jobs, "", named("b", `"selector":{"matchLabels":{"a":"b"}},`+template), 201,
			`"selector":{"matchLabels":{"a":"b"}}|"job-name":"b"`},
		{"POST", jobs, "", named("c", `"manualSelector":true,"selector":{"matchLabels":{"a":"b"}},`+template), 201,
			`"selector":{"matchLabels":{"a":"b"}}|!job-name|!controller-uid`},
		{"PATCH", jobs + "/c", merge, `{"metadata":{"labels":{"x":"y"}}}`, 200, `!job-name`},
		{"POST", pods, "", named("a", `"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]`), 201,
			`"qosClass":"Burstable"|"priority":0|"preemptionPolicy":"PreemptLowerPriority"|` +
				`"node.kubernetes.io/not-ready"|"node.kubernetes.io/unreachable"`},
		{"PATCH", pods + "/a", merge, `{"spec":{"tolerations":null}}`, 200, `!tolerationSeconds`},
		{"POST", spaces, "", named("n", `"finalizers":["a.b/c"]`), 201, `"finalizers":["kubernetes"]`},
		{"PATCH", spaces + "/n", merge, `{"spec":{"finalizers":["a.b/c"]}}`, 200, `"finalizers":["kubernetes"]`},
		{"PUT", spaces + "/n/finalize", "", named("n", `"finalizers":["a.b/c"]`), 200, `"finalizers":["a.b/c"]`},
		{"POST", rcs, "", named("a", `"replicas":2,"selector":{"a":"b"},`+
			strings.Replace(template, "Never", "Always", 1)), 201, `"replicas":2`},
		{"GET", rcs + "/a/scale", "", "", 200, `"spec":{"replicas":2}|"selector":"a=b"`},
		{"GET", services, partial, "", 406, "you requested PartialObjectMetadata, but the requested object is a list (*core.ServiceList)"},
		{"GET", "/apis/rbac.authorization.k8s.io/v1/roles", partial, "", 406, "(*rbac.RoleList)"},
		{"GET", "/apis/events.k8s.io/v1/events", partial, "", 406, "(*core.EventList)"},
		{"GET", services, list, "", 200, `"kind":"PartialObjectMetadataList"|!"port"`},
		{"GET", services + "?watch=true&timeoutSeconds=1", list, "", 200, `"kind":"PartialObjectMetadata"|!List|"name":"a"|!"port"`},
		{"GET", services, table, "", 200, `"apiVersion":"meta.k8s.io/v1beta1"|!meta.k8s.io/v1"|"cells":["c","ClusterIP","None"`},
	})
}

// A scale without replicas is written, but not read. A definition is only valid
// with a schema that is.
func TestWithoutReplicas(t *testing.T) {
	const (
		scale = `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"`
		merge = "Content-Type: application/merge-patch+json"
		crds  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	)
	calls(t, []call{
		{"POST", "", "", desk + `a"},"spec":{}}`, 201, `!replicas`},
		{"GET", "/a/scale", "", "", 500, `the spec replicas field \".spec.replicas\" does not exist|"reason":"InternalError"`},
		{"PATCH", "/a/status", merge, `{"status":{"replicas":7,"selector":"c=d"}}`, 200, `"selector":"c=d"`},
		{"PUT", "/a/scale?dryRun=All", "", scale + `},"spec":{"replicas":3}}`, 200, `"spec":{"replicas":3},"status":{"replicas":7,"selector":"c=d"}`},
		{"PATCH", "/a/scale?dryRun=All", merge, `{"spec":{"replicas":4}}`, 200, `"spec":{"replicas":4},"status":{"replicas":7,"selector":"c=d"}`},
		{"PUT", "/a/scale", "", scale + `},"spec":{"replicas":0}}`, 200, `"status":{"replicas":7,"selector":"c=d"}`},
		{"GET", "/a", "", "", 200, `"replicas":0`},
		{"POST", crds, "", `{"metadata":{"name":"a.b"},"spec":{"group":"b"}}`, 422, `"name":"a.b","group":"apiextensions.k8s.io","kind":"CustomResourceDefinition"|spec.versions: Invalid value`},
		{"PATCH", crds + "/desks.example.com/status", merge, `{"status":{"acceptedNames":{"kind":"-"}}}`, 422, `status.acceptedNames.kind: Invalid value`},
		{"PATCH", crds + "/desks.example.com", merge, `{"spec":{"group":"other.com"}}`, 422, `spec.group: Invalid value`},
		{"PUT", crds + "/desks.example.com", "", `{"metadata":{"name":"desks.example.com"}}`, 422, `metadata.resourceVersion: Invalid value: 0: must be specified for an update`},
	})
}
