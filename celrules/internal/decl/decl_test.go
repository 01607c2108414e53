package decl_test

import (
	"strings"
	"testing"

	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/structural"
)

func node(t testing.TB, schema string) *decl.Node {
	t.Helper()
	s, err := structural.Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return new(decl.Universe).Inner(s)
}

const requestText = decl.MaxRequestBytes - 2

// TestMeasure covers CEL-020.
func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		schema   string
		min, max int64
		omitted  bool
	}{
		{`{"x-kubernetes-int-or-string":true}`, 1, requestText, false},
		{`{"x-kubernetes-int-or-string":true,"maxLength":5}`, 1, 20, false},
		{`{"type":"string"}`, 2, requestText, false},
		{`{"type":"string","maxLength":7}`, 2, 28, false},
		{`{"type":"string","maxLength":-7}`, 2, 0, false},
		{`{"type":"string","enum":["a","éé"]}`, 2, 4, false},
		{`{"type":"string","enum":["a","éé"],"maxLength":9}`, 2, 36, false},
		{`{"type":"string","format":"byte","maxLength":7}`, 2, 7, false},
		{`{"type":"string","format":"duration","maxLength":7}`, 3, 32, false},
		{`{"type":"string","format":"date"}`, 12, 12, false},
		{`{"type":"string","format":"date-time"}`, 21, 32, false},
		{`{"type":"string","format":"datetime"}`, 2, requestText, false},
		{`{"type":"boolean"}`, 4, 0, false},
		{`{"type":"number"}`, 1, 0, false},
		{`{"type":"integer"}`, 1, 0, false},
		{`{"type":"array","items":{"type":"integer"}}`, 2, requestText / 2, false},
		{`{"type":"array","maxItems":-1,"items":{"type":"integer"}}`, 2, 0, false},
		{`{"type":"array","items":{"x-kubernetes-preserve-unknown-fields":true}}`, 0, 0, true},
		{`{"type":"array"}`, 0, 0, true},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, 2, requestText / 7, false},
		{`{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":3}`, 2, 3, false},
		{`{"type":"object","additionalProperties":{"x-kubernetes-preserve-unknown-fields":true}}`, 0, 0, true},
		{`{"type":"object","additionalProperties":true}`, 2, 0, false},
		{`{"type":"object","required":["a","9","a","d","none","u"],"properties":{"u":{"x-kubernetes-preserve-unknown-fields":true},"a":{"type":"boolean"},"9":{"type":"integer"},
			"d":{"type":"integer","default":1},"o":{"type":"integer"}}}`, 2 + (1 + 4 + 4) + (1 + 1 + 4), 0, false},
		{`{"x-kubernetes-preserve-unknown-fields":true}`, 0, 0, true},
		{`{"type":"nonsense"}`, 0, 0, true},
	} {
		n := node(t, c.schema)
		if n.MinBytes() != c.min || n.MaxElements() != c.max || n.Omitted() != c.omitted {
			t.Errorf("%s: %d, %d, %v; want %d, %d, %v", c.schema,
				n.MinBytes(), n.MaxElements(), n.Omitted(), c.min, c.max, c.omitted)
		}
	}
}

// TestScopeTypes covers CEL-021, CEL-022 and CEL-023.
func TestScopeTypes(t *testing.T) {
	n := node(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"x-y":{"type":"string"}}},
		"b":{"type":"object","properties":{"x-y":{"type":"string"}}},"namespace":{"type":"integer"},
		"l":{"type":"array","items":{"type":"object","properties":{"i":{"type":"integer"}}}},
		"9":{"type":"string"},".":{"type":"string"},"u":{"x-kubernetes-preserve-unknown-fields":true}}}`)
	registry, err := types.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	s := decl.NewScope(n, registry)
	for _, c := range []struct{ of, field, want string }{
		{"selfType", "a", "selfType.a"},
		{"selfType", "b", "selfType.b"},
		{"selfType.a", "x__dash__y", "string"},
		{"selfType", "namespace", "int"},
		{"selfType", "__namespace__", "int"},
		{"selfType", "l", "list(selfType.l.@idx)"},
		{"selfType.l.@idx", "i", "int"},
		{"selfType", "9", ""},
		{"selfType", "__dot__", "string"},
		{"selfType", "dot", ""},
		{"selfType", "u", ""},
		{"selfType.a", "x-y", ""},
		{"nothing", "a", ""},
	} {
		of := strings.Replace(c.of, "selfType", s.SelfType().TypeName(), 1)
		got, ok := s.FindStructFieldType(of, c.field)
		if ok != (c.want != "") || ok && decl.Shown(got.Type.String()) != c.want {
			t.Errorf("%s.%s: %v, want %q", c.of, c.field, got, c.want)
		}
	}
	for name, want := range map[string]bool{
		s.SelfType().TypeName(): true, s.SelfType().TypeName() + ".a": true,
		"duration": true, "list": true,
		"selfType": false, "selfType.a": false, "Foo": false,
	} {
		if _, ok := s.FindStructType(name); ok != want {
			t.Errorf("type %q: %t, want %t", name, ok, want)
		}
	}
}

// TestCanonical compares all nodes of one universe with each other. Those of a
// line differ in what expressions cannot see. Those of two lines do not.
func TestCanonical(t *testing.T) {
	var u decl.Universe
	type look struct {
		node *decl.Node
		line int
	}
	var all []look
	for i, line := range [][]string{
		{`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"description":"one","pattern":"x"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"description":"two","nullable":true}}}`},
		{`{"type":"object","properties":{"a":{"type":"string","maxLength":4}}}`},
		{`{"type":"object","properties":{"b":{"type":"string","maxLength":3}}}`},
		{`{"type":"object","required":["a"],"properties":{"a":{"type":"string","maxLength":3}}}`},
		{`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"format":"byte"}}}`},
		{`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"default":"x"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"default":"y"}}}`},
		{`{"type":"object","x-kubernetes-embedded-resource":true,"properties":{"a":{"type":"string","maxLength":3}}}`},
		{`{"type":"object","additionalProperties":{"type":"string","maxLength":3}}`,
			`{"type":"object","minProperties":1,"additionalProperties":{"type":"string","maxLength":3}}`},
		{`{"type":"object","maxProperties":3,"additionalProperties":{"type":"string","maxLength":3}}`},
		{`{"type":"object"}`, `{"type":"object","nullable":true}`},
		{`{"type":"array","items":{"type":"string","maxLength":3}}`, `{"type":"array","minItems":1,"items":{"type":"string","maxLength":3}}`},
		{`{"type":"array","maxItems":3,"items":{"type":"string","maxLength":3}}`},
		{`{"type":"array","items":{"type":"array","items":{"type":"string","maxLength":3}}}`},
		{`{"type":"string"}`, `{"type":"string","format":"email"}`},
		{`{"type":"string","enum":["a","éé"]}`, `{"type":"string","enum":["bbbb"]}`},
		{`{"type":"string","enum":["a"]}`},
		{`{"type":"string","enum":[""]}`, `{"type":"string","enum":["",""]}`},
		{`{"type":"string","enum":["a"],"maxLength":1}`},
		{`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`},
		{`{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"string"}}}`},
		{`{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"string","maxLength":3}}}`},
		{`{"x-kubernetes-preserve-unknown-fields":true}`, `{"x-kubernetes-preserve-unknown-fields":true,"nullable":true}`},
		{`{"type":"integer"}`, `{"type":"integer","maximum":3}`},
		{`{"x-kubernetes-int-or-string":true}`},
	} {
		for _, text := range line {
			s, err := structural.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, look{u.Inner(s), i})
			if i == 0 {
				all = append(all, look{u.Root(s), -1}, look{u.Inner(s.Property("a")), -2})
			}
		}
	}
	for _, a := range all {
		for _, b := range all {
			if same := u.Canonical(a.node) == u.Canonical(b.node); same != (a.line == b.line) {
				t.Errorf("lines %d and %d: the same: %t", a.line, b.line, same)
			}
		}
	}
}

// The keyword that bounds the size of values (CEL-020).
func TestBound(t *testing.T) {
	for _, c := range []struct {
		schema, keyword string
		limit, perUnit  int64 // a limit of 0 is none
	}{
		{`{"type":"array","items":{"type":"integer"},"maxItems":3}`, "maxItems", 3, 1},
		{`{"type":"array","items":{"type":"integer"}}`, "maxItems", 0, 1},
		{`{"type":"object","additionalProperties":{"type":"integer"},"maxProperties":3}`, "maxProperties", 3, 1},
		{`{"type":"object","properties":{"a":{"type":"integer"}}}`, "", 0, 0},
		{`{"type":"string","maxLength":3}`, "maxLength", 3, 4},
		{`{"type":"string","format":"byte","maxLength":3}`, "maxLength", 3, 1},
		{`{"type":"string","enum":["a"]}`, "", 0, 0},
		{`{"x-kubernetes-int-or-string":true,"maxLength":3}`, "maxLength", 3, 4},
		{`{"x-kubernetes-int-or-string":true,"enum":["a"]}`, "maxLength", 0, 4},
		{`{"type":"integer"}`, "", 0, 0},
	} {
		keyword, limit, perUnit := node(t, c.schema).Bound()
		if keyword != c.keyword || perUnit != c.perUnit || (limit == nil) != (c.limit == 0) ||
			limit != nil && *limit != c.limit {
			t.Errorf("%s: %s %v, %d", c.schema, keyword, limit, perUnit)
		}
	}
}
