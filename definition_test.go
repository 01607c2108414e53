package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// Versions that are not served cannot be asked for; objects that are none,
// contexts that have ended.
func TestSetupErrors(t *testing.T) {
	def := requests.Parse(t, requests.DefinitionText)
	for _, name := range []string{"v2", "v3", ""} {
		if _, err := def.Version(name); err == nil {
			t.Errorf("version %q is served", name)
		}
	}
	v := requests.Version(t, "v1")
	r := v.Create(
		context.Background(),
		map[string]any{
			"apiVersion": "g.io/v1",
			"kind":       "K",
			"spec":       map[string]any{"list": []any{map[string]any{"n": 5}}},
		},
	)
	var value *crdsem.ValueError
	if !errors.As(r.Err(), &value) ||
		!strings.HasPrefix(r.Err().Error(), "spec.list[0].n: a value of type int ") {
		t.Errorf("an int is taken: %v", r.Err())
	}
	if r := v.Create(context.Background(), nil); r.Err() == nil {
		t.Error("no object is an object")
	}
	if r := v.Update(context.Background(), requests.Object(t, `{`+requests.Head+`}`), nil); r.Err() == nil {
		t.Error("an update needs no old object")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if r := v.Create(ended, requests.Object(t, `{`+requests.Head+`}`)); !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("the context has ended: %v", r.Err())
	}
	if _, err := crdsem.Parse([]byte("just text")); err == nil {
		t.Error("text is a definition")
	}
	nothing := requests.Parse(t, "")
	if _, err := nothing.Version("v1"); err == nil || err.Error() != `the definition does not serve version "v1"` {
		t.Errorf("a definition of an empty text: %v", err)
	}
	if r := nothing.Store(context.Background(), requests.Object(t, `{`+requests.Head+`}`)); r.Err() == nil || r.Err().Error() != "the definition has no storage version" {
		t.Errorf("a definition of an empty text: %v", r.Err())
	}
}

// One definition serves many goroutines, which all see the same; so do
// definitions that share a cache.
func TestConcurrentUse(t *testing.T) {
	cache := &crdsem.Cache{}
	definitions := make([]*crdsem.Definition, 4)
	for i := range definitions {
		def, err := crdsem.Parse([]byte(requests.DefinitionText), crdsem.InCache(cache))
		if err != nil {
			t.Fatal(err)
		}
		definitions[i] = def
	}
	body := []byte(`{` + requests.Head + `,"spec":{"replicas":200,"x":1}}`)
	results := make([]string, 16)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			v, err := definitions[i%len(definitions)].Version("v1")
			if err != nil {
				results[i] = err.Error()
				return
			}
			results[i] = fmt.Sprint(requests.Lines(v.CreateBytes(context.Background(), body)))
		})
	}
	group.Wait()
	for _, r := range results {
		if r != results[0] {
			t.Errorf("%s and %s", r, results[0])
		}
	}
}
