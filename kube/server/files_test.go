package server

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is written for its owner alone. What a link leads to stays.
func TestWriteKubeconfig(t *testing.T) {
	dir := t.TempDir()
	other, link := filepath.Join(dir, "other"), filepath.Join(dir, "config")
	if err := os.WriteFile(other, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	s := started(t, Options{})
	if err := s.WriteKubeconfig(link); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, mode %v", err, info.Mode())
	}
	for path, want := range map[string]string{link: s.token, other: "mine"} {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

// Two servers do not share a file, and what a killed one left is removed.
func TestDataIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	stray := path + newSuffix + "1"
	if err := os.WriteFile(stray, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := Start(t.Context(), Options{Data: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stray); err == nil {
		t.Error("the stray is still there")
	}
	_, err = Start(t.Context(), Options{Data: path})
	if err == nil || !strings.Contains(err.Error(), "another server uses it") {
		t.Error(err)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second, err := Start(t.Context(), Options{Data: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Stop(); err != nil {
		t.Fatal(err)
	}
	if first.cluster.uid() == second.cluster.uid() {
		t.Error("a uid twice")
	}
}

// An address without a host is one of the loopback interface.
func TestOnLoopback(t *testing.T) {
	for address, want := range map[string]string{
		"": "127.0.0.1:0", ":8443": "127.0.0.1:8443", "0.0.0.0:1": "0.0.0.0:1", "[::1]:0": "[::1]:0",
		"none": "",
	} {
		if got, err := onLoopback(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", address, got, err, want)
		}
	}
}

// Only a bearer of the token is let in.
func TestBearer(t *testing.T) {
	s := started(t, Options{})
	for header, want := range map[string]int{
		"Bearer " + s.token: http.StatusOK, "bearer " + s.token: http.StatusOK,
		s.token: http.StatusUnauthorized, "Basic " + s.token: http.StatusUnauthorized,
		"Bearer": http.StatusUnauthorized, "": http.StatusUnauthorized,
	} {
		r := httptest.NewRequest(http.MethodGet, "/api", nil)
		r.Header.Set("Authorization", header)
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d, want %d", strings.ReplaceAll(header, s.token, "TOKEN"), w.Code, want)
		}
	}
}

// The group without a name has one path only, and nothing is behind a proxy.
func TestOddPaths(t *testing.T) {
	c := newTestCluster(t)
	for path, want := range map[string]int{
		"/api/v1/namespaces": 200, "/apis//v1/namespaces": 404,
		"/api/v1/namespaces/default/services/kubernetes":         200,
		"/api/v1/namespaces/default/services/kubernetes/proxy/":  503,
		"/api/v1/namespaces/default/services/kubernetes/proxy/a": 404,
	} {
		if code, text := asked(t, c, http.MethodGet, path, ""); code != want {
			t.Errorf("%s: %d, want %d: %s", path, code, want, text)
		}
	}
}
