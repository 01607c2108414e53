package limits_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// noJSON are values that no JSON document holds.
func noJSON() map[string]any {
	cyclic := map[string]any{}
	cyclic["spec"] = cyclic
	return map[string]any{
		"NaN":              math.NaN(),
		"infinity":         math.Inf(-1),
		"int":              7,
		"list of texts":    []string{"a"},
		"cyclic":           cyclic,
		"bytes":            "a\xff",
		"a surrogate":      "\xed\xa0\x80",
		"a key of bytes":   map[string]any{"a\xff": "b"},
		"bytes in a list":  []any{"a", "\xc0"},
		"bytes in unknown": map[string]any{"unknown": map[string]any{"deep": "\xff"}},
	}
}

// An object that no JSON document holds is refused by every verb with a
// *ValueError, wherever the value is.
func TestValuesThatAreNotJSON(t *testing.T) {
	const head = `{"apiVersion":"g.io/v1","kind":"K",
"metadata":{"name":"n","resourceVersion":"1"},"spec":{}}`
	ctx := t.Context()
	v := requests.Version(t, "v1")
	def := requests.Parse(t, requests.DefinitionText)
	type object = map[string]any
	places := map[string]func(o object, value any){
		"a field":           func(o object, value any) { o["spec"] = object{"a": value} },
		"an unknown field":  func(o object, value any) { o["other"] = value },
		"a preserved field": func(o object, value any) { o["spec"] = object{"o": value} },
		"the kind":          func(o object, value any) { o["kind"] = value },
		"the apiVersion":    func(o object, value any) { o["apiVersion"] = value },
		"the metadata":      func(o object, value any) { o["metadata"] = object{"name": value} },
		"a label": func(o object, value any) {
			o["metadata"] = object{"name": "n", "labels": object{"l": value}}
		},
	}
	verbs := map[string]func(o object) error{
		"create": func(o object) error { return v.Create(ctx, o).Err() },
		"update": func(o object) error {
			return v.Update(ctx, o, requests.Object(t, head)).Err()
		},
		"store": func(o object) error { return def.Store(ctx, o).Err() },
		"read":  func(o object) error { return v.Read(ctx, o).Err() },
		"convert": func(o object) error {
			_, err := def.Convert(ctx, o, "g.io/v1beta1")
			return err
		},
		"convert a list": func(o object) error {
			list := object{"apiVersion": "g.io/v1", "kind": "KList", "items": []any{o}}
			_, err := def.ConvertList(ctx, list, "g.io/v1beta1")
			return err
		},
	}
	for value, bad := range noJSON() {
		for place, put := range places {
			for verb, do := range verbs {
				object := requests.Object(t, head)
				put(object, bad)
				if err := do(object); !isValueError(err) {
					t.Errorf("%s of %s in %s: %T %v", verb, value, place, err, err)
				}
			}
		}
	}
}

func isValueError(err error) bool {
	_, ok := errors.AsType[*crdsem.ValueError](err)
	return ok
}

// retained returns how many bytes are kept after a function, with its result.
func retained(do func() any) int64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := do()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// Patterns that take much more memory than their text are not all kept: each
// of these takes 43 KB once it is compiled.
func TestPatternsAreBounded(t *testing.T) {
	const patterns, most = 1500, 40 << 20
	fields := manyf(patterns, `"f#":{"type":"string","pattern":"a{1000}#"}`)
	body := fmt.Appendf(nil,
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{%s}}`,
		manyf(patterns, `"f#":"a"`))
	kept := retained(func() any {
		v := growingVersion(t, fields)
		if errs := v.CreateBytes(t.Context(), body).Errors; len(errs) != patterns {
			t.Fatal(errs)
		}
		return v
	})
	t.Logf("%d patterns: %d MB kept", patterns, kept>>20)
	if kept > most {
		t.Errorf("%d patterns keep %d bytes, want at most %d", patterns, kept, most)
	}
}
