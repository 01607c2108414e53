package unstructured

import (
	"math"
	"testing"
)

// What EncodeJSON writes reads back as the same value, numbers of both kinds told apart; what JSON cannot say is an error.
func TestEncodeJSON(t *testing.T) {
	for text, value := range map[string]any{
		`null`:                             nil,
		`{"a":[1,2.0,"<é>"],"b":{}}`:       map[string]any{"b": map[string]any{}, "a": []any{int64(1), 2.0, "<é>"}},
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
		if text != string(got) && text != `{"a":[1,2.0,"<é>"],"b":{}}` {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	for _, value := range []any{math.NaN(), math.Inf(1), 5, map[string]any{"a": []any{uint8(1)}}} {
		if got, err := EncodeJSON(value); err == nil {
			t.Errorf("%v: no error but %s", value, got)
		}
	}
}
