package server

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// pages is a client that notes the sizes of what it is sent.
type pages struct {
	*httptest.ResponseRecorder

	largest, all int
}

// Write implements http.ResponseWriter.
func (p *pages) Write(text []byte) (int, error) {
	p.largest, p.all = max(p.largest, len(text)), p.all+len(text)
	return len(text), nil
}

// A watch that begins is sent the objects in pages, each made ready in its
// turn: without one it waits, and holds no more than a page. What another watch
// was sent is ready.
func TestWatchesBegin(t *testing.T) {
	const (
		path    = "/api/v1/namespaces/default/configmaps"
		objects = 30
		size    = 100_000
	)
	c := newTestCluster(t)
	for i := range objects {
		code, text := asked(t, c, http.MethodPost, path, fmt.Sprintf(
			`{"metadata":{"name":"a%d"},"data":{"a":%q}}`, i, strings.Repeat("x", size)))
		if code != http.StatusCreated {
			t.Fatal(text)
		}
	}
	begin := func(query string) *pages {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		client := &pages{ResponseRecorder: httptest.NewRecorder()}
		c.ServeHTTP(client, httptest.NewRequestWithContext(ctx, http.MethodGet,
			path+"?watch=true"+query, nil))
		return client
	}
	if got := begin(""); got.largest > presentBytes+2*size || got.all < objects*size {
		t.Errorf("a watch is sent %d bytes, at most %d at once", got.all, got.largest)
	}
	for range cap(c.turns) {
		c.turns <- struct{}{}
	}
	if got := begin("&labelSelector=!b"); got.all > 0 {
		t.Errorf("a watch is sent %d bytes before its turn", got.all)
	}
	if got := begin(""); got.all < objects*size {
		t.Errorf("a watch is sent %d bytes of the pages that are ready", got.all)
	}
}
