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
	decoded, _, err := definition.Parse([]byte(requests.DefinitionText))
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

// internal is what only tests may look at.
const cachedText = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"%[1]s.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"%[1]s","singular":"k","kind":"K","listKind":"KList"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},
"x-kubernetes-validations":[{"rule":"self.a != ''"}]}}}}},
{"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}},
{"name":"v3","served":false,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}`

func cachedVersion(
	t *testing.T, plural string, options ...crdsem.DefinitionOption,
) (*crdsem.Definition, *crdsem.Version) {
	t.Helper()
	d, err := crdsem.Parse(fmt.Appendf(nil, cachedText, plural), options...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return d, v
}

// Definitions share in a cache until it is dropped, and are as they were
// afterwards.
func TestCacheDrop(t *testing.T) {
	var cache crdsem.Cache
	_, a := cachedVersion(t, "as", crdsem.InCache(&cache))
	_, b := cachedVersion(t, "bs", crdsem.InCache(&cache))
	if a.Schema() != b.Schema() {
		t.Error("definitions share no schema")
	}
	cache.Drop()
	_, c := cachedVersion(t, "cs", crdsem.InCache(&cache))
	_, alone := cachedVersion(t, "ds")
	if c.Schema() == a.Schema() || alone.Schema() == a.Schema() {
		t.Error("a dropped cache still shares")
	}
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":""}}`
	var told []string
	for _, v := range []*crdsem.Version{a, b, c, alone} {
		told = append(told, fmt.Sprint(v.CreateBytes(t.Context(), []byte(body)).Errors))
	}
	for _, text := range told {
		if text != told[0] || !strings.Contains(text, "should match") ||
			!strings.Contains(text, "failed rule") {
			t.Errorf("told is %q", told)
			break
		}
	}
}

// It is known when the last served version is compiled, and when the last one
// is prepared, after which what they share only to be compiled can go; a cache
// that was given is not the definition's to drop.
func TestLastVersionIsNoticed(t *testing.T) {
	var given crdsem.Cache
	for _, own := range []bool{true, false} {
		var options []crdsem.DefinitionOption
		if !own {
			options = append(options, crdsem.InCache(&given))
		}
		d, first := cachedVersion(t, "ks", options...)
		if left, _ := crdsem.Uncompiled(d); left != 1 {
			t.Errorf("%d versions are to be compiled", left)
		}
		last, err := d.Version("v2")
		if left, ownCache := crdsem.Uncompiled(d); err != nil || left != 0 || ownCache != own {
			t.Errorf("%v; %d versions are to be compiled", err, left)
		}
		for i, v := range []*crdsem.Version{first, first, last, last} {
			err := v.Prepare(t.Context())
			if left := crdsem.Unprepared(d); err != nil || left != 1-i/2 {
				t.Errorf("%v; %d versions are to be prepared", err, left)
			}
		}
	}
}

// Of many definitions with two versions each, only what is asked for is
// compiled.
func TestVersionsAreCompiledWhenAskedFor(t *testing.T) {
	const version = `{"name":"%s","served":true,"storage":%t,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-validations":[{"rule":"true"}]}}}`
	text := fmt.Appendf(nil, `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","singular":"k","kind":"K","listKind":"KList"},"versions":[%s,%s]}}`,
		fmt.Sprintf(version, "v1", true), fmt.Sprintf(version, "v2", false))
	definitions := make([]*crdsem.Definition, 1000)
	for i := range definitions {
		d, err := crdsem.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		definitions[i] = d
	}
	for _, i := range []int{3, 500, 999} {
		if _, err := definitions[i].Version("v2"); err != nil {
			t.Fatal(err)
		}
	}
	var compiled []string
	for i, d := range definitions {
		for _, name := range crdsem.CompiledVersions(d) {
			compiled = append(compiled, fmt.Sprintf("%d/%s", i, name))
		}
	}
	if got := fmt.Sprint(compiled); got != "[3/v2 500/v2 999/v2]" {
		t.Errorf("compiled are %s", got)
	}
	v, err := definitions[3].Version("v2")
	if err != nil {
		t.Fatal(err)
	}
	_ = v.Prepare(context.Background()) // what Version left for later, again and again
	_ = v.Prepare(context.Background())
	if r := v.CreateBytes(t.Context(), []byte(`{"apiVersion":"g.io/v2","kind":"K","metadata":{"name":"n"}}`)); !r.Admitted() {
		t.Errorf("got %v", r.Errors)
	}
}
