package main

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a buffer that a command writes while a test reads it.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

// next waits until the text has something, and empties it.
func (s *shared) next(t *testing.T, want string) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		s.mu.Lock()
		text := s.text.String()
		if strings.Contains(text, want) && strings.Contains(text, "press Ctrl-C") {
			s.text.Reset()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		if time.Now().After(deadline) {
			t.Fatalf("it does not print %q:\n%s", want, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// startWatching runs a command until the test ends.
func startWatching(t *testing.T, args ...string) *shared {
	t.Helper()
	out := &shared{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan int)
	go func() { ended <- run(ctx, args, streams{strings.NewReader(""), out, out}) }()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			t.Errorf("exit code %d", code)
		}
	})
	return out
}

// A change of an object, a definition, the configuration or a folder is
// noticed.
func TestWatchValidate(t *testing.T) {
	writeFiles(t, map[string]string{
		"crd/crd.yaml": widgets, "in/x.yaml": widget, ".git/config": "",
	})
	out := startWatching(t, "validate", "--watch", "--crd", "crd", "in")
	out.next(t, "1 object: 1 accepted")
	write(t, "in/x.yaml", strings.Replace(widget, "size: 1", "size: x", 1))
	out.next(t, "1 refused")
	write(t, "crd/crd.yaml", strings.Replace(widgets, "type: integer", "type: string", 1))
	out.next(t, "1 object: 1 accepted")
	writeMore(t, map[string]string{"in/new/y.yaml": widget})
	out.next(t, "2 objects: 1 accepted, 1 refused")
	write(t, "in/new/y.yaml", "a: [")
	out.next(t, "1 unreadable")
}

func TestWatchNeedsFiles(t *testing.T) {
	code, _, errs := execute(t, "", "validate", "--watch", "-")
	if code != exitFailed || !strings.Contains(errs, "not the standard input") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestWatchTests(t *testing.T) {
	const suite = "crds: ../crd.yaml\ncases:\n- name: a\n  create: {apiVersion: example.com/v1, " +
		"kind: Widget, metadata: {name: w}, spec: {size: SIZE}}\n"
	text := func(size string) string { return strings.Replace(suite, "SIZE", size, 1) }
	writeFiles(t, map[string]string{"crd.yaml": widgets, "s/a.crdtest.yaml": text("1")})
	writeFile := func(size string) { write(t, "s/a.crdtest.yaml", text(size)) }
	writeFile("1")
	out := startWatching(t, "test", "--watch", "s")
	out.next(t, "1 passed, 0 failed")
	writeFile("x")
	out.next(t, "0 passed, 1 failed")
	write(t, "crd.yaml", strings.Replace(widgets, "type: integer", "type: string", 1))
	out.next(t, "1 passed, 0 failed")
}
