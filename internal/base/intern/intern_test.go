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

// Every method writes a form that shows its own end.
func TestForms(t *testing.T) {
	one, half, x := int64(1), 0.5, "x"
	const zeros, ofHalf = "\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\xe0\x3f"
	for _, c := range []struct {
		write func(*intern.Key)
		want  string
	}{
		{func(k *intern.Key) { k.Uint(300); k.Int(-1); k.Byte('z') }, "\xac\x02\x01z"},
		{func(k *intern.Key) { k.ID(1 << 56); k.Float(half) }, zeros + "\x00\x01" + ofHalf},
		{func(k *intern.Key) { k.Bools(true, false, true) }, "\x01\x00\x01"},
		{func(k *intern.Key) { k.Strings("a", "bc") }, "\x01a\x02bc"},
		{func(k *intern.Key) { k.StringList([]string{"a", ""}); k.StringList(nil) },
			"\x01\x02\x01a\x00\x00\x00"},
		{func(k *intern.Key) { k.OptionalInt(&one); k.OptionalInt(nil) }, "\x01\x02\x00"},
		{func(k *intern.Key) { k.OptionalFloat(&half); k.OptionalFloat(nil) },
			"\x01" + ofHalf + "\x00"},
		{func(k *intern.Key) { k.OptionalString(&x); k.OptionalString(nil) }, "\x01\x01x\x00"},
		{func(k *intern.Key) { k.Value([]any{one, "x", true, nil, 1}) }, "a\x05i\x02s\x01xb\x01n"},
		{func(k *intern.Key) { k.Value(half) }, "f" + ofHalf},
		{func(k *intern.Key) { k.Value(map[string]any{"b": nil, "a": []any{}}) }, "o\x02\x01aa\x00\x01bn"},
	} {
		var key intern.Key
		if c.write(&key); string(key) != c.want {
			t.Errorf("%q, want %q", key, c.want)
		}
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
