package defaulting_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// One row for each rule of filling in defaults.
func TestDefault(t *testing.T) {
	for _, tc := range []struct {
		rule, schema, value, want string
		paths                     []string
	}{
		{"DEF-001", `{"default":"x"}`, `5`, `5`, nil},
		{"DEF-002", `{"properties":{"a":{"default":1}}}`, `{}`, `{"a":1}`, []string{"a"}},
		{"DEF-003", `{"properties":{"a":{"default":"x"}}}`, `{"a":null}`, `{"a":"x"}`, []string{"a"}},
		{"DEF-004 null", `{"properties":{"a":{"default":"x","nullable":true}}}`, `{"a":null}`, `{"a":null}`, nil},
		{"DEF-004 absent", `{"properties":{"a":{"default":"x","nullable":true}}}`, `{}`, `{"a":"x"}`, []string{"a"}},
		{"DEF-005", `{"properties":{"o":{"default":{},"properties":{"a":{"default":5}}}}}`, `{}`, `{"o":{"a":5}}`, []string{"o", "o.a"}},
		{"DEF-006 absent", `{"properties":{"o":{"properties":{"a":{"default":5}}}}}`, `{}`, `{}`, nil},
		{"DEF-006 empty", `{"properties":{"o":{"properties":{"a":{"default":5}}}}}`, `{"o":{}}`, `{"o":{"a":5}}`, []string{"o.a"}},
		{"DEF-007", `{"additionalProperties":{"default":{"x":1},"properties":{"y":{"default":2}}}}`, `{"k":null,"l":{}}`, `{"k":{"x":1,"y":2},"l":{"y":2}}`, []string{"k", "k.y", "l.y"}},
		{"DEF-007 without default", `{"additionalProperties":{"type":"string"}}`, `{"k":null}`, `{"k":null}`, nil},
		{"DEF-008", `{"additionalProperties":true}`, `{"k":null}`, `{"k":null}`, nil},
		{"DEF-009", `{"items":{"default":"x"}}`, `[null,"y"]`, `["x","y"]`, []string{"[0]"}},
		{"DEF-009 nullable", `{"items":{"default":"x","nullable":true}}`, `[null]`, `[null]`, nil},
		{"DEF-009 without default", `{"items":{"properties":{"a":{"default":1}}}}`, `[null]`, `[null]`, nil},
		{"DEF-010", `{"items":{"properties":{"a":{"default":1}}}}`, `[{},{"a":null}]`, `[{"a":1},{"a":1}]`, []string{"[0].a", "[1].a"}},
		{"DEF-010 nested", `{"items":{"items":{"default":1}}}`, `[[null],[]]`, `[[1],[]]`, []string{"[0][0]"}},
		{"DEF-011", `{"default":{"a":1}}`, `{}`, `{}`, nil},
		{"DEF-012", `{"type":"string","properties":{"a":{"default":1}}}`, `{}`, `{"a":1}`, []string{"a"}},
		{"DEF-014", `{"properties":{"a":{"default":1},"b":{"default":false},"c":{"default":{}}}}`, `{"a":0}`, `{"a":0,"b":false,"c":{}}`, []string{"b", "c"}},
		{"DEF-015", `{"properties":{"a":{"default":null}}}`, `{}`, `{}`, nil},
		{"DEF-016", `{"properties":{"e":{"x-kubernetes-embedded-resource":true,"properties":{"kind":{"default":"Pod"},"metadata":{"properties":{"name":{"default":"n"}}}}}}}`, `{"e":{"metadata":{}}}`, `{"e":{"kind":"Pod","metadata":{"name":"n"}}}`, []string{"e.kind", "e.metadata.name"}},
		{"DEF-017", `{"allOf":[{"properties":{"a":{"default":1}}}]}`, `{}`, `{}`, nil},
		{"DEF-018", `{"properties":{"l":{"default":[{}],"items":{"properties":{"a":{"default":1}}}}}}`, `{}`, `{"l":[{"a":1}]}`, []string{"l", "l[0].a"}},
		{"DEF-019", `{"properties":{"a":{"default":1.0},"b":{"default":1}}}`, `{}`, `{"a":1.0,"b":1}`, []string{"a", "b"}},
	} {
		schema := testschema.Schema(t, tc.schema)
		value := testschema.Value(t, tc.value)
		changes := defaulting.Default(value, schema)
		if diff := cmp.Diff(testschema.Value(t, tc.want), value); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
		if got := structural.Paths(changes); !slices.Equal(got, tc.paths) {
			t.Errorf("%s: paths %q, want %q", tc.rule, got, tc.paths)
		}
		if again := defaulting.Default(value, schema); len(again) != 0 {
			t.Errorf("%s: DEF-018: defaulting again fills in %v", tc.rule, again)
		}
	}
}

// One row for each rule of removing nulls.
func TestDropNulls(t *testing.T) {
	for _, tc := range []struct {
		rule, schema, value, want string
		paths                     []string
	}{
		{"DEF-030", `{"properties":{"a":{},"b":{"nullable":true},"c":{"default":1}}}`, `{"a":null,"b":null,"c":null}`, `{"b":null,"c":null}`, []string{"a"}},
		{"DEF-031", `{"additionalProperties":{"type":"string"}}`, `{"k":null}`, `{}`, []string{"k"}},
		{"DEF-031 int-or-string", `{"properties":{"a":{"x-kubernetes-int-or-string":true}}}`, `{"a":null}`, `{}`, []string{"a"}},
		{"DEF-032", `{"items":{"properties":{"a":{}}}}`, `[null,{"a":null}]`, `[null,{}]`, []string{"[1].a"}},
		{"DEF-033", `{"x-kubernetes-preserve-unknown-fields":true}`, `{"a":null,"b":{"c":null}}`, `{"a":null,"b":{"c":null}}`, nil},
		{"DEF-033 boolean", `{"additionalProperties":true}`, `{"a":null}`, `{"a":null}`, nil},
		{"DEF-034", `{"properties":{"metadata":{},"spec":{}}}`, `{"metadata":null,"spec":null}`, `{}`, []string{"metadata", "spec"}},
	} {
		value := testschema.Value(t, tc.value)
		changes := defaulting.DropNulls(value, testschema.Schema(t, tc.schema))
		if diff := cmp.Diff(testschema.Value(t, tc.want), value); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
		if got := structural.Paths(changes); !slices.Equal(got, tc.paths) {
			t.Errorf("%s: paths %q, want %q", tc.rule, got, tc.paths)
		}
	}
}

// Every change names the schema node that caused it.
func TestProvenance(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"l":{"items":{"properties":{"a":{"default":1},"n":{}}}},"m":{"additionalProperties":{"default":"x"}}}}`)
	value := testschema.Value(t, `{"l":[{"n":null}],"m":{"k":null}}`)
	const (
		item     = "openAPIV3Schema.properties[l].items"
		mapValue = "openAPIV3Schema.properties[m].additionalProperties"
	)
	want := []structural.Change{
		{Action: structural.NullDropped, Path: "l[0].n", Schema: item + ".properties[n]", Pointer: "/l/0/n"},
	}
	if diff := cmp.Diff(want, defaulting.DropNulls(value, schema)); diff != "" {
		t.Error(diff)
	}
	want = []structural.Change{
		{Action: structural.Defaulted, Path: "l[0].a", Schema: item + ".properties[a]", Pointer: "/l/0/a", Value: int64(1)},
		{Action: structural.Defaulted, Path: "m.k", Schema: mapValue, Pointer: "/m/k", Value: "x"},
	}
	if diff := cmp.Diff(want, defaulting.Default(value, schema)); diff != "" {
		t.Error(diff)
	}
}

// An object shares nothing with the schema or with another object (DEF-013).
func TestDefaultsAreCopies(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"a":{"default":{"l":[{"x":1}]}},"b":{"items":{"default":[1]}}}}`)
	first, second := testschema.Value(t, `{"b":[null,null]}`).(map[string]any), testschema.Value(t, `{"b":[null]}`).(map[string]any)
	defaulting.Default(first, schema)
	first["a"].(map[string]any)["l"].([]any)[0].(map[string]any)["x"] = "changed"
	first["b"].([]any)[0].([]any)[0] = "changed"
	if diff := cmp.Diff(testschema.Value(t, `{"a":{"l":[{"x":"changed"}]},"b":[["changed"],[1]]}`), any(first)); diff != "" {
		t.Errorf("the items of one object are shared: %s", diff)
	}
	defaulting.Default(second, schema)
	if diff := cmp.Diff(testschema.Value(t, `{"a":{"l":[{"x":1}]},"b":[[1]]}`), any(second)); diff != "" {
		t.Errorf("the defaults are shared: %s", diff)
	}
}

// What a value without a change allocates does not grow with its lists.
func TestAllocations(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"a":{"default":1},"l":{"items":{"default":"x","properties":{"b":{"default":2}}}},"m":{"additionalProperties":{"properties":{"c":{"default":3}}}}}}`)
	value := testschema.Value(t, `{"a":1,"l":[{"b":1},"y"],"m":{"k":{"c":1}}}`)
	for name, step := range map[string]func(value any){
		"Default":   func(value any) { defaulting.Default(value, schema) },
		"DropNulls": func(value any) { defaulting.DropNulls(value, schema) },
	} {
		allocs.Constant(t, name, func(times int) func() {
			long := allocs.Longer(value, times)
			return func() { step(long) }
		})
	}
}

// Defaults lose the fields that the schema does not specify; a clean schema is
// returned itself (DEF-041 to DEF-045).
func TestPruneDefaults(t *testing.T) {
	for _, tc := range []struct{ rule, schema, property, want string }{
		{"DEF-041", `{"properties":{"p":{"default":{"a":1,"junk":2},"properties":{"a":{}}}}}`, "p", `{"a":1}`},
		{"DEF-041 array", `{"properties":{"p":{"default":[{"junk":2}],"items":{"properties":{"a":{}}}}}}`, "p", `[{}]`},
		{"DEF-042", `{"properties":{"p":{"x-kubernetes-embedded-resource":true,"default":{"kind":5,"metadata":{"name":"n","labels":1,"zz":1}}}}}`, "p", `{"metadata":{"name":"n"}}`},
	} {
		got, err := defaulting.PruneDefaults(testschema.Schema(t, tc.schema))
		if err != nil {
			t.Errorf("%s: %v", tc.rule, err)
			continue
		}
		pruned := got.Property(tc.property).Default()
		if diff := cmp.Diff(testschema.Value(t, tc.want), pruned); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
	}
	gone := testschema.Schema(t, `{"properties":{"e":{"x-kubernetes-embedded-resource":true,"properties":{"metadata":{"properties":{"name":{"default":5}}}}}}}`)
	if got, err := defaulting.PruneDefaults(gone); err != nil || got.HasDefaults() {
		t.Errorf("DEF-043: a default of a wrong type in metadata is left (%v)", err)
	}
	clean := testschema.Schema(t, `{"properties":{"p":{"default":{"a":1},"properties":{"a":{}}}}}`)
	if got, err := defaulting.PruneDefaults(clean); err != nil || got != clean {
		t.Errorf("a clean schema is not returned as it is (%v)", err)
	}
	const text = "failed to prune default value: object root default value must be of object type"
	_, err := defaulting.PruneDefaults(testschema.Schema(t, `{"default":5}`))
	if err == nil || err.Error() != text {
		t.Errorf("DEF-044: %v, want %s", err, text)
	}
}

// FuzzDefault compares DropNulls and Default with their plain twins.
func FuzzDefault(f *testing.F) {
	f.Add(`{"properties":{"a":{"default":{"l":[null]},"properties":{"l":{"items":{"default":1}}}}}}`, `{"b":1}`)
	f.Add(`{"additionalProperties":{"default":{},"properties":{"x":{"default":[{}]}}}}`, `{"k":null,"l":{}}`)
	f.Add(`{"items":{"nullable":true,"default":1,"properties":{"a":{"default":2}}}}`, `[null,{}]`)
	f.Fuzz(func(t *testing.T, schemaText, valueText string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		value, _, err := jsonvalue.DecodeJSON([]byte(valueText))
		if err != nil {
			return
		}
		want := plainDefault(plainDropNulls(value, schema), schema)
		defaulting.DropNulls(value, schema)
		defaulting.Default(value, schema)
		if diff := cmp.Diff(want, value); diff != "" {
			t.Errorf("schema %s, value %s: %s", schemaText, valueText, diff)
		}
	})
}

// plainDropNulls is DropNulls written for reading: it returns a new value.
func plainDropNulls(value any, s *structural.Schema) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainDropNulls(item, s.Items())
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, field := range v {
			child := s.Child(key)
			if field == nil && child != nil && !child.Nullable() && child.Default() == nil {
				continue
			}
			out[key] = plainDropNulls(field, child)
		}
		return out
	}
	return value
}

// plainDefault is Default written for reading: it returns a new value.
func plainDefault(value any, s *structural.Schema) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainDefault(orDefault(item, s.Items()), s.Items())
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, property := range s.Properties() {
			if property.Default() != nil {
				out[name] = plainDefault(property.Default(), property)
			}
		}
		for key, field := range v {
			out[key] = plainDefault(orDefault(field, s.Child(key)), s.Child(key))
		}
		return out
	}
	return value
}

func orDefault(value any, s *structural.Schema) any {
	if value == nil && s != nil && !s.Nullable() {
		return s.Default()
	}
	return value
}
