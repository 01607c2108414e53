package limits_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/merge/apply"
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

// The texts of a refusal are bounded, however many findings show a long value.
func TestTextsAreBounded(t *testing.T) {
	const most = 80 << 20
	v := growingVersion(t, `"f":{"type":"string","allOf":[`+manyf(300, `{"pattern":"^b#"}`)+`]}`)
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"f":"` +
		strings.Repeat("a", 300_000) + `"}}`
	refusal, _ := errors.AsType[*crdsem.StatusError](v.CreateBytes(t.Context(), []byte(body)).Err())
	size := len(refusal.Message)
	for _, c := range refusal.Causes {
		size += len(c.Message)
	}
	if len(refusal.Causes) != 301 || size > most {
		t.Errorf("%d causes, %d bytes, want 301 and at most %d", len(refusal.Causes), size, most)
	}
	if !strings.HasSuffix(refusal.Message, "(not shown: the errors are longer than 32 MiB)]") {
		t.Errorf("%q", refusal.Message[len(refusal.Message)-100:])
	}
}

// YAML that is all flow collections is not decoded piece by piece.
func TestDenseYAML(t *testing.T) {
	const lines, most = 50_000, 60 << 20
	text := []byte("l:\n" + strings.Repeat("- [a]\n", lines))
	made := allocated(func() {
		if _, _, err := jsonvalue.DecodeYAML(text); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d KB: %d MB", len(text)>>10, made>>20)
	if made > most {
		t.Errorf("%d bytes took %d, want at most %d", len(text), made, most)
	}
}

// A patch ends with its context.
func TestPatchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	patch, err := jsonpatch.Decode([]byte(`[{"op":"add","path":"/a","value":1}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := patch.Apply(ctx, []byte(`{}`)); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := patch.Apply(ctx, []byte(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}

// nestedDefaults is 1 KB of a definition whose defaults are 8^levels values.
func nestedDefaults(levels int) string {
	const open = `{"type":"object","properties":{"a":{"type":"array","default":[{},{},{},{},{},{},{},{}],` +
		`"items":`
	return `"a":` + strings.Repeat(open, levels) + `{"type":"object"}` + strings.Repeat(`}}}`, levels)
}

// Defaults within defaults end at their bound: on the way in, on reading, and
// when a configuration is applied.
func TestDefaultsAreBounded(t *testing.T) {
	const most = 1 << 30
	body := []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":{}}}`)
	v := growingVersion(t, nestedDefaults(9))
	for name, do := range map[string]func() *crdsem.Result{
		"create": func() *crdsem.Result { return v.CreateBytes(t.Context(), body) },
		"read":   func() *crdsem.Result { return v.Read(t.Context(), decodeObject(t, body)) },
		"apply": func() *crdsem.Result {
			return v.Apply(t.Context(), decodeObject(t, body), nil, crdsem.FieldManager("m"))
		},
	} {
		var result *crdsem.Result
		start := time.Now()
		made := allocated(func() { result = do() })
		t.Logf("%s: %v, %d MB: %v", name, time.Since(start), made>>20, result.Err())
		limit, ok := errors.AsType[*crdsem.LimitError](result.Err())
		if !ok || limit.Limit != crdsem.DefaultDefaultsMemory || result.Object != nil ||
			made > most {
			t.Errorf("%s: %d bytes, %v", name, made, result.Err())
		}
	}
}

// The bound of defaults is an option.
func TestDefaultsMemory(t *testing.T) {
	body := []byte(`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":{}}}`)
	for bytes, fits := range map[int64]bool{1: false, 0: false, 1000: false, 1 << 20: true} {
		text := fmt.Appendf(nil, growing, nestedDefaults(3))
		def, err := crdsem.Parse(text, apply.Server(), crdsem.DefaultsMemory(bytes))
		if err != nil {
			t.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		result := v.CreateBytes(t.Context(), body)
		limit, exceeded := errors.AsType[*crdsem.LimitError](result.Err())
		if exceeded == fits || exceeded && limit.Limit != max(bytes, 1) {
			t.Errorf("%d bytes: %v", bytes, result.Err())
		}
	}
}

// What a server would store has room: an object of 1.5 MB that is nothing but
// defaults.
func TestDefaultsOfAnObjectThatFits(t *testing.T) {
	v := growingVersion(t, `"a":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer","default":1}}}}`)
	const items = 1_500_000 / len(`{"a":1},`)
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"a":[` +
		strings.Repeat("{},", items-1) + `{}]}}`
	result := v.CreateBytes(t.Context(), []byte(body))
	if err := result.Err(); err != nil || len(result.Defaulted) != items {
		t.Errorf("%d defaults: %v", len(result.Defaulted), err)
	}
}
