package intern_test

import (
	"math"
	"testing"

	"github.com/crdsem/crdsem/internal/base/intern"
)

// Keys of different things differ, and a key written again is the same.
func TestKeysDiffer(t *testing.T) {
	one, zero, x, empty := int64(1), 0.0, "x", ""
	seen := map[string]int{}
	for i, write := range []func(*intern.Key){
		func(k *intern.Key) {},
		func(k *intern.Key) { k.Strings("a", "bc") },
		func(k *intern.Key) { k.Strings("ab", "c") },
		func(k *intern.Key) { k.StringList(nil) },
		func(k *intern.Key) { k.StringList([]string{}) },
		func(k *intern.Key) { k.StringList([]string{""}) },
		func(k *intern.Key) { k.OptionalInt(&one) },
		func(k *intern.Key) { k.OptionalFloat(&zero) },
		func(k *intern.Key) { k.OptionalString(&x) },
		func(k *intern.Key) { k.OptionalString(&empty); k.OptionalString(nil) },
		func(k *intern.Key) { k.Bools(true, false, true) },
		func(k *intern.Key) { k.Value(int64(1)) },
		func(k *intern.Key) { k.Value(1.0) },
		func(k *intern.Key) { k.Value(math.Copysign(0, -1)) },
		func(k *intern.Key) { k.Value(0.0) },
		func(k *intern.Key) { k.Value("1") },
		func(k *intern.Key) { k.Value(nil) },
		func(k *intern.Key) { k.Value(true) },
		func(k *intern.Key) { k.Value([]any{}) },
		func(k *intern.Key) { k.Value([]any{[]any{"a"}, "b"}) },
		func(k *intern.Key) { k.Value([]any{[]any{"a", "b"}}) },
		func(k *intern.Key) { k.Value(map[string]any{"a": "x", "b": nil}) },
		func(k *intern.Key) { k.Value(map[string]any{"x": "a", "b": nil}) },
	} {
		var key, again intern.Key
		write(&key)
		write(&again)
		if string(key) != string(again) {
			t.Errorf("key %d: %x, then %x", i, key, again)
		}
		if other, ok := seen[string(key)]; ok {
			t.Errorf("keys %d and %d are both %x", other, i, key)
		}
		seen[string(key)] = i
	}
}

// Keys do not depend on the order of a map, and nil containers are empty ones.
func TestEqualValues(t *testing.T) {
	for range 20 {
		var a, b intern.Key
		a.Value(map[string]any{"a": int64(1), "b": []any{}, "c": map[string]any{}})
		b.Value(map[string]any{"c": map[string]any(nil), "b": []any(nil), "a": int64(1)})
		if string(a) != string(b) {
			t.Fatalf("%x and %x", a, b)
		}
	}
}
