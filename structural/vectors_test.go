package structural_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
)

type vector struct {
	ID     string          `json:"id"`
	Schema json.RawMessage `json:"schema"`
	Opts   map[string]bool `json:"opts"`
	Want   []finding       `json:"want"`
}

type finding struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"contains"`
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("../conformance/vectors/stages/structural.jsonl")
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

// setup is the finding of a schema that does not become a model, nil if it does.
func setup(err error) []finding {
	var conversion *structural.ConversionError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &conversion):
		return []finding{{Type: "ConversionError", Detail: err.Error()}}
	default:
		return []finding{{Type: "DecodeError", Detail: err.Error()}}
	}
}

// Parse and FromMap agree with each other and with the vectors on which schemas decode and convert (STR-002 to STR-028).
func TestParseVectors(t *testing.T) {
	for _, v := range vectors(t) {
		var want []finding
		if len(v.Want) == 1 && (v.Want[0].Type == "DecodeError" || v.Want[0].Type == "ConversionError") {
			want = v.Want
		}
		parsed, err := structural.Parse(v.Schema)
		if got := setup(err); len(got) != len(want) || len(got) == 1 && got[0] != want[0] {
			t.Errorf("%s: Parse gives %v, want %v", v.ID, got, want)
		}
		object, _, decodeErr := unstructured.DecodeObject(v.Schema)
		if decodeErr != nil {
			continue
		}
		fromMap, mapErr := structural.FromMap(object)
		if got := setup(mapErr); len(got) != len(want) || len(got) == 1 && got[0] != want[0] {
			t.Errorf("%s: FromMap gives %v, want %v", v.ID, got, want)
		}
		if err == nil && mapErr == nil && !structural.Equal(parsed, fromMap) {
			t.Errorf("%s: Parse and FromMap build different models", v.ID)
		}
	}
}
