package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ask sends a request to a server, and returns the code and the body.
func ask(s *Server, method, path, media, body string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", media)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const configMaps = "/api/v1/namespaces/default/configmaps"

func configMap(name string, bytes int) string {
	return fmt.Sprintf(`{"metadata":{"name":%q},"data":{"a":%q}}`, name, strings.Repeat("x", bytes))
}

// An object that etcd would refuse is refused with its text, however it grows.
// One that only its managers make too large is stored without them.
func TestObjectsAreBounded(t *testing.T) {
	s := started(t, Options{MaxObjectBytes: 10_000, MaxStoredBytes: 100_000})
	for _, c := range []struct {
		method, path, media, body string
		code                      int
		text                      string
	}{
		{"POST", configMaps, asJSONBody, configMap("a", 5_000), 201, `"managedFields"`},
		{"POST", configMaps, asJSONBody, configMap("b", 10_001), 500, "etcdserver: request is too large"},
		{"PATCH", configMaps + "/a", asMerge, `{"data":{"b":"` + strings.Repeat("y", 4_700) + `"}}`,
			200, ""},
		{"PATCH", configMaps + "/a", asMerge, `{"data":{"c":"` + strings.Repeat("z", 4_000) + `"}}`,
			500, "etcdserver: request is too large"},
		{"PATCH", configMaps + "/a?fieldManager=m&force=true", asApplyBody,
			`{"apiVersion":"v1","kind":"ConfigMap","data":{"d":"` + strings.Repeat("z", 400) + `"}}`,
			400, "name must be provided"},
		{"GET", configMaps + "/a", asJSONBody, "", 200, `"b":"yyy`},
	} {
		code, body := ask(s, c.method, c.path, c.media, c.body)
		if code != c.code || !strings.Contains(body, c.text) {
			t.Errorf("%s %s: %d %.300s", c.method, c.path, code, body)
		}
	}
	_, body := ask(s, "GET", configMaps+"/a", asJSONBody, "")
	if strings.Contains(body, "managedFields") {
		t.Errorf("an object of %d bytes has its managers", len(body))
	}
	full := 0
	for i := range 30 {
		code, body := ask(s, "POST", configMaps, asJSONBody, configMap(fmt.Sprint("n", i), 5_000))
		if code == http.StatusInternalServerError &&
			strings.Contains(body, "etcdserver: mvcc: database space exceeded") {
			full++
		}
	}
	if full < 5 || full > 20 {
		t.Errorf("%d of 30 objects found no room", full)
	}
	if code, body := ask(s, "DELETE", configMaps+"/n0", asJSONBody, ""); code != http.StatusOK {
		t.Errorf("a delete in a full store: %d %s", code, body)
	}
}

// A watch and a page of what the history has no room for are told to begin
// anew.
func TestHistoryIsBounded(t *testing.T) {
	s := started(t, Options{MaxHistoryBytes: 50_000})
	ask(s, "POST", configMaps, asJSONBody, configMap("a", 10))
	ask(s, "POST", configMaps, asJSONBody, configMap("b", 10))
	_, page := ask(s, "GET", configMaps+"?limit=1", asJSONBody, "")
	_, token, _ := strings.Cut(page, `"continue":"`)
	token, _, _ = strings.Cut(token, `"`)
	from := s.cluster.store.Revision()
	for i := range 40 {
		body := fmt.Sprintf(`{"data":{"a":"%d%s"}}`, i, strings.Repeat("x", 5_000))
		if code, body := ask(s, "PATCH", configMaps+"/a", asMerge, body); code != http.StatusOK {
			t.Fatalf("%d %s", code, body)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, "GET",
		fmt.Sprintf("%s?watch=true&resourceVersion=%d", configMaps, from), nil)
	r.Header.Set("Authorization", "Bearer "+s.token)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if got := w.Body.String(); !strings.Contains(got, `"code":410`) {
		t.Errorf("a watch of the past: %s", got)
	}
	code, body := ask(s, "GET", configMaps+"?limit=1&continue="+token, asJSONBody, "")
	if code != http.StatusGone {
		t.Errorf("a page of the past: %d %s", code, body)
	}
}

// With a period the objects are in the file while the server runs.
func TestDataEvery(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	s := started(t, Options{Data: path, DataEvery: 10 * time.Millisecond})
	ask(s, "POST", configMaps, asJSONBody, configMap("kept", 10))
	end := time.Now().Add(20 * time.Second)
	for {
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), `"name":"kept"`) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("not written: %v", err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
