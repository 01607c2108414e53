package jsonfast_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/json"

	"github.com/crdsem/crdsem/internal/base/jsonfast"
)

// Texts that Decode decodes, and texts that it leaves to the library.
var (
	plainTexts = []string{
		`{"a":1,"b":[1.5,-0,1e3,"x",null,true,false,{}],"c":{"d":[]}}`, ` [ 1 , 2 ] `, `"\u00e9\n\"\\\/\b\f\r\t"`, `"é\u0041"`, `"é"`, `"\nab"`, `"\u00aF"`, `9223372036854775807`,
		`9223372036854775808`, `-9223372036854775808`, `-0.0`, `1E+2`, `1e-400`, `{"":{"":[[]]}}`,
		strings.Repeat("[", 500) + strings.Repeat("]", 500), strings.Repeat(`{"a":`, 500) + "1" + strings.Repeat("}", 500),
	}
	otherTexts = []string{
		`{"a":1,"a":2}`, `{"a":{"b":1,"b":2}}`, `"\ud83d\ude00"`, `"\ud800"`, "\"\xff\"", "\"a\x01\"", `01`, `1.`, `.5`, `+1`, `NaN`, `1e400`, `tru`,
		`{"a"}`, `{"a":1,}`, `[1,]`, `{} x`, ``, ` `, `"`, `"\`, `"\u12`, `"\u12g4"`, `"\q"`, "\ufeff{}", strings.Repeat("[", 501) + strings.Repeat("]", 501), "{\"k\":\v1}", strings.Repeat(`{"a":`, 501) + "1" + strings.Repeat("}", 501),
	}
)

// The fast reader and the library agree, and the library reports no strict
// errors.
func TestDecode(t *testing.T) {
	for _, text := range plainTexts {
		if !comparePlain(t, text) {
			t.Errorf("%q is left to the library", text)
		}
	}
	for _, text := range otherTexts {
		if comparePlain(t, text) {
			t.Errorf("%q is not left to the library", text)
		}
	}
}

// comparePlain reports whether Decode decodes the text.
func comparePlain(t *testing.T, text string) bool {
	t.Helper()
	got, ok := jsonfast.Decode([]byte(text))
	if !ok {
		return false
	}
	want, strict, err := library(text)
	if err != nil || len(strict) > 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %#v, the library has %#v, %v, %v", text, got, want, strict, err)
	}
	return true
}

// All short texts of three families. Decode leaves to the library only what it
// refuses, what has duplicate fields, and strings that it changes.
func TestShortTexts(t *testing.T) {
	var texts []string
	for _, family := range []struct {
		before, after string
		pieces        []string
		most          int
	}{
		{"", "", []string{"{", "}", "[", "]", ",", ":", `"a"`, `"b"`, "1", " ", "true", "x"}, 4},
		{`{"a":[`, "", []string{"{", "}", "]", ",", ":", `"a"`, "null"}, 5},
		{"", "", []string{"-", "0", "1", "9", ".", "e", "E", "+", "/"}, 5},
		{`"`, `"`, []string{"a", `\`, `"`, "/", "u", "u00e9", "n", "\x1f", "é", "\xff"}, 4},
	} {
		all := []string{family.before}
		for range family.most {
			for _, text := range all[:len(all):len(all)] {
				for _, piece := range family.pieces {
					all = append(all, text+piece)
				}
			}
			slices.Sort(all)
			all = slices.Compact(all)
		}
		for _, text := range all {
			texts = append(texts, text+family.after)
		}
	}
	for c := range 256 {
		char := string([]byte{byte(c)})
		texts = append(texts, char, char+"1", "1"+char, "1"+char+"1", "1e"+char+"1", "-"+char, "["+char, "[1"+char, `{"a"`+char+"1}", `{"`+char+`":1}`, `{"\n`+char+`":1}`, "{"+char+`a":1}`, `{"a":1,`+char+`b":1}`,
			`{"a":1`+char+`"b":1}`, "[1"+char+"2]",
			`"`+char+`"`, `"a\n`+char+`"`, `"\`+char+`"`, `"\`+char+`0041"`, `"\u`+char+`000"`, `"\u0`+char+`00"`,
			`"\u00`+char+`0"`, `"\u000`+char+`"`)
	}
	for _, word := range []string{"true", "false", "null"} {
		for i := range word {
			texts = append(texts, word[:i], word[:i]+"x"+word[i+1:],
				"["+word[:i]+"]", word+word[i:])
		}
	}
	for _, code := range []string{"d7ff", "d800", "dbff", "dc00", "dfff", "e000", "ffff"} {
		texts = append(texts, `"\u`+code+`"`, `"\u`+code+`\u0041"`)
	}
	for _, text := range texts {
		value, strict, err := library(text)
		_, isString := value.(string)
		changes := !utf8.ValidString(text) || isString && surrogate.MatchString(text)
		want := err == nil && len(strict) == 0 && !changes
		if got := comparePlain(t, text); got != want {
			t.Errorf("%q: decoded %t, want %t", text, got, want)
		}
	}
}

var surrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

// Another value can stand for -0, at any place. What is left has no value.
func TestDecodeWith(t *testing.T) {
	got, ok := jsonfast.DecodeWith("zero", []byte(`[-0,{"a":-0},0,-0.0,-01.5]`))
	if got != nil || ok {
		t.Errorf("malformed: %v, %v", got, ok)
	}
	got, ok = jsonfast.DecodeWith("zero", []byte(`[-0,{"a":-0},0,-1]`))
	want := []any{"zero", map[string]any{"a": "zero"}, int64(0), int64(-1)}
	if !reflect.DeepEqual(got, want) || !ok {
		t.Errorf("%v, %v, want %v", got, ok, want)
	}
}

// library decodes with the server's decoder.
func library(text string) (value any, strict []error, err error) {
	strict, err = json.UnmarshalStrict([]byte(text), &value, json.DisallowDuplicateFields)
	return value, strict, err
}

// FuzzDecode compares the fast reader with the library, the server's decoder.
func FuzzDecode(f *testing.F) {
	for _, text := range append(plainTexts, otherTexts...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		comparePlain(t, text)
	})
}

// BenchmarkJSON compares the fast reader with the library on a small object.
func BenchmarkJSON(b *testing.B) {
	text := []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i","ports":[{"containerPort":80}]}]}}`)
	b.Run("plain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := jsonfast.Decode(text); !ok {
				b.Fatal("not plain")
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := library(string(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
