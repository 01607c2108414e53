package protocol

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzMembers compares with encoding/json.
func FuzzMembers(f *testing.F) {
	for _, doc := range []string{
		`{}`, ` { "a" : [1, {"b":"}"}] , "a\"b" : "x,\\" } `, `{"a":1,"a":{"c":[]}}`, `{"\u0061":null,"b":"\u00e4"}`,
		`null`, `[]`, `{"a":1}{}`, `{"a"`, ``, `"a"`, "{\"a\xff\":\"\xff\"}", `{"a":-1.5e3}`,
	} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var want map[string]json.RawMessage
		wantErr := json.Unmarshal(doc, &want)
		got, err := membersOf(doc)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%q: %v, want %v", doc, err, wantErr)
		}
		if diff := cmp.Diff(want, got); err == nil && diff != "" {
			t.Errorf("%q: %s", doc, diff)
		}
	})
}

// A text with one byte changed is valid if and only if encoding/json says so.
func TestScannerAcceptsValidJSON(t *testing.T) {
	const text = ` {"a": [1, -0.5e+3, 10E9, 0, true, false, null, {}, [], "\u00e4\n\"\\\/ long text"],
		"b" : {"c": "0123456789abcdef", "": [[{"d": -7}]]}, "ä": "\tä€𝄞 and more text here"} `
	r := rand.New(rand.NewPCG(5, 6))
	alphabet := []byte("{}[]\":,\\ \t\n\x00\x1f\x7f\xff0123456789abcdefEuntrl+-./")
	valid := 0
	for range 40000 {
		doc := []byte(strings.ReplaceAll(text, "\tä", "ä"))
		for range 1 + r.IntN(2) {
			at := r.IntN(len(doc))
			switch r.IntN(3) {
			case 0:
				doc[at] = alphabet[r.IntN(len(alphabet))]
			case 1:
				doc = slices.Delete(doc, at, at+1)
			default:
				doc = slices.Insert(doc, at, alphabet[r.IntN(len(alphabet))])
			}
		}
		_, got := scanMembers(doc)
		if want := json.Valid(doc) && bytes.TrimSpace(doc)[0] == '{'; got != want {
			t.Fatalf("%q: %v, want %v", doc, got, want)
		}
		if got {
			valid++
		}
	}
	if valid < 1000 {
		t.Errorf("only %d of the texts are valid", valid)
	}
	for depth, want := range map[int]bool{maxDepth - 1: true, maxDepth: false} {
		doc := []byte(`{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}")
		if _, got := scanMembers(doc); got != want || json.Valid(doc) != want {
			t.Errorf("depth %d: %v", depth, got)
		}
	}
}
