package server_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem/kube/server"
)

// withDesks starts a server of desks.
func withDesks(t *testing.T) *server.Server {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "d.yaml"), []byte(desks), 0o600); err != nil {
		t.Fatal(err)
	}
	return started(t, dir)
}

// store stores an object and fails the test for an error.
func store(t *testing.T, s *server.Server, key, object string) {
	t.Helper()
	if err := s.Store(key, []byte(object)); err != nil {
		t.Fatal(err)
	}
}

// Who meets a stored object that cannot be read gets an error of its own: a
// get and a list that of the store, a write that of the decoder.
func TestUnreadableObjects(t *testing.T) {
	const (
		key    = "/example.com/desks/default/bad"
		merge  = "Content-Type: application/merge-patch+json"
		apply  = "Content-Type: application/apply-patch+yaml"
		broken = "request to convert CR from an invalid group/version: example.com/v9"
		store5 = "StorageError: corrupt object, Code: 7, Key: " + key +
			", ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision="
	)
	s := withDesks(t)
	store(t, s, key, `{"apiVersion":"example.com/v9","kind":"Desk",`+
		`"metadata":{"name":"bad","namespace":"default","uid":"u"}}`)
	get, write := store5+"|"+broken, `"message":"object not decodable revision=|`+broken
	callsOn(t, s, []call{
		{"POST", "", "", desk + `good"}}`, 201, ""},
		{"GET", "/bad", "", "", 500, get + `|"reason":"InternalError"`},
		{"GET", "", "", "", 500, get + `|"reason":"StorageReadError"|` +
			`"message":"failed to read one or more desks.example.com from the storage: ` +
			`|"details":{"name":"list","group":"example.com","kind":"desks","causes":[` +
			`{"reason":"UnexpectedServerResponse"|"field":"` + key},
		{"GET", "?watch=true", "", "", 200, `"type":"ERROR"|"code":500|` + broken},
		{"PUT", "/bad", "", desk + `bad","resourceVersion":"1"}}`, 500, write},
		{"PUT", "/bad", "", desk + `bad","uid":"other"}}`, 500, write},
		{"PUT", "/bad", "", desk + `other"}}`, 400, "does not match the name on the URL"},
		{"PUT", "/bad?dryRun=All", "", desk + `bad"}}`, 500, get},
		{"PUT", "/bad/status", "", desk + `bad","resourceVersion":"1"}}`, 500, write},
		{"PATCH", "/bad", merge, `{"spec":{}}`, 500, write},
		{"PATCH", "/bad?fieldManager=m", apply, desk + `bad"}}`, 500, write},
		{"GET", "/bad/scale", "", "", 500, ""},
		{"PUT", "/bad/scale", "", `{"metadata":{"name":"bad"},"spec":{"replicas":1}}`, 500, write},
		{"POST", "", "", desk + `bad"}}`, 409, "already exists"},
		{"POST", "?dryRun=All", "", desk + `bad"}}`, 201, `"name":"bad"`},
		{"DELETE", "/bad", "", "", 500, get},
		{"GET", "/good", "", "", 200, ""},
	})
	if _, ok := s.Stored(key); !ok {
		t.Error("the object is gone")
	}
}

// A list of a state that is forgotten is expired. A page of one goes on in the
// present with the token of the error.
func TestExpiredLists(t *testing.T) {
	s := withDesks(t)
	object := func(name string) string {
		return desk + name + `","namespace":"default","uid":"u"}}`
	}
	at := func(name string) string { return "/example.com/desks/default/" + name }
	for _, name := range []string{"a", "b"} {
		store(t, s, at(name), object(name))
	}
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	of := s.Config().Host + "/apis/example.com/v1/namespaces/default/desks"
	list := func(query string) (int, map[string]any) {
		return sent(t, by, http.MethodGet, of+"?limit=1"+query, "", "")
	}
	_, first := list("")
	revision := valueAt(first, "metadata.resourceVersion")
	for range 2100 { // more than are kept
		store(t, s, at("c"), object("c"))
	}
	const message = "The provided continue parameter is too old to display a consistent list " +
		"result. You can start a new list without the continue parameter, or use the continue " +
		"token in this response to retrieve the remainder of the results. Continuing with " +
		"the provided token results in an inconsistent list - objects that were created, " +
		"modified, or deleted between the time the first chunk was returned and " +
		"now may show up in the list."
	code, expired := list("&continue=" + valueAt(first, "metadata.continue"))
	if code != http.StatusGone || expired["reason"] != "Expired" || expired["message"] != message {
		t.Errorf("%d: %v", code, expired)
	}
	names := ""
	for next := valueAt(expired, "metadata.continue"); next != ""; {
		var page map[string]any
		code, page = list("&continue=" + next)
		names += fmt.Sprint(code, " ", valueAt(page, "items.0.metadata.name"), " ")
		next = valueAt(page, "metadata.continue")
	}
	if names != "200 b 200 c " {
		t.Errorf("the list goes on with %s", names)
	}
	code, exact := list("&resourceVersionMatch=Exact&resourceVersion=" + revision)
	if code != http.StatusGone ||
		exact["message"] != "The resourceVersion for the provided list is too old." {
		t.Errorf("%d: %v", code, exact)
	}
}

// Writes at the same time are all done: each one whose object has changed is
// done over.
func TestWritesAtTheSameTime(t *testing.T) {
	s := withDesks(t)
	const deployment = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":` +
		`{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` +
		`"spec":{"containers":[{"name":"c","image":"i"}]}}}}`
	const deployments = "/apis/apps/v1/namespaces/default/deployments"
	callsOn(t, s, []call{
		{"POST", "", "", desk + `a"},"spec":{"replicas":1}}`, 201, ""},
		{"POST", deployments, "", deployment, 201, ""},
	})
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		t.Fatal(err)
	}
	const workers, writes = 4, 25
	paths := []string{deployments + "/a", "/apis/example.com/v1/namespaces/default/desks/a"}
	done := make(chan error)
	for worker := range workers {
		go func() {
			for i := range writes {
				for _, path := range paths {
					body := fmt.Sprintf(`{"metadata":{"labels":{"l%d-%d":"x"}}}`, worker, i)
					request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch,
						s.Config().Host+path, strings.NewReader(body))
					if err != nil {
						done <- err
						return
					}
					request.Header.Set("Content-Type", "application/merge-patch+json")
					response, err := by.Do(request)
					if err == nil && response.StatusCode != http.StatusOK {
						err = fmt.Errorf("%s: %s", path, response.Status)
					}
					if err == nil {
						err = response.Body.Close()
					}
					if err != nil {
						done <- err
						return
					}
				}
			}
			done <- nil
		}()
	}
	for range workers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for _, path := range paths {
		_, object := sent(t, by, http.MethodGet, s.Config().Host+path, "", "")
		labels, _ := object["metadata"].(map[string]any)["labels"].(map[string]any)
		if len(labels) != workers*writes {
			t.Errorf("%s: %d of %d writes", path, len(labels), workers*writes)
		}
	}
}
