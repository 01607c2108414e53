package server_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/crdsem/crdsem/kube/server"
)

// BenchmarkLoad writes 100,000 times over TLS: eight clients make objects, and
// change each of them once. With watches, one of them never reads. The
// processor time is that of the clients, too.
func BenchmarkLoad(b *testing.B) {
	for _, watches := range []int{0, 10, 1000} {
		b.Run(fmt.Sprint(watches, "-watches"), func(b *testing.B) {
			writes := 100_000
			if testing.Short() || watches > 10 {
				writes = 2_000
			}
			for b.Loop() {
				load(b, watches, writes)
			}
		})
	}
}

// load starts a server, opens watches and writes.
func load(b *testing.B, watches, writes int) {
	const clients = 8
	dir := b.TempDir()
	writeDefinition(b, dir)
	s, err := server.Start(b.Context(), server.Options{Definitions: []string{dir}})
	if err != nil {
		b.Fatal(err)
	}
	url := s.Config().Host + "/apis/example.com/v1/namespaces/default/tabs"
	for i := range watches {
		follow(b, clientOf(b, s), url+"?watch=true", i > 0)
	}
	heap, used := heapBytes(), processorTime(b)
	size := 0
	var all sync.WaitGroup
	for n := range clients {
		by := clientOf(b, s)
		all.Go(func() {
			for i := range writes / clients / 2 {
				name := fmt.Sprintf("t-%d-%d", n, i)
				body := fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Tab","metadata":{"name":%q},`+
					`"spec":{"size":3}}`, name)
				made := do(b, by, http.MethodPost, url, body)
				if n+i == 0 {
					size = len(made)
				}
				changed := strings.Replace(made, `"size":3`, `"size":4`, 1)
				do(b, by, http.MethodPut, url+"/"+name, changed)
			}
		})
	}
	all.Wait()
	used = processorTime(b) - used
	grown := float64(heapBytes()-heap) / float64(writes/2)
	b.ReportMetric(float64(writes)/used, "writes/cpu-s")
	b.ReportMetric(grown-float64(size), "B/object-above-JSON")
	if err := s.Stop(); err != nil {
		b.Fatal(err)
	}
}

func clientOf(b *testing.B, s *server.Server) *http.Client {
	b.Helper()
	by, err := rest.HTTPClientFor(s.Config())
	if err != nil {
		b.Fatal(err)
	}
	return by
}

// do sends a request, which must be answered with a code below 300, and returns
// the answer.
func do(b *testing.B, by *http.Client, method, url, body string) string {
	request, err := http.NewRequestWithContext(b.Context(), method, url, strings.NewReader(body))
	if err != nil {
		b.Error(err)
		return ""
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := by.Do(request)
	if err != nil {
		b.Error(err)
		return ""
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	if err != nil || response.StatusCode >= http.StatusMultipleChoices {
		b.Errorf("%s: %s, %v", url, text, err)
	}
	return string(text)
}

// follow opens a watch. It reads the events only if it is asked to.
func follow(b *testing.B, by *http.Client, url string, reads bool) {
	request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	response, err := by.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = response.Body.Close() })
	if reads {
		go func() { _, _ = io.Copy(io.Discard, response.Body) }()
	}
}

// heapBytes returns how much memory is in use.
func heapBytes() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
