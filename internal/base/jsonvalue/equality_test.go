package jsonvalue_test

import (
	"hash/maphash"
	"math"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// The equalities differ where the table in equality.go says that they do.
func TestEqualities(t *testing.T) {
	object := map[string]any{"a": "x", "b": []any{int64(1)}}
	nan := map[string]any{"a": math.NaN()}
	const (
		equal, semantic      = 1, 2
		text, numbers, exact = 4, 8, 16
		all                  = 31
	)
	for _, c := range []struct {
		name string
		a, b any
		want int // the equalities that hold
	}{
		{"same object", object, object, all},
		{"equal objects", object, jsonvalue.DeepCopy(object), all},
		{"integer and float", int64(1), 1.0, text | numbers},
		{"integer and float inside", []any{int64(1)}, []any{1.0}, text},
		{"integer and another float", int64(1), 2.0, 0},
		{"zero and zero", int64(0), 0.0, text | numbers},
		{"negative integer and float", int64(-1), -1.0, text | numbers},
		{"another value in a map", map[string]any{"a": "b"}, map[string]any{"a": "c"}, 0},
		{"another key", map[string]any{"a": "b"}, map[string]any{"c": "b"}, 0},
		{"one more key", map[string]any{"a": "b"}, map[string]any{"a": "b", "c": "d"}, 0},
		{"another item", []any{"a"}, []any{"b"}, 0},
		{"one more item", []any{"a"}, []any{"a", "a"}, 0},
		{"zeros of both signs", 0.0, math.Copysign(0, -1), all &^ (text | exact)},
		{"integer and negative zero", int64(0), math.Copysign(0, -1), numbers},
		{"integer and string", int64(1), "1", 0},
		{"float and string", 1.5, "1.5", 0},
		{"float and nothing", 1.5, nil, 0},
		{"beyond 2^53", int64(1<<53 + 1), float64(1 << 53), numbers},
		{"nil and empty map", map[string]any(nil), map[string]any{}, semantic},
		{"nil and empty list", []any(nil), []any{}, semantic},
		{"null and absent", map[string]any{"a": nil}, map[string]any{}, 0},
		{"NaN", math.NaN(), math.NaN(), text},
		{"container with NaN", nan, nan, semantic | text},
		{"value that is not JSON", 1, 1, 0},
	} {
		got := 0
		for bit, holds := range map[int]func(a, b any) bool{
			equal:    jsonvalue.Equal,
			semantic: jsonvalue.EqualSemantic,
			text:     jsonvalue.EqualJSONText,
			numbers:  jsonvalue.EqualNumbers,
			exact:    jsonvalue.EqualExactly,
		} {
			if holds(c.a, c.b) {
				got |= bit
			}
			if holds(c.a, c.b) != holds(c.b, c.a) {
				t.Errorf("%s: equality %d depends on the order", c.name, bit)
			}
		}
		if got != c.want {
			t.Errorf("%s: equalities %05b, want %05b", c.name, got, c.want)
		}
		seed := maphash.MakeSeed()
		sameHash := jsonvalue.Hash(seed, c.a) == jsonvalue.Hash(seed, c.b)
		if got&(equal|numbers) != 0 && !sameHash {
			t.Errorf("%s: the hashes differ", c.name)
		}
	}
}

// One member of many that differs, whichever it is, is noticed.
func TestOneOfManyDiffers(t *testing.T) {
	const keys = "abcdefgh"
	with := func(key byte) map[string]any {
		object := map[string]any{}
		for i := range len(keys) {
			object[keys[i:i+1]] = keys[i] == key
		}
		return object
	}
	for _, equal := range []func(a, b any) bool{
		jsonvalue.Equal, jsonvalue.EqualExactly, jsonvalue.EqualSemantic, jsonvalue.EqualNumbers,
		jsonvalue.EqualJSONText,
	} {
		for i := range len(keys) {
			if equal(with(0), with(keys[i])) || !equal(with(keys[i]), with(keys[i])) {
				t.Errorf("%c", keys[i])
			}
		}
	}
}

// Values that differ have different hashes, wherever the difference is.
func TestHashSpreads(t *testing.T) {
	seed, seen := maphash.MakeSeed(), map[uint64]any{}
	for _, value := range []any{
		nil, false, true, int64(1), 2.0, 2.5, "", "a", "b",
		[]any{}, []any{"a"}, []any{"b"}, []any{"a", "b"}, []any{"b", "a"}, []any{[]any{}},
		map[string]any{"a": "a"}, map[string]any{"a": "b"}, map[string]any{"b": "a"},
		map[string]any{"a": "b", "b": "a"}, map[string]any{"a": "a", "b": "b"},
	} {
		hash := jsonvalue.Hash(seed, value)
		if other, known := seen[hash]; known {
			t.Errorf("%v has the hash of %v", value, other)
		}
		seen[hash] = value
	}
}
