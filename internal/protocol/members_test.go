package protocol

import (
	"encoding/json"
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
