package protocol

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
		var raw map[string]json.RawMessage
		wantErr := json.Unmarshal(doc, &raw)
		got, err := membersOf(doc)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%q: %v, want %v", doc, err, wantErr)
		}
		want := map[string]jsontext.Value{}
		for name, value := range raw {
			want[name] = jsontext.Value(value)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); err == nil && diff != "" {
			t.Errorf("%q: %s", doc, diff)
		}
	})
}

// A text with one byte changed is valid if and only if encoding/json says so.
func TestMembersAcceptValidJSON(t *testing.T) {
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
		_, err := membersOf(doc)
		got := err == nil
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
	for depth, want := range map[int]bool{9999: true, 10000: false} {
		doc := []byte(`{"a":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}")
		if _, err := membersOf(doc); (err == nil) != want || json.Valid(doc) != want {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

// Requests are in JSON what they are in a line.
func TestFormsInJSON(t *testing.T) {
	const line = `{"id":"1","op":"convert","crd":{"a":1.0},"to":"a/b","objects":["a: 1",{}]}`
	var r Request
	err := json.Unmarshal([]byte(line), &r)
	if got, marshalErr := json.Marshal(&r); err != nil || marshalErr != nil || string(got) != line {
		t.Errorf("%s, %v, %v", got, err, marshalErr)
	}
	var in Input
	err = json.Unmarshal([]byte(` "a: 1"`), &in)
	if got, _ := json.Marshal(in); err != nil || string(got) != `"a: 1"` || !in.IsText() {
		t.Errorf("%s, %v", got, err)
	}
}
