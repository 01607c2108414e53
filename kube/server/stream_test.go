package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/merge/apply"
	"github.com/crdsem/crdsem/minors"
)

// stream is an answer that takes so many writes. Each flush is a bar.
type stream struct {
	mu     sync.Mutex
	header http.Header
	left   int
	text   strings.Builder
}

func (s *stream) Header() http.Header { return s.header }
func (s *stream) WriteHeader(int)     {}

func (s *stream) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left--; s.left < 0 {
		return 0, errors.New("the client has gone")
	}
	return s.text.Write(text)
}

func (s *stream) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.WriteString("|")
}

// taken returns what was written since the last call.
func (s *stream) taken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.text.Reset()
	return s.text.String()
}

// asked sends a request and returns its code and body.
func asked(t *testing.T, to http.Handler, method, path, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	w := httptest.NewRecorder()
	to.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// aKinds is a definition of cluster-scoped objects with any spec.
const aKinds = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
	`"metadata":{"name":"as.g.io"},"spec":{"group":"g.io","scope":"Cluster","names":` +
	`{"plural":"as","singular":"a","kind":"A","listKind":"AList"},"versions":[{"name":"v1",` +
	`"served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",` +
	`"x-kubernetes-preserve-unknown-fields":true}}}]}}`

func handlerOf(t *testing.T, definitions ...string) *Handler {
	t.Helper()
	all := make([]*crdsem.Definition, len(definitions))
	for i, text := range definitions {
		var err error
		if all[i], err = crdsem.Parse([]byte(text), apply.Server()); err != nil {
			t.Fatal(err)
		}
	}
	h, err := NewHandler(all...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// events matches the kinds of events.
var events = regexp.MustCompile(`ADDED|MODIFIED|DELETED|BOOKMARK|ERROR`)

// A watch that asks for bookmarks gets one each minute, of the last write, and
// one at the end of what is there if it does not begin at a revision. It ends
// after its time.
func TestBookmarks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const (
			as    = "/apis/g.io/v1/as"
			a     = `{"apiVersion":"g.io/v1","kind":"A","metadata":{"name":"`
			mark  = `{"object":{"apiVersion":"g.io/v1","kind":"A","metadata":{"resourceVersion":"`
			first = `{"object":{"apiVersion":"g.io/v1","kind":"A","metadata":{"annotations":` +
				`{"k8s.io/initial-events-end":"true"},"resourceVersion":"2"}},"type":"BOOKMARK"}` + "\n||"
			end = `"}},"type":"BOOKMARK"}` + "\n|"
		)
		h := handlerOf(t, aKinds)
		if code, text := asked(t, h, "POST", as, a+`one"}}`); code != 201 {
			t.Fatal(text)
		}
		watches := map[string]*stream{}
		began, ended := time.Now(), sync.Map{}
		for query, form := range map[string]string{
			"allowWatchBookmarks=true&timeoutSeconds=150":                   "",
			"allowWatchBookmarks=true&timeoutSeconds=150&resourceVersion=1": "",
			"timeoutSeconds=30&resourceVersion=2":                           "",
			"allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan" +
				"&timeoutSeconds=61": "",
		} {
			s := &stream{header: http.Header{}, left: 100}
			watches[query] = s
			go func() {
				r := httptest.NewRequestWithContext(t.Context(), "GET",
					as+"?watch=true&"+query, nil)
				r.Header.Set("Accept", form)
				h.ServeHTTP(s, r)
				ended.Store(query, time.Since(began))
			}()
		}
		expect := func(query, want string) {
			t.Helper()
			if got := watches[query].taken(); got != want {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		names := func(query, want string) {
			t.Helper()
			got := strings.Join(events.FindAllString(watches[query].taken(), -1), " ")
			if got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		synctest.Wait()
		const (
			plain   = "allowWatchBookmarks=true&timeoutSeconds=150"
			since   = "allowWatchBookmarks=true&timeoutSeconds=150&resourceVersion=1"
			without = "timeoutSeconds=30&resourceVersion=2"
			initial = "allowWatchBookmarks=true&sendInitialEvents=true" +
				"&resourceVersionMatch=NotOlderThan&timeoutSeconds=61"
		)
		names(plain, "ADDED BOOKMARK")
		names(since, "ADDED")
		expect(without, "|")
		text := watches[initial].taken()
		if _, after, _ := strings.Cut(text, "\n"); after != first {
			t.Errorf("%q, want %q", after, first)
		}
		if code, text := asked(t, h, "POST", as, a+`two"}}`); code != 201 {
			t.Fatal(text)
		}
		synctest.Wait()
		for _, query := range []string{plain, since, without, initial} {
			names(query, "ADDED")
		}
		time.Sleep(59 * time.Second)
		synctest.Wait()
		expect(plain, "")
		time.Sleep(time.Second)
		synctest.Wait()
		for _, query := range []string{plain, since, initial} {
			expect(query, mark+"3"+end+"|")
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		expect(plain, mark+"3"+end+"|")
		expect(without, "")
		for query, want := range map[string]time.Duration{
			plain: 150 * time.Second, since: 150 * time.Second, without: 30 * time.Second,
			initial: 61 * time.Second,
		} {
			if got, _ := ended.Load(query); got != want {
				t.Errorf("%s: ended after %v, want %s", query, got, want)
			}
		}
	})
}

// A watch ends when its client has gone, at each write, and when its definition
// changes.
func TestWatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := newCluster(minors.Newest(), nil)
		if err != nil {
			t.Fatal(err)
		}
		c.starting = false
		const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
		if code, text := asked(t, c, "POST", crds, aKinds); code != 201 {
			t.Fatal(text)
		}
		const table = "application/json;as=Table;g=meta.k8s.io;v=v1"
		for _, test := range []struct {
			path, accept string
			writes       int
			change       string // a patch
			want         string // what is written
		}{
			{"/api/v1/namespaces?watch=true", "", 0, "", ""},
			{"/api/v1/namespaces?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan" +
				"&allowWatchBookmarks=true", "", 1, "", "default kube-node-lease kube-public kube-system"},
			{"/api/v1/namespaces?watch=true", "", 1, `{"metadata":{"labels":{"a":"%s"}}}`,
				"default kube-node-lease kube-public kube-system"},
			{"/api/v1/namespaces?watch=true", table, 1, `{"metadata":{"labels":{"b":"%s"}}}`,
				"default kube-node-lease kube-public kube-system"},
			{"/api/v1/namespaces?watch=true&resourceVersion=1", "application/vnd.kubernetes.protobuf", 1,
				"", "default"},
			{"/apis/g.io/v1/as?watch=true&resourceVersion=1", "", 9, "definition", ""},
		} {
			for _, flushes := range []bool{true, false} {
				s := &stream{header: http.Header{}, left: test.writes}
				var w http.ResponseWriter = s
				if !flushes {
					w = struct{ http.ResponseWriter }{s}
				}
				done := make(chan struct{})
				go func() {
					defer close(done)
					r := httptest.NewRequestWithContext(context.Background(), "GET", test.path, nil)
					r.Header.Set("Accept", test.accept)
					c.ServeHTTP(w, r)
				}()
				synctest.Wait()
				if test.change != "" {
					of := "/api/v1/namespaces/default"
					change := fmt.Sprintf(test.change, fmt.Sprint(flushes))
					if test.change == "definition" {
						of = crds + "/as.g.io"
						change = fmt.Sprintf(`{"spec":{"names":{"shortNames":["s%t"]}}}`, flushes)
					}
					select {
					case <-done:
						t.Errorf("%+v: it ends too early", test)
					default:
					}
					if code, text := asked(t, c, "PATCH", of, change); code != 200 {
						t.Fatal(text)
					}
				}
				<-done // else the test is in a deadlock
				var names []string
				text := s.taken()
				for _, name := range []string{
					"default", "kube-node-lease", "kube-public", "kube-system",
				} {
					if strings.Contains(text, name) {
						names = append(names, name)
					}
				}
				if got := strings.Join(names, " "); got != test.want {
					t.Errorf("%+v: %s", test, got)
				}
				if strings.Contains(text, "|") != (flushes && (test.change != "")) {
					t.Errorf("%+v: flushed %q", test, text)
				}
			}
		}
	})
}
