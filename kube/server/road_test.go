package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kube/server"
)

// roadRow is what a server does to a request that is in examples/versions: what
// it stores and answers, and what clients of each served version read, without
// what a server generates. A refused request has the server's message. The
// tests of the command, the editor and the page have the same table.
type roadRow struct {
	Name    string         `json:"name"`
	Request string         `json:"request"`
	Version string         `json:"version"`
	Refused string         `json:"refused,omitempty"`
	Stored  map[string]any `json:"stored,omitempty"`
	Answer  map[string]any `json:"answer,omitempty"`
	// Reads are by version, e.g. v1.
	Reads map[string]map[string]any `json:"reads,omitempty"`
}

const (
	versionsFolder = "../../examples/versions"
	shopsKey       = "/example.com/shops/default/"
)

// The table of the example of versions is what the server stores, by its bytes,
// and what it answers over HTTP.
func TestRoad(t *testing.T) {
	s, _ := begun(t, server.Options{Definitions: []string{versionsFolder + "/crd.yaml"}})
	for _, o := range yamlObjects(t, versionsFolder+"/stored.yaml") {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Store(shopsKey+valueAt(o, "metadata.name"), text); err != nil {
			t.Fatal(err)
		}
	}
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	c := roadClient{t, s, by}
	var table []roadRow
	for _, o := range yamlObjects(t, versionsFolder+"/objects.yaml") {
		table = append(table, c.row(o))
	}
	got, err := json.MarshalIndent(table, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.FromSlash(versionsFolder + "/table.json")
	if os.Getenv("CRDSEM_GOLDEN") == "write" {
		if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Error(diff)
	}
}

// roadClient sends the requests of the example.
type roadClient struct {
	t  *testing.T
	s  *server.Server
	by *http.Client
}

// row sends an object: an update if one of its name is there.
func (c *roadClient) row(object map[string]any) roadRow {
	c.t.Helper()
	name := valueAt(object, "metadata.name")
	_, version, _ := strings.Cut(valueAt(object, "apiVersion"), "/")
	row := roadRow{Name: name, Request: "create", Version: version}
	method, path := http.MethodPost, ""
	if _, ok := c.s.Stored(shopsKey + name); ok {
		row.Request, method, path = "update", http.MethodPut, "/"+name
		_, is := c.ask(http.MethodGet, version, path, nil)
		object["metadata"].(map[string]any)["resourceVersion"] = valueAt(is,
			"metadata.resourceVersion")
	}
	code, answer := c.ask(method, version, path, object)
	if code >= http.StatusBadRequest {
		row.Refused = valueAt(answer, "message")
		return row
	}
	text, _ := c.s.Stored(shopsKey + name)
	row.Stored, row.Answer = ownFields(c.decode(text)), ownFields(answer)
	row.Reads = map[string]map[string]any{}
	for _, v := range []string{"v1", "v1beta2", "v1alpha1"} {
		_, read := c.ask(http.MethodGet, v, "/"+name, nil)
		row.Reads[v] = ownFields(read)
	}
	return row
}

func (c *roadClient) ask(
	method, version, path string, body map[string]any,
) (int, map[string]any) {
	c.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.at(method, "/apis/example.com/"+version+"/namespaces/default/shops"+path,
		"application/json", string(text))
}

// apply applies an object by a manager. It must be admitted.
func (c *roadClient) apply(path, manager, body string) {
	c.t.Helper()
	code, answer := c.at(http.MethodPatch, path+"?fieldManager="+manager,
		"application/apply-patch+yaml", body)
	if code >= http.StatusBadRequest {
		c.t.Fatal(answer)
	}
}

// at sends a request with a body of a media type.
func (c *roadClient) at(method, path, media, body string) (int, map[string]any) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.s.Config().Host+path,
		strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	code, _, answer := answered(c.t, c.by, request)
	return code, c.decode([]byte(answer))
}

func (c *roadClient) decode(text []byte) map[string]any {
	c.t.Helper()
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil {
		c.t.Fatal(err)
	}
	return object
}

// ownFields removes what a server generates.
func ownFields(object map[string]any) map[string]any {
	metadata := object["metadata"].(map[string]any)
	for _, name := range []string{
		"uid", "creationTimestamp", "generation", "resourceVersion", "managedFields",
	} {
		delete(metadata, name)
	}
	return object
}

func yamlObjects(t *testing.T, path string) (all []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}
