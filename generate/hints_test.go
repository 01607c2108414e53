package generate

import (
	"slices"
	"testing"
)

func TestRuleHints(t *testing.T) {
	for _, c := range []struct {
		rule                     string
		members, texts, patterns []string
		numbers                  []int64
	}{
		{rule: "self.a.b == self.a.c", members: []string{"a", "b", "c"}},
		{rule: "has(self.__namespace__) && self.x__dash__y.size() > 5", members: []string{"namespace", "x-y"}, numbers: []int64{5}},
		{rule: `self.type in ['A', "B's"] || self == 'it\'s'`, members: []string{"type"}, texts: []string{"A", "B's", "it's"}},
		{rule: `self.matches('^a\\.b$') && self.name.matches(r"""^\d"+$""")`, members: []string{"name"}, patterns: []string{`^a\.b$`, `^\d"+$`}},
		{rule: "duration(self) > duration('1ms')", texts: append(append(slices.Clone(libraryTexts["duration"]), libraryTexts["duration"]...), "1ms")},
		{rule: "0x1F < self && self < 18446744073709551616", numbers: nil},
		{rule: "'unfinished", texts: []string{"unfinished"}},
		{rule: "self.a\\", members: []string{"a"}},
		{rule: "sélf.é == 'é'", texts: []string{"é"}, members: nil},
		{rule: ""},
	} {
		h := ruleHints(c.rule)
		if !slices.Equal(h.members, c.members) && len(c.members) > 0 || !slices.Equal(h.texts, c.texts) || !slices.Equal(h.patterns, c.patterns) || !slices.Equal(h.numbers, c.numbers) {
			t.Errorf("%s: %+v", c.rule, h)
		}
	}
}

func TestJunctorHints(t *testing.T) {
	h := junctorHints(node{"oneOf": []any{
		node{"required": []any{"b"}, "properties": node{"a": node{"enum": []any{"x", int64(3)}, "minimum": int64(7)}}},
		node{"not": node{"anyOf": []any{node{"required": []any{"c"}}, node{"items": node{"pattern": "^z"}}}}},
	}})
	if !slices.Equal(h.members, []string{"a", "b", "c"}) || !slices.Equal(h.texts, []string{"x"}) || !slices.Equal(h.numbers, []int64{3, 7}) || !slices.Equal(h.patterns, []string{"^z"}) {
		t.Errorf("%+v", h)
	}
}

// A place of an object is found by the path of an error, also where names have points and brackets in them, or are keys of maps.
func TestPlacesAreFound(t *testing.T) {
	schema := node{"type": "object", "properties": node{
		"a.b": node{"type": "array", "items": node{"type": "object", "properties": node{"c": node{"type": "string", "title": "found"}}}},
		"m":   node{"type": "object", "additionalProperties": node{"type": "object", "properties": node{"x": node{"type": "string", "title": "found"}}}},
	}}
	object := map[string]any{
		"a.b": []any{map[string]any{}, map[string]any{"c": "v"}},
		"m":   map[string]any{"k.l": map[string]any{"x": "v"}, "n[0]": map[string]any{"x": "v"}},
	}
	o := &objects{r: New(1)}
	for path, want := range map[string]bool{
		"a.b[1].c": true, "m.k.l.x": true, "m[k.l].x": true, "m[n[0]].x": true, "a.b[0].c": false,
	} {
		found, ok := o.find(rootSpot(schema, object), object, path)
		if !ok || found.exists != want || found.node["title"] != "found" || want && found.value != "v" {
			t.Errorf("%s: %v %+v", path, ok, found.node)
		}
	}
	if found, ok := o.find(rootSpot(schema, object), object, "nope.x"); ok {
		t.Errorf("found %+v", found.node)
	}
}
