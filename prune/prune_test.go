package prune_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

// Values that are not resources are pruned as the cases say.
func TestValueCases(t *testing.T) {
	type input struct {
		Schema protocol.Input `json:"schema"`
		Value  protocol.Input `json:"value"`
	}
	type answer struct {
		Value         any      `json:"value"`
		UnknownFields []string `json:"unknownFields"`
	}
	for _, c := range vectors.Cases[input, answer](t, "prunedValue") {
		var schema *structural.Schema
		if c.Input.Schema.Given() {
			text, _ := c.Input.Schema.Document()
			schema = testschema.Schema(t, string(text))
		}
		text, _ := c.Input.Value.Document()
		value := testschema.Value(t, string(text))
		paths := structural.Paths(prune.Value(value, schema))
		if diff := cmp.Diff(c.Want, answer{value, paths}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// One row for each rule of pruning a value.
func TestValue(t *testing.T) {
	for _, tc := range []struct {
		rule, schema, value, want string
		paths                     []string
	}{
		{"PRN-003", `{"properties":{"a":{"properties":{"b":{}}}}}`, `{"a":{"b":1,"c":2}}`, `{"a":{"b":1}}`, []string{"a.c"}},
		{"PRN-004", `{"properties":{"a":{}},"additionalProperties":{"properties":{"x":{}}}}`, `{"a":{"x":1},"b":{"x":1,"y":2}}`, `{"a":{},"b":{"x":1}}`, []string{"a.x", "b.y"}},
		{"PRN-005", `{"additionalProperties":true}`, `{"m":{"a":1},"n":2,"l":[{"x":1}]}`, `{"m":{},"n":2,"l":[{}]}`, []string{"l[0].x", "m.a"}},
		{"PRN-005 false", `{"additionalProperties":false}`, `{"m":{"a":1},"n":2}`, `{"m":{},"n":2}`, []string{"m.a"}},
		{"PRN-006", `{"type":"object"}`, `{"a":{"b":1}}`, `{}`, []string{"a"}},
		{"PRN-008", `{"type":"array"}`, `[1,{"a":1},[{"c":3}],null]`, `[1,{},[{}],null]`, []string{"[1].a", "[2][0].c"}},
		{"PRN-009", `{"items":{"properties":{"a":{}}}}`, `[{"a":1,"b":2}]`, `[{"a":1}]`, []string{"[0].b"}},
		{"PRN-010", `{"properties":{"s":{"type":"string"}}}`, `{"s":{"a":1}}`, `{"s":{}}`, []string{"s.a"}},
		{"PRN-011", `{"properties":{"a":{}}}`, `{"a":null,"b":null}`, `{"a":null}`, []string{"b"}},
		{"PRN-012", `{"x-kubernetes-preserve-unknown-fields":true,"properties":{"a":{}}}`, `{"a":{"x":1},"b":{"y":{"z":1}}}`, `{"a":{},"b":{"y":{"z":1}}}`, []string{"a.x"}},
		{"PRN-013", `{"x-kubernetes-preserve-unknown-fields":true,"additionalProperties":true}`, `{"m":{"a":1}}`, `{"m":{}}`, []string{"m.a"}},
		{"PRN-015", `{"type":"array","x-kubernetes-preserve-unknown-fields":true,"items":{"properties":{"a":{}}}}`, `[{"keep":1,"a":{"drop":1}}]`, `[{"keep":1,"a":{}}]`, []string{"[0].a.drop"}},
		{"PRN-016", `{"x-kubernetes-preserve-unknown-fields":true,"items":{"items":{"properties":{"a":{}}}}}`, `[[{"k":1,"a":{"d":1}}]]`, `[[{"k":1,"a":{}}]]`, []string{"[0][0].a.d"}},
		{"PRN-016 no items", `{"x-kubernetes-preserve-unknown-fields":true}`, `[{"k":{"l":1}}]`, `[{"k":{"l":1}}]`, nil},
		{"PRN-017", `{"properties":{"e":{"x-kubernetes-embedded-resource":true}}}`, `{"e":{"kind":"K","metadata":{"x":1},"z":1}}`, `{"e":{"kind":"K","metadata":{"x":1}}}`, []string{"e.z"}},
		{"PRN-020", `{"type":"object"}`, `{"kind":"K","metadata":{},"z":1}`, `{}`, []string{"z"}},
		{"PRN-021", `{"properties":{"":{"properties":{"a.b":{}}}}}`, `{"":{"a.b":{"c/d":1},"e\"f":2}}`, `{"":{"a.b":{}}}`, []string{".a.b.c/d", `.e"f`}},
		{"PRN-022", `{"items":{}}`, `[1,{"a":1},1,1,1,1,1,1,1,1,{"A":1,"a":1}]`, `[1,{},1,1,1,1,1,1,1,1,{}]`, []string{"[10].A", "[10].a", "[1].a"}},
		{"PRN-027", `{"anyOf":[{"properties":{"a":{}}}]}`, `{"a":1}`, `{}`, []string{"a"}},
		{"PRN-031", `{"properties":{"v":{"properties":{"kind":{}}}}}`, `{"v":{"kind":{"x":1},"metadata":{}}}`, `{"v":{"kind":{}}}`, []string{"v.kind.x", "v.metadata"}},
	} {
		value := testschema.Value(t, tc.value)
		changes := prune.Value(value, testschema.Schema(t, tc.schema))
		if diff := cmp.Diff(testschema.Value(t, tc.want), value); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
		if got := structural.Paths(changes); !slices.Equal(got, tc.paths) {
			t.Errorf("%s: paths %q, want %q", tc.rule, got, tc.paths)
		}
	}
}

// A resource keeps its apiVersion, kind and metadata; without a schema it keeps
// nothing else (PRN-001, PRN-002, PRN-019, PRN-028).
func TestResource(t *testing.T) {
	const resource = `{"apiVersion":"v1","kind":"K","metadata":{"zz":1},"spec":{"a":1}}`
	for _, tc := range []struct {
		name   string
		schema *structural.Schema
		want   string
		paths  []string
	}{
		{"no schema", nil, `{"apiVersion":"v1","kind":"K","metadata":{"zz":1}}`, []string{"spec"}},
		{"declared metadata", testschema.Schema(t, `{"properties":{"metadata":{"properties":{"name":{}}}}}`), `{"apiVersion":"v1","kind":"K","metadata":{"zz":1}}`, []string{"spec"}},
		{"preserved", testschema.Schema(t, `{"x-kubernetes-preserve-unknown-fields":true,"properties":{"spec":{}}}`), `{"apiVersion":"v1","kind":"K","metadata":{"zz":1},"spec":{}}`, []string{"spec.a"}},
	} {
		object := testschema.Value(t, resource).(map[string]any)
		changes := prune.Resource(object, tc.schema)
		if diff := cmp.Diff(testschema.Value(t, tc.want), any(object)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if got := structural.Paths(changes); !slices.Equal(got, tc.paths) {
			t.Errorf("%s: paths %q, want %q", tc.name, got, tc.paths)
		}
	}
}

// Every change names the schema node that caused it: the object that does not
// specify the field, or the node that specifies no fields at all.
func TestProvenance(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"a":{"items":{"properties":{"b":{}}}},"m":{"additionalProperties":true},"n":{"type":"array"}}}`)
	value := testschema.Value(t, `{"a":[{"c":1}],"m":{"k":{"x":1}},"n":[[{"y":1}]],"z":1}`)
	const mapNode = "openAPIV3Schema.properties[m].additionalProperties"
	want := []structural.Change{
		{Action: structural.Pruned, Path: "a[0].c", Schema: "openAPIV3Schema.properties[a].items", Pointer: "/a/0/c", Value: int64(1)},
		{Action: structural.Pruned, Path: "m.k.x", Schema: mapNode, Pointer: "/m/k/x", Value: int64(1)},
		{Action: structural.Pruned, Path: "n[0][0].y", Schema: "openAPIV3Schema.properties[n]", Pointer: "/n/0/0/y", Value: int64(1)},
		{Action: structural.Pruned, Path: "z", Schema: "openAPIV3Schema", Pointer: "/z", Value: int64(1)},
	}
	if diff := cmp.Diff(want, prune.Value(value, schema)); diff != "" {
		t.Error(diff)
	}
}

// What a clean object allocates does not grow with its lists.
func TestAllocations(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"spec":{"properties":{"list":{"items":{"properties":{"a":{},"e":{"x-kubernetes-embedded-resource":true}}}},"map":{"additionalProperties":{"type":"string"}}}}}}`)
	object := testschema.Value(t, `{"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"spec":{"list":[{"a":1},{"e":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","labels":{"a":"b"}}}}],"map":{"a":"x","b":"y"}}}`).(map[string]any)
	allocs.Constant(t, "Resource", func(times int) func() {
		long := allocs.Longer(object, times).(map[string]any)
		return func() { prune.Resource(long, schema) }
	})
}

// plainPrune is pruning written for reading (PRN-003 to PRN-018): it returns a
// new value and appends to each path as a string.
type plainPrune struct{ removed []string }

func (p *plainPrune) value(value any, s *structural.Schema, keep bool, path string) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = p.item(item, s, keep, path+"["+itoa(i)+"]")
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, field := range v {
			p.field(out, key, field, s, keep, path)
		}
		return out
	}
	return value
}

func (p *plainPrune) item(item any, s *structural.Schema, keep bool, path string) any {
	skipping := keep || s.PreservesUnknownFields()
	if skipping && s.Items() == nil {
		return item
	}
	return p.value(item, s.Items(), skipping, path)
}

func (p *plainPrune) field(
	out map[string]any, key string, value any, s *structural.Schema, keep bool, path string,
) {
	below := key
	if path != "" {
		below = path + "." + key
	}
	meta := key == "apiVersion" || key == "kind" || key == "metadata"
	switch {
	case meta && s.EmbeddedResource():
		out[key] = value
	case s.Property(key) != nil:
		out[key] = p.value(value, s.Property(key), false, below)
	case s.AdditionalProperties() != nil:
		out[key] = p.value(value, s.AdditionalSchema(), false, below)
	case keep || s.PreservesUnknownFields():
		out[key] = value
	case s == nil || !meta || path != "":
		p.removed = append(p.removed, below)
	}
}

func itoa(i int) string {
	text, _ := json.Marshal(i) // an integer
	return string(text)
}

// FuzzValue compares pruning with its plain twin, and checks that pruning twice
// is the same as pruning once.
func FuzzValue(f *testing.F) {
	f.Add(`{"properties":{"a":{"x-kubernetes-preserve-unknown-fields":true,"items":{"properties":{"b":{}}}}}}`, `{"a":[{"b":{"c":1},"d":1}],"e":1}`)
	f.Add(`{"additionalProperties":true,"x-kubernetes-embedded-resource":true}`, `{"kind":{"a":1},"b":[{"c":1}]}`)
	f.Add(`{"items":{"items":{}}}`, `[[{"a":1}],{"b":2},null]`)
	f.Fuzz(func(t *testing.T, schemaText, valueText string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		value, _, err := jsonvalue.DecodeJSON([]byte(valueText))
		if err != nil {
			return
		}
		plain := plainPrune{}
		want := plain.value(value, schema, false, "")
		slices.Sort(plain.removed)
		got := structural.Paths(prune.Value(value, schema))
		if diff := cmp.Diff(want, value); diff != "" {
			t.Errorf("schema %s: %s", schemaText, diff)
		}
		if hasEmptyKey(value) {
			return // the plain twin does not know where a path starts
		}
		if !slices.Equal(got, plain.removed) {
			t.Errorf("schema %s: paths %q, want %q", schemaText, got, plain.removed)
		}
		if again := prune.Value(value, schema); len(again) != 0 {
			t.Errorf("pruning again removes %v", again)
		}
	})
}

func hasEmptyKey(value any) bool {
	object, ok := value.(map[string]any)
	_, has := object[""]
	return ok && has
}
