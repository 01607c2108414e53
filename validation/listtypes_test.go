package validation_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// identityText returns a text that is the same for two items of a list if and
// only if they are the same (LST-010 to LST-024).
func identityText(item any, s *structural.Schema) string {
	if s.ListType() == structural.ListSet {
		return scalarText(item)
	}
	fields, _ := item.(map[string]any)
	keys := s.ListMapKeys()
	if len(keys) == 1 {
		value, ok := fields[keys[0]]
		return fmt.Sprint(ok, scalarText(value))
	}
	present := map[string]any{}
	for _, key := range keys {
		if value, ok := fields[key]; ok {
			present[key] = value
		}
	}
	return scalarText(present)
}

// scalarText distinguishes 1 and 1.0, but not inside objects and lists.
func scalarText(value any) string {
	if f, ok := value.(float64); ok {
		return fmt.Sprintf("float %v", f+0) // -0.0 is 0.0
	}
	text, _ := json.Marshal(value)
	return fmt.Sprintf("%s %s", jsonvalue.KindOf(value), text)
}

// plainLists returns the places of the errors of list types, found in the plain
// way.
func plainLists(s *structural.Schema, value any, path string) (places []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			if additional := s.AdditionalSchema(); additional != nil {
				places = append(places, plainLists(additional, field, path+"["+name+"]")...)
			}
			if declared := s.Property(name); declared != nil {
				at := path + "." + name
				if path == "" {
					at = name
				}
				places = append(places, plainLists(declared, field, at)...)
			}
		}
	case []any:
		places = plainList(s, v, path)
		for i, item := range v {
			if items := s.Items(); items != nil {
				places = append(places, plainLists(items, item, fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	}
	return places
}

func plainList(s *structural.Schema, items []any, path string) (places []string) {
	if s.ListType() != structural.ListSet && s.ListType() != structural.ListMap {
		return nil
	}
	seen := map[string]int{}
	for i, item := range items {
		if _, ok := item.(map[string]any); s.ListType() == structural.ListMap && !ok &&
			item != nil {
			return []string{fmt.Sprintf("%s[%d]", path, i)}
		}
		text := identityText(item, s)
		if seen[text]++; seen[text] == 2 {
			places = append(places, fmt.Sprintf("%s[%d]", path, i))
		}
	}
	return places
}

// Any schema and any object: list types have errors at the places that the
// plain way finds.
func FuzzListTypes(f *testing.F) {
	seeds(f)
	const schema = `{"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"set","items":{}},
		"b":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object"}},
		"c":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k","l"],"items":{"type":"object"}}}}`
	for _, list := range []string{
		`1,1.0,1`, `0.0,-0.0`, `[1],[1.0]`, `[0],[-0.0]`, `{"k":1},{"k":1.0}`, `{"k":null},{}`, `null,null,{}`, `"a",["a"]`, `4611686018427388000,4.611686018427388e18`,
		`[4611686018427388000],[4.611686018427388e18]`, `[4611686018427387904],[4.611686018427388e18]`, `[9007199254740993],[9007199254740992.0]`, `{"k":{"x":[1]}},{"k":{"x":[1.0]}}`,
		`{"k":1,"l":2},{"l":2.0,"k":1}`, `1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,1,18,18`, `{"k":1},3,{"k":1}`,
	} {
		f.Add(schema, fmt.Sprintf(`{"a":[%[1]s],"b":[%[1]s],"c":[%[1]s]}`, list), "")
	}
	f.Fuzz(func(t *testing.T, schemaText, text, _ string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		o, _, err := jsonvalue.DecodeObject([]byte(text))
		if err != nil {
			return
		}
		var got []string
		for _, err := range validation.Compile(schema).ListTypes(t.Context(), o) {
			got = append(got, err.Field)
		}
		want := plainLists(schema, o, "")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("schema %s\nobject %s\nwant %q\ngot  %q", schemaText, text, want, got)
		}
	})
}
