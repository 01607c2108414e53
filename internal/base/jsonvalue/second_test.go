package jsonvalue_test

import (
	"encoding/json"
	"testing"

	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Errors of texts near JSON are those of the second version's own package.
func TestSecondJSON(t *testing.T) {
	const text = `{"a": [1.5e-3, "b\u00e9\n\"", true, null, -0], "é": {"": "\t"}}`
	refused := 0
	for _, c := range []string{
		"", "}", "]", ",", ":", "\"", "\\", "\\x", "\\u12x", "\\u1", "\\é", "\\`", "\t", "\x00", ".",
		"1.", "e", "1e", "-", "é", "\xff", "n", "tru", " ", "\\ ",
	} {
		for at := range len(text) + 1 {
			for _, without := range []int{0, 1} {
				broken := []byte(text[:at] + c + text[min(at+without, len(text)):])
				var a, b any
				want, err := jsonv1.Unmarshal(broken, &a), json.Unmarshal(broken, &b)
				if err != nil {
					err = jsonvalue.SecondJSON(broken, err)
					refused++
				}
				if (want == nil) != (err == nil) || want != nil && want.Error() != err.Error() {
					t.Fatalf("%s: %v, want %v", broken, err, want)
				}
			}
		}
	}
	if refused == 0 {
		t.Error("every text is JSON")
	}
}
