package structural_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// told returns what the methods of a node return, each as text, without those
// that return nothing.
func told(s *structural.Schema) map[string]string {
	all := map[string]any{
		"Type": s.Type(), "Title": s.Title(), "Description": s.Description(),
		"Default": s.Default(), "Example": s.Example(), "Nullable": s.Nullable(),
		"Items": s.Items().Title(), "AdditionalSchema": s.AdditionalSchema().Title(),
		"PropertyNames": s.PropertyNames(), "HasProperties": s.HasProperties(),
		"a": s.Property("a").Title(), "Child(a)": s.Child("a").Title(),
		"Child(b)": s.Child("b").Title(), "HasNodesBelow": !s.IsLeaf(),
		"PreservesUnknownFields": s.PreservesUnknownFields(),
		"EmbeddedResource":       s.EmbeddedResource(), "IntOrString": s.IntOrString(),
		"ListType": s.ListType(), "HasListType": s.HasListType(),
		"ListMapKeys": s.ListMapKeys(), "MapType": s.MapType(), "HasMapType": s.HasMapType(),
		"Rules": len(s.Rules()), "Pattern": s.Values().Pattern,
	}
	if d := s.ExternalDocs(); d != nil {
		all["ExternalDocs"] = *d
	}
	if a := s.AdditionalProperties(); a != nil {
		all["Allows"] = fmt.Sprint("is ", a.Allows)
	}
	out := map[string]string{}
	for name, value := range all {
		text := fmt.Sprint(value)
		if !slices.Contains([]string{"", "<nil>", "false", "0", "[]"}, text) {
			out[name] = text
		}
	}
	return out
}

// Each keyword is returned by its methods, and by no other.
func TestKeywords(t *testing.T) {
	for schema, want := range map[string]map[string]string{
		`{}`:                                   {},
		`{"type":"string"}`:                    {"Type": "string"},
		`{"title":"x"}`:                        {"Title": "x"},
		`{"description":"x"}`:                  {"Description": "x"},
		`{"default":1}`:                        {"Default": "1"},
		`{"example":"x"}`:                      {"Example": "x"},
		`{"nullable":true}`:                    {"Nullable": "true"},
		`{"pattern":"x"}`:                      {"Pattern": "x"},
		`{"items":{"title":"i"}}`:              {"Items": "i", "HasNodesBelow": "true"},
		`{"externalDocs":{"url":"u"}}`:         {"ExternalDocs": "{ u}"},
		`{"externalDocs":{"description":"d"}}`: {"ExternalDocs": "{d }"},
		`{"properties":{}}`:                    {},
		`{"properties":{"a":{"title":"x"}}}`: {"PropertyNames": "[a]", "HasProperties": "true",
			"a": "x", "Child(a)": "x", "HasNodesBelow": "true"},
		`{"properties":{"a":{"title":"x"}},"additionalProperties":{"title":"y"}}`: {
			"PropertyNames": "[a]", "HasProperties": "true", "a": "x", "Child(a)": "x",
			"Child(b)": "y", "HasNodesBelow": "true", "AdditionalSchema": "y", "Allows": "is true"},
		`{"additionalProperties":{"title":"y"}}`: {"Child(a)": "y", "Child(b)": "y",
			"HasNodesBelow": "true", "AdditionalSchema": "y", "Allows": "is true"},
		`{"additionalProperties":true}`:                  {"Allows": "is true"},
		`{"additionalProperties":false}`:                 {"Allows": "is false"},
		`{"x-kubernetes-preserve-unknown-fields":true}`:  {"PreservesUnknownFields": "true"},
		`{"x-kubernetes-embedded-resource":true}`:        {"EmbeddedResource": "true"},
		`{"x-kubernetes-int-or-string":true}`:            {"IntOrString": "true"},
		`{"x-kubernetes-list-type":"set"}`:               {"ListType": "set", "HasListType": "true"},
		`{"x-kubernetes-list-type":""}`:                  {"HasListType": "true"},
		`{"x-kubernetes-list-map-keys":["a","b"]}`:       {"ListMapKeys": "[a b]"},
		`{"x-kubernetes-map-type":"atomic"}`:             {"MapType": "atomic", "HasMapType": "true"},
		`{"x-kubernetes-map-type":""}`:                   {"HasMapType": "true"},
		`{"x-kubernetes-validations":[{"rule":"true"}]}`: {"Rules": "1"},
	} {
		if diff := cmp.Diff(want, told(testschema.Schema(t, schema))); diff != "" {
			t.Errorf("%s: %s", schema, diff)
		}
	}
	if diff := cmp.Diff(map[string]string{}, told(nil)); diff != "" {
		t.Errorf("no schema: %s", diff)
	}
}

// facts returns the facts about a node.
func facts(s *structural.Schema) string {
	var all []string
	for _, f := range []struct {
		name  string
		holds bool
	}{
		{"defaults", s.HasDefaults()}, {"null defaults", s.HasNullDefaults()},
		{"rules", s.HasRules()}, {"embedded", s.HasEmbeddedResources()},
		{"list types", s.HasListTypes()}, {"nullable", s.HasNullable()},
	} {
		if f.holds {
			all = append(all, f.name)
		}
	}
	return strings.Join(append(all, s.DefaultedProperties()...), ", ")
}

// A keyword is known at its node and at all above, wherever it lies on the
// spine and whatever its neighbors are. A default is not known at its own node.
func TestFacts(t *testing.T) {
	around := []string{
		`{"properties":{"a":%s}}`, `{"properties":{"a":%s,"z":{}}}`,
		`{"items":%s}`, `{"items":%s,"properties":{"z":{}}}`,
		`{"additionalProperties":%s}`, `{"properties":{"z":{}},"additionalProperties":%s}`,
		`{"items":{"items":%s}}`, `{"properties":{"y":{"additionalProperties":%s},"z":{}}}`,
	}
	for keyword, want := range map[string]struct{ own, above string }{
		`{}`:                       {"", ""},
		`{"default":1}`:            {"", "defaults"},
		`{"default":{"x":[null]}}`: {"", "defaults, null defaults"},
		`{"nullable":true}`:        {"nullable", "nullable"},
		`{"x-kubernetes-embedded-resource":true}`: {"embedded", "embedded"},
		`{"x-kubernetes-list-type":"set"}`:        {"list types", "list types"},
		`{"x-kubernetes-list-type":"map"}`:        {"list types", "list types"},
		`{"x-kubernetes-list-type":"atomic"}`:     {"", ""},
		`{"x-kubernetes-validations":[{}]}`:       {"rules", "rules"},
		`{"x-kubernetes-validations":[]}`:         {"", ""},
		`{"nullable":true,"properties":{"a":{}}}`: {"nullable", "nullable"},
		`{"not":{"nullable":true}}`:               {"", ""},
	} {
		if got := facts(testschema.Schema(t, keyword)); got != want.own {
			t.Errorf("%s: %q, want %q", keyword, got, want.own)
		}
		for i, parent := range around {
			wanted := want.above
			if i < 2 && strings.Contains(keyword, "default") {
				wanted += ", a"
			}
			schema := fmt.Sprintf(parent, keyword)
			if got := facts(testschema.Schema(t, schema)); got != wanted {
				t.Errorf("%s: %q, want %q", schema, got, wanted)
			}
		}
	}
	if got := facts(nil); got != "" {
		t.Errorf("no schema: %q", got)
	}
}

// A cache shares nodes between schemas until it drops them.
func TestCache(t *testing.T) {
	cache := &structural.Cache{}
	parse := func() *structural.Schema {
		t.Helper()
		s, err := structural.Parse([]byte(`{"title":"x"}`), structural.InCache(cache), nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := parse(), parse()
	cache.Drop()
	if third := parse(); first != second || first == third || !structural.Equal(first, third) {
		t.Errorf("shared %t, after Drop %t", first == second, first == third)
	}
}

// rebuilt rebuilds a schema by a function that knows where a child lies, e.g.
// "properties a". It also returns where it was called.
func rebuilt(
	s *structural.Schema, value any,
	child func(*structural.Schema, string) (*structural.Schema, error),
) (out *structural.Schema, order []string, err error) {
	var cache structural.Cache
	out, err = cache.Rebuild(s, value,
		func(s *structural.Schema, keyword, name string) (*structural.Schema, error) {
			at := strings.TrimSpace(keyword + " " + name)
			order = append(order, at)
			return child(s, at)
		})
	return out, order, err
}

// Rebuild replaces a default and children, in the server's order. It returns
// the node itself if they are the same, and the first error.
func TestRebuild(t *testing.T) {
	const text = `{"default":1,"additionalProperties":{"title":"m"},"items":{"title":"i"},
		"properties":{"a":{"title":"p"},"b":{"title":"q"}}}`
	s, other := testschema.Schema(t, text), testschema.Schema(t, `{"title":"n"}`)
	same := func(s *structural.Schema, _ string) (*structural.Schema, error) { return s, nil }
	if got, _, err := rebuilt(s, int64(1), same); got != s || err != nil {
		t.Errorf("without a change: %v, itself %t", err, got == s)
	}
	want := testschema.Schema(t, strings.Replace(text, "1", "2", 1))
	if got, _, err := rebuilt(s, int64(2), same); !structural.Equal(got, want) || err != nil {
		t.Errorf("another default: %v", err)
	}
	all := []string{"additionalProperties", "items", "properties a", "properties b"}
	for i, title := range []string{"m", "i", "p", "q"} {
		replace := func(s *structural.Schema, at string) (*structural.Schema, error) {
			if at == all[i] {
				return other, nil
			}
			return s, nil
		}
		want := testschema.Schema(t, strings.Replace(text, `"`+title+`"`, `"n"`, 1))
		got, order, err := rebuilt(s, int64(1), replace)
		if err != nil || !structural.Equal(got, want) || !slices.Equal(order, all) {
			t.Errorf("%s: %v in the order %q", all[i], err, order)
		}
		fail := func(s *structural.Schema, at string) (*structural.Schema, error) {
			if at == all[i] {
				return s, errors.New(at)
			}
			return s, nil
		}
		got, order, err = rebuilt(s, int64(1), fail)
		if got != nil || fmt.Sprint(err) != all[i] || !slices.Equal(order, all[:i+1]) {
			t.Errorf("%s fails: %v, %v after %q", all[i], got, err, order)
		}
	}
}

// A child that is no schema is not visited.
func TestRebuildWithoutChildren(t *testing.T) {
	s := testschema.Schema(t, `{"additionalProperties":true}`)
	never := func(*structural.Schema, string) (*structural.Schema, error) {
		return nil, errors.New("called")
	}
	if got, order, err := rebuilt(s, nil, never); got != s || len(order) > 0 || err != nil {
		t.Errorf("%v, %v at %q", got, err, order)
	}
}

// An embedded resource has the other keywords of its schema, and their facts.
func TestAsEmbeddedResource(t *testing.T) {
	const text = `{"title":"x","nullable":true,"properties":{"a":{"default":1}}}`
	s := testschema.Schema(t, text)
	got := structural.AsEmbeddedResource(s)
	want := testschema.Schema(t, `{"x-kubernetes-embedded-resource":true,`+text[1:])
	if diff := cmp.Diff(told(want), told(got)); diff != "" {
		t.Error(diff)
	}
	if facts(got) != "defaults, embedded, nullable, a" {
		t.Errorf("facts %q", facts(got))
	}
	if s.EmbeddedResource() || structural.AsEmbeddedResource(got) != got {
		t.Error("the argument was changed, or a resource is not returned itself")
	}
	if none := structural.AsEmbeddedResource(nil); facts(none) != "embedded" {
		t.Errorf("no schema: %q", facts(none))
	}
}

// Schemas are equal if all keywords are, also those of nodes below.
func TestEqual(t *testing.T) {
	texts := []string{`{}`, `{"title":"x"}`, `{"pattern":"x"}`, `{"additionalProperties":true}`,
		`{"additionalProperties":false}`}
	for _, around := range []string{
		`{"items":%s}`, `{"properties":{"a":%s}}`, `{"properties":{"a":{},"b":%s}}`,
		`{"additionalProperties":%s}`, `{"not":%s}`, `{"allOf":[%s]}`, `{"anyOf":[%s]}`,
		`{"oneOf":[%s]}`, `{"oneOf":[{},%s]}`, `{"not":{"allOf":[%s]}}`,
	} {
		for _, text := range []string{`{"title":"x"}`, `{"title":"y"}`, `{"pattern":"x"}`} {
			texts = append(texts, fmt.Sprintf(around, text))
		}
	}
	for i, a := range texts {
		for j, b := range texts {
			if structural.Equal(testschema.Schema(t, a), testschema.Schema(t, b)) != (i == j) {
				t.Errorf("Equal of %s and %s is %t", a, b, i != j)
			}
		}
		if s := testschema.Schema(t, a); structural.Equal(s, nil) || structural.Equal(nil, s) {
			t.Errorf("%s equals no schema", a)
		}
	}
	if !structural.Equal(nil, nil) {
		t.Error("nil and nil differ")
	}
}
