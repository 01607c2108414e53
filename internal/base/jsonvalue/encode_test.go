package jsonvalue

import (
	"math"
	"testing"
)

// What EncodeJSON writes reads back as the same value, integers and floats
// distinct. Values that JSON does not have are an error.
func TestEncodeJSON(t *testing.T) {
	for text, value := range map[string]any{
		`null`:                             nil,
		`{"a":[1,2.0,"\u003cé"],"b":{}}`:   map[string]any{"b": map[string]any{}, "a": []any{int64(1), 2.0, "<é"}},
		`1e+21`:                            1e21,
		`0.1`:                              0.1,
		`-0.0`:                             math.Copysign(0, -1),
		`100000000000000000000.0`:          1e20,
		`[true,false,9223372036854775807]`: []any{true, false, int64(math.MaxInt64)},
	} {
		got, err := EncodeJSON(value)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		back, _, err := DecodeJSON(got)
		if err != nil || !Equal(back, value) {
			t.Errorf("%s: got %s, which reads as %v, %v", text, got, back, err)
		}
		if text != string(got) {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	for _, value := range []any{math.NaN(), math.Inf(1), 5, map[string]any{"a": []any{uint8(1)}}} {
		if got, err := EncodeJSON(value); err == nil {
			t.Errorf("%v: no error but %s", value, got)
		}
	}
}

// EncodeStored writes no zero fraction. Nil containers are empty in both forms.
func TestEncodeStored(t *testing.T) {
	value := map[string]any{
		"a": []any{1.0, 1e20, 1e21, 0.5, int64(7)},
		"l": []any(nil),
		"m": map[string]any(nil),
		"n": nil,
	}
	const want, exact = `{"a":[1,100000000000000000000,1e+21,0.5,7],"l":[],"m":{},"n":null}`, `{"a":[1.0,100000000000000000000.0,1e+21,0.5,7],"l":[],"m":{},"n":null}`
	if got, err := EncodeStored(value); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err := EncodeJSON(value); err != nil || string(got) != exact {
		t.Errorf("got %s, %v, want %s", got, err, exact)
	}
	if got, err := EncodeStored(map[string]any{"a": 5}); err == nil {
		t.Errorf("no error but %s", got)
	}
}
