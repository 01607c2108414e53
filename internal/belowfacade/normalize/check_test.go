package normalize_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

const repairSteps = allSteps&^normalize.CoerceMetadata | normalize.RepairMetadata

// checkUnchecked compares CopyUnchecked with Copy.
func checkUnchecked(
	t *testing.T,
	schema *structural.Schema,
	object map[string]any,
	steps normalize.Steps,
) {
	t.Helper()
	before := jsonvalue.DeepCopyMap(object)
	want, wantChanges, bad := normalize.Unlimited.Copy(object, schema, steps)
	got, changes, err := normalize.Unlimited.CopyUnchecked(object, schema, steps)
	if bad != nil || err != nil {
		if bad == nil || err == nil || bad.Error() != err.Error() {
			t.Errorf("Copy: %v; CopyUnchecked: %v", bad, err)
		}
		return
	}
	if diff := cmp.Diff(want, got) + cmp.Diff(wantChanges, changes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, object); diff != "" {
		t.Errorf("the argument was changed: %s", diff)
	}
}

func TestUncheckedIsCopy(t *testing.T) {
	for seed := range uint64(200) {
		r := generate.NewRand(seed)
		tree := generate.Schema(r, generate.SchemaConfig{})
		schema, err := structural.FromMap(tree)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			object, isObject := generate.Wild(r, schema).(map[string]any)
			if !isObject {
				continue
			}
			object["metadata"] = map[string]any{"name": "n", "generation": int64(3)}
			checkUnchecked(t, schema, object, allSteps)
			checkUnchecked(t, schema, object, repairSteps)
			if mutated, ok := generate.Mutate(r, object).(map[string]any); ok {
				checkUnchecked(t, schema, mutated, allSteps)
				checkUnchecked(t, schema, mutated, repairSteps)
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
}

// places calls yield with a way to replace each value below a value, one after
// the other.
func places(value any, yield func(path string, set func(any))) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range jsonvalue.SortedKeys(value) {
			kept := value[key]
			yield(key, func(v any) { value[key] = v })
			value[key] = kept
			places(kept, func(path string, set func(any)) { yield(key+"."+path, set) })
		}
	case []any:
		for i, kept := range value {
			yield(fmt.Sprint(i), func(v any) { value[i] = v })
			value[i] = kept
			places(kept, func(path string, set func(any)) {
				yield(fmt.Sprintf("%d.%s", i, path), set)
			})
		}
	}
}

// nest puts a value into so many lists.
func nest(value any, depth int) any {
	for range depth {
		value = []any{value}
	}
	return value
}

// What no JSON has is found wherever it is, whether or not the schema knows the
// place, and gives the error of a check.
func TestUncheckedFindsForeignValues(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{
		"same":{"x-kubernetes-preserve-unknown-fields":true},
		"list":{"items":{"properties":{"a":{"default":1},"b":{"properties":{}}}}},
		"bare":{"type":"array"},
		"any":{"additionalProperties":true},
		"map":{"additionalProperties":{"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,
			"properties":{"metadata":{"type":"object"}}}}}}`)
	const text = `{"kind":"K","metadata":{"name":"n"},"unknown":{"x":[1]},"same":{"x":[{"y":1}]},"list":[{"a":null,"b":{"u":[2]},"u":1}],"bare":[{"x":1}],
		"any":{"k":{"l":1}},"map":{"k":{"apiVersion":"v1","kind":"P","metadata":{"name":"n","labels":{"a":"b"},"unknown":1},"spec":{"x":1}}}}`
	loop := map[string]any{}
	loop["again"], loop["and"] = loop, []any{loop}
	foreign := []any{1, []string{"x"}, math.NaN(), math.Inf(1), nest("x", jsonvalue.MaxDepth), loop,
		"\xff", map[string]any{"\xff": "x"}, []any{map[string]any{"k": []any{"\xff"}}}}
	found := 0
	for steps, name := range map[normalize.Steps]string{
		allSteps: "all", repairSteps: "repair",
		normalize.Default | normalize.CoerceMetadata: "preserving", 0: "none",
	} {
		object := testschema.Object(t, text)
		places(object, func(path string, set func(any)) {
			if steps&normalize.ResourceRoot != 0 &&
				slices.Contains([]string{"kind", "metadata", "metadata.name"}, path) {
				return
			}
			for i, value := range foreign {
				set(value)
				want := jsonvalue.Check(object)
				_, _, err := normalize.Unlimited.CopyUnchecked(object, schema, steps)
				if err == nil || err.Error() != want.Error() {
					t.Errorf("%s: %d at %s: %v, want %v", name, i, path, err, want)
				}
				found++
			}
		})
	}
	if found < 500 {
		t.Errorf("only %d places", found)
	}
}

// The nesting that is accepted is the same as that of a check.
func TestUncheckedDepth(t *testing.T) {
	for _, text := range []string{`{"x-kubernetes-preserve-unknown-fields":true}`, `{"properties":{"a":{"items":{}}}}`, `{}`} {
		schema := testschema.Schema(t, text)
		for depth := jsonvalue.MaxDepth - 2; depth <= jsonvalue.MaxDepth+1; depth++ {
			for _, last := range []any{"x", []any{}, map[string]any{}, []any{nil},
				map[string]any{"x": nil}} {
				object := map[string]any{"a": nest(last, depth)}
				_, _, err := normalize.Unlimited.CopyUnchecked(object, schema, allSteps)
				if want := jsonvalue.Check(object); (want == nil) != (err == nil) {
					t.Errorf("%s %d: %v, want %v", text, depth, err, want)
				}
			}
		}
	}
}

// What the walk of a clean object allocates does not grow with its lists.
func TestUncheckedAllocations(t *testing.T) {
	schema := testschema.Schema(t, sharedSchema)
	object := testschema.Object(
		t,
		`{"kind":"K","metadata":{"name":"n"},"same":{"x":[1]},"list":[{"a":1,"b":{}}],
		"map":{"k":{"apiVersion":"v1","kind":"P","metadata":{"name":"n"}}}}`,
	)
	allocs.Constant(t, "unchecked", func(times int) func() {
		long := allocs.Longer(object, times).(map[string]any)
		return func() { _, _, _ = normalize.Unlimited.CopyUnchecked(long, schema, allSteps) }
	})
}

// FuzzUnchecked is checkUnchecked for any schema and object.
func FuzzUnchecked(f *testing.F) {
	f.Add(
		sharedSchema,
		`{"list":[null,{"a":null,"c":1}],"map":{"k":{"metadata":{"labels":{}},"kind":"K"},"n":null}}`,
	)
	f.Add(
		`{"properties":{"s":{"default":{"a":null},"properties":{"a":{},"b":{"default":2}}}}}`,
		`{"s":null}`,
	)
	f.Add(
		`{"properties":{"s":{"properties":{"a":{},"b":{"default":2}}}}}`,
		`{"s":{"a":null,"x":1}}`,
	)
	f.Fuzz(func(t *testing.T, schemaText, objectText string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		object, _, err := jsonvalue.DecodeObject([]byte(objectText))
		if err != nil {
			return
		}
		if object["metadata"] == nil { // otherwise the caller would have checked it
			checkUnchecked(t, schema, object, allSteps)
			checkUnchecked(t, schema, object, repairSteps)
		}
	})
}
