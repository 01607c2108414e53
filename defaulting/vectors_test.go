package defaulting_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// Defaults are filled in as the vectors say (DEF-001 to DEF-036).
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpDefault) {
		schema := testschema.Schema(t, string(vectors.JSON(t, v.Req.Schema)))
		object := vectors.DecodeInput(t, v.Req.Object)
		defaulting.DropNulls(object, schema)
		defaulting.Default(object, schema)
		v.Check(t, protocol.Object{Object: object})
	}
}

// Pruned defaults are those of the cases (DEF-041 to DEF-045).
func TestPrunedDefaults(t *testing.T) {
	type input struct {
		Schema protocol.Input `json:"schema"`
	}
	type answer struct {
		Defaults map[string]any `json:"defaults"`
		Error    string         `json:"error"`
	}
	for _, c := range vectors.Cases[input, answer](t, "prunedDefaults") {
		var got answer
		schema := testschema.Schema(t, string(vectors.JSON(t, c.Input.Schema)))
		pruned, err := defaulting.PruneDefaults(schema)
		if err != nil {
			got.Error = err.Error()
		} else {
			got.Defaults = map[string]any{}
			collect(pruned, "", got.Defaults)
		}
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// collect adds the defaults of a schema by their locations.
func collect(s *structural.Schema, path string, into map[string]any) {
	if s == nil {
		return
	}
	if s.Default() != nil {
		into[path] = s.Default()
	}
	for name, property := range s.Properties() {
		collect(property, path+"."+name, into)
	}
	collect(s.Items(), path+"[]", into)
	collect(s.AdditionalSchema(), path+"[*]", into)
}
