package jsonvalue_test

import (
	"encoding/json"
	"strings"
	"testing"

	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// brokenTexts calls a function with texts near JSON.
func brokenTexts(do func(broken []byte)) {
	const text = `{"a": [1.5e-3, "b\u00e9\n\"", true, null, -0], "é": {"": "\t"}}`
	for _, c := range []string{
		"", "}", "]", ",", ":", "\"", "\\", "\\x", "\\u12x", "\\u1", "\\é", "\\`", "\t", "\x00", ".",
		"1.", "e", "1e", "-", "é", "\xff", "n", "tru", " ", "\\ ",
	} {
		for at := range len(text) + 1 {
			for _, without := range []int{0, 1} {
				do([]byte(text[:at] + c + text[min(at+without, len(text)):]))
			}
		}
	}
}

// Errors of texts near JSON are those of the second version's own package.
func TestSecondJSON(t *testing.T) {
	refused := 0
	brokenTexts(func(broken []byte) {
		var a, b any
		want, err := jsonv1.Unmarshal(broken, &a), json.Unmarshal(broken, &b)
		if err != nil {
			err = jsonvalue.SecondJSON(broken, err)
			refused++
		}
		if (want == nil) != (err == nil) || want != nil && want.Error() != err.Error() {
			t.Fatalf("%s: %v, want %v", broken, err, want)
		}
	})
	if refused == 0 {
		t.Error("every text is JSON")
	}
}

// Errors of texts near JSON are those of encoding/json up to Go 1.26.
func TestFirstJSON(t *testing.T) {
	var value any
	for text, want := range map[string]string{
		"[1.}":     "invalid character '}' after decimal point in numeric literal",
		"[1ex]":    "invalid character 'x' in exponent of numeric literal",
		"[\"\t\"]": "invalid character '\\t' in string literal",
		`["\x"]`:   "invalid character 'x' in string escape code",
		"é":        "invalid character 'Ã' looking for beginning of value",
	} {
		err := json.Unmarshal([]byte(text), &value)
		if err = jsonvalue.FirstJSON([]byte(text), err); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	var typed struct {
		// +optional
		Kind string `json:"kind"`
	}
	const number = `{"kind":1e400}` // too large for an untyped value, too
	if err := json.Unmarshal([]byte(number), &typed); err == nil ||
		jsonvalue.FirstJSON([]byte(number), err) != err {
		t.Errorf("%v is not returned as it is", err)
	}
	asFirst := json.Unmarshal([]byte("[1.}"), &value)
	if !strings.Contains(asFirst.Error(), "decimal point") {
		return // this Go has the second version
	}
	brokenTexts(func(broken []byte) {
		err := json.Unmarshal(broken, &value)
		if err != nil && jsonvalue.FirstJSON(broken, err).Error() != err.Error() {
			t.Fatalf("%s: %v, want %v", broken, jsonvalue.FirstJSON(broken, err), err)
		}
	})
}
