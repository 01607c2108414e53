package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

// A request is answered with a code, and with a body that has a value at a
// path; an empty path is none.
func TestRequests(t *testing.T) {
	config := started(t, folder(t)).Config()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	const tabs = "/apis/example.com/v1/namespaces/default/tabs"
	body := func(name string) string {
		return `{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":"` + name +
			`","labels":{"app":"x"}}}`
	}
	for _, c := range []struct {
		method, path, agent, body string
		code                      int
		at, want                  string // a path in the answer, and its value
	}{
		{"POST", tabs, "kubectl/1.37 (linux)", body("a"), 201, "metadata.managedFields.0.manager", "kubectl"},
		{"POST", tabs, "a\u200bb\u00adc/1", body("b"), 201, "metadata.managedFields.0.manager", "abc"},
		{"POST", tabs, strings.Repeat("é", 63) + "abc/1", body("c"), 201,
			"metadata.managedFields.0.manager", strings.Repeat("é", 63) + "ab"},
		{"POST", tabs, strings.Repeat("é", 64) + "a/1", body("d"), 201,
			"metadata.managedFields.0.manager", strings.Repeat("é", 64)},
		{"POST", tabs, "a" + strings.Repeat("é", 64), body("e"), 201,
			"metadata.managedFields.0.manager", "a" + strings.Repeat("é", 63)},
		{"POST", tabs + "?fieldManager=given", "a/1", body("f"), 201,
			"metadata.managedFields.0.manager", "given"},
		{"GET", tabs + "?limit=2", "", "", 200, "metadata.remainingItemCount", "4"},
		{"GET", tabs + "?limit=6", "", "", 200, "metadata.remainingItemCount", "<nil>"},
		{"GET", tabs + "?limit=2&labelSelector=app%3Dx", "", "", 200,
			"metadata.remainingItemCount", "<nil>"},
		{"GET", tabs + "?limit=2&fieldSelector=metadata.namespace%3Ddefault", "", "", 200,
			"metadata.remainingItemCount", "<nil>"},
		{"GET", tabs + "?limit=2&labelSelector=app%3Dx", "", "", 200, "items.1.metadata.name", "b"},
		{"GET", tabs + "?labelSelector=app%3Dy", "", "", 200, "items.0", "<nil>"},
		{"GET", tabs + "?fieldSelector=metadata.name%3Dc", "", "", 200, "items.0.metadata.name", "c"},
		{"GET", tabs + "?fieldSelector=metadata.name%3Dc", "", "", 200, "items.1", "<nil>"},
		{"GET", tabs + "/a", "", "", 200, "metadata.name", "a"},
		{"GET", "/" + tabs[1:] + "/a/", "", "", 200, "metadata.name", "a"},
		{"GET", "/apis/example.com/v1/tabs", "", "", 200, "items.5.metadata.name", "f"},
		{"GET", tabs + "/z", "", "", 404, "reason", "NotFound"},
		{"GET", tabs + "/a/status/more", "", "", 404, "code", "404"},
		{"GET", tabs + "/a/other", "", "", 404, "code", "404"},
		{"GET", "/apis/example.com/v1/namespaces/default/other", "", "", 404, "", "<nil>"},
		{"GET", "/apis/example.com/v2/namespaces/default/tabs", "", "", 404, "", "<nil>"},
		{"GET", "/apis/other.com/v1/namespaces/default/tabs", "", "", 404, "", "<nil>"},
		{"GET", "/other/example.com/v1/namespaces/default/tabs", "", "", 404, "", "<nil>"},
		{"GET", "/api/v1/namespaces/default", "", "", 200, "metadata.name", "default"},
		{"GET", "/api/v1/namespaces/default/status", "", "", 200, "metadata.name", "default"},
		{"GET", "/api/v1/namespaces/default/configmaps", "", "", 200, "kind", "ConfigMapList"},
		{"POST", "/api/v1/nodes", "", `{"metadata":{"name":"n","namespace":"x"}}`, 201, "metadata.namespace", "<nil>"},
		{"POST", "/api/v1/namespaces/default/configmaps", "", `{"metadata":{"name":"n","namespace":"x"}}`, 400, "reason", "BadRequest"},
		{"PUT", tabs, "", body("a"), 400, "reason", "BadRequest"},
		{"DELETE", tabs + "/a?propagationPolicy=Other", "", "", 422, "reason", "Invalid"},
		{"DELETE", tabs + "/a", "", "", 200, "status", "Success"},
		{"DELETE", tabs + "/a", "", "", 404, "reason", "NotFound"},
	} {
		code, answer := sent(t, httpClient, c.method, config.Host+c.path, c.agent, c.body)
		if got := valueAt(answer, c.at); code != c.code || got != c.want {
			t.Errorf("%s %s (%q): %d, %s is %s, want %d and %s: %v", c.method, c.path, c.agent,
				code, c.at, got, c.code, c.want, answer)
		}
	}
}

// sent sends a request and returns the code and the object of the answer, or an
// object with its text.
func sent(t *testing.T, by *http.Client, method, url, agent, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", agent)
	code, _, text := answered(t, by, request)
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		object = map[string]any{"text": text}
	}
	return code, object
}

// answered returns the code, the media type and the body of an answer.
func answered(t *testing.T, by *http.Client, request *http.Request) (int, string, string) {
	t.Helper()
	code, head, text := answeredWhole(t, by, request)
	media, _, _ := strings.Cut(head, "\n")
	return code, media, text
}

// answeredWhole is answered with the warnings below the media type.
func answeredWhole(t *testing.T, by *http.Client, request *http.Request) (int, string, string) {
	t.Helper()
	response, err := by.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	head := append(response.Header.Values("Content-Type"), response.Header.Values("Warning")...)
	return response.StatusCode, strings.Join(head, "\n"), string(text)
}

// valueAt returns a value at a path of names and indexes as text.
func valueAt(value any, path string) string {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[strings.ReplaceAll(name, "\x00", ".")]
		case []any:
			if i := int(name[0] - '0'); i < len(v) {
				value = v[i]
			} else {
				value = nil
			}
		}
	}
	return fmt.Sprint(value)
}
