package validation

import (
	"runtime"
	"testing"
	"weak"

	"github.com/crdsem/crdsem/structural"
)

func compiledIn(t *testing.T, cache *structural.Cache, text string) *Validator {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Compile(schema, structural.InCache(cache))
}

// checksOf returns the node of a declared property.
func checksOf(t *testing.T, v *Validator, name string) *node {
	t.Helper()
	n, ok := v.values.objects.field(name)
	if !ok {
		t.Fatalf("no checks of %s", name)
	}
	return n
}

// In a cache, schemas that restrict values alike share nodes, whatever
// documents they come from. They share no more once the cache is dropped.
func TestCacheSharesChecks(t *testing.T) {
	const (
		one   = `{"type":"object","properties":{"a":{"type":"string","pattern":"^a","description":"A"},"b":{"type":"integer"}}}`
		other = `{"type":"object","properties":{"a":{"type":"string","pattern":"^a","description":"B"},"b":{"type":"integer","maximum":3}}}`
	)
	var cache structural.Cache
	a, b := compiledIn(t, &cache, one), compiledIn(t, &cache, other)
	alone := compiledIn(t, &structural.Cache{}, one)
	if checksOf(t, a, "a") != checksOf(t, b, "a") {
		t.Error("the same pattern is compiled twice")
	}
	if checksOf(t, a, "b") == checksOf(t, b, "b") {
		t.Error("different limits are one node")
	}
	if checksOf(t, a, "a") == checksOf(t, alone, "a") {
		t.Error("different caches share")
	}
	cache.Drop()
	if c := compiledIn(t, &cache, one); checksOf(t, c, "a") == checksOf(t, a, "a") {
		t.Error("a dropped cache still shares")
	}
}

// A validator keeps its checks alive, but not the tables that compiling needed,
// once the cache is dropped.
func TestDroppedTablesAreFreed(t *testing.T) {
	var cache structural.Cache
	v := compiledIn(t, &cache, `{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}}}`)
	tables := weak.Make(newCache(&cache).compilers[ofObjects])
	cache.Drop()
	runtime.GC()
	if tables.Value() != nil {
		t.Error("the tables are still there")
	}
	runtime.KeepAlive(v)
}

// Validators of objects and of defaults do not share nodes, because they
// differ.
func TestCacheKeepsPurposesApart(t *testing.T) {
	schema, err := structural.Parse(
		[]byte(`{"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true}}}`),
	)
	if err != nil {
		t.Fatal(err)
	}
	var cache structural.Cache
	value := map[string]any{"a": true}
	for range 2 {
		objects := Compile(schema, structural.InCache(&cache))
		if errs := objects.Values(t.Context(), nil, value); len(errs) != 1 {
			t.Errorf("an object is judged %v", errs)
		}
		defaults := Compile(schema, OfDefaults(), structural.InCache(&cache))
		if errs := defaults.Values(t.Context(), nil, value); len(errs) != 0 {
			t.Errorf("a default is judged %v", errs)
		}
	}
}

// Equal enumerations of one document are shared.
func TestEnumerationsAreShared(t *testing.T) {
	v := compiledIn(t, &structural.Cache{}, `{"type":"object","properties":{
		"a":{"type":"string","enum":["x","y"],"description":"A"},"b":{"type":"string","enum":["x","y"],"description":"B"}}}`)
	if checksOf(t, v, "a") != checksOf(t, v, "b") {
		t.Error("two enumerations are kept")
	}
}
