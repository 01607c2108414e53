package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
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

// A decoded definition is like its text, also in its errors.
func TestFromMap(t *testing.T) {
	for _, text := range []string{requests.DefinitionText, `{"spec":{"versions":5}}`, `{}`} {
		want, wantErr := crdsem.Parse([]byte(text))
		got, err := crdsem.FromMap(requests.Object(t, text))
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || (got == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", text, err, wantErr)
		}
		if got != nil && got.Model().Name() != want.Model().Name() {
			t.Errorf("%s: %s", text, got.Model().Name())
		}
	}
	bad := crdsem.Kubernetes("1.1")
	decoded, _, err := definition.Decode([]byte(requests.DefinitionText))
	if err != nil {
		t.Fatal(err)
	}
	_, parsed := crdsem.Parse([]byte("just text"), bad)
	_, mapped := crdsem.FromMap(map[string]any{"spec": 5}, bad)
	_, compiled := crdsem.Compile(decoded, bad)
	for _, err := range []error{parsed, mapped, compiled} {
		if _, ok := errors.AsType[*crdsem.OptionError](err); !ok {
			t.Errorf("an unknown minor: %v", err)
		}
	}
}

// A version whose default cannot be served (DEF-044), and faults of embedded
// resources (META-004).
func TestVersionThatCannotBeServed(t *testing.T) {
	def := requests.Parse(t, `{"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[
		{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
			"e":{"type":"object","x-kubernetes-embedded-resource":true}}}}},
		{"name":"v2","served":true,"schema":{"openAPIV3Schema":{"type":"object","default":5}}}]}}`)
	const text = `version "v2" cannot be served: failed to prune default value: object root default value must be of object type`
	if _, err := def.Version("v2"); err == nil || err.Error() != text {
		t.Errorf("%v, want %s", err, text)
	}
	v, err := def.Version("v1")
	if err != nil || v.Name() != "v1" {
		t.Fatal(err)
	}
	stored := requests.Object(t, `{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"n"}}`)
	if r := v.Read(t.Context(), stored); r.Err() == nil || r.Err().Error() != text {
		t.Errorf("a read: %v, want %s", r.Err(), text)
	}
	r := v.CreateBytes(t.Context(), []byte(`{`+requests.Head+`,"e":{"kind":5}}`))
	status, ok := errors.AsType[*crdsem.StatusError](r.Err())
	const fault = `K in version "v1" cannot be handled as a K: e.kind: Invalid value: 5: must be a string`
	if !ok || status.Error() != fault || status.Rule != "META-004" || status.Code != 400 {
		t.Errorf("%v, want %s", r.Err(), fault)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := requests.Version(t, "v1").Prepare(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended: %v", err)
	}
	if r := v.Patch(ended, []byte(`{}`), crdsem.MergePatch, stored); r.Err() != context.Canceled || r.Object != nil {
		t.Errorf("a patch: %v", r.Err())
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
