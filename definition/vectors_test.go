package definition_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/unstructured"
)

type vector struct {
	ID, Rule, Note string
	CRD            json.RawMessage
	Old            json.RawMessage
	Want           []finding
}

type finding struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"contains"`
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("../conformance/vectors/stages/crd.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for line := range bytes.Lines(data) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// Decode and FromMap accept what the vectors accept.
func TestDecodeVectors(t *testing.T) {
	for _, v := range vectors(t) {
		var want string
		if len(v.Want) == 1 && v.Want[0].Type == "DecodeError" {
			want = v.Want[0].Detail
		}
		_, _, err := definition.Decode(v.CRD)
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s: Decode gives %v, want %q", v.ID, err, want)
		}
		document, duplicates, decodeErr := unstructured.DecodeObject(v.CRD)
		if decodeErr != nil || len(duplicates) > 0 {
			continue
		}
		if _, _, err := definition.FromMap(document); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s: FromMap gives %v, want %q", v.ID, err, want)
		}
	}
}
