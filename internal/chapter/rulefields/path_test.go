package rulefields_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/chapter/rulefields"
	"github.com/crdsem/crdsem/structural"
)

func mustParse(t testing.TB, text string) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// The cases are those of CEL-080 to CEL-083.
func TestResolve(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"b-c":{"type":"string"},"x.y":{"type":"string"},
		"9":{"type":"string"},"w w":{"type":"string"},"it's":{"type":"string"}}},
		"m":{"type":"object","additionalProperties":{"type":"object","properties":{"v":{"type":"string"}}}},
		"free":{"type":"object","additionalProperties":true},"l":{"type":"array","items":{"type":"string"}}}}`)
	for _, c := range []struct{ path, want, wrong string }{
		{path: ".a", want: "a"},
		{path: ".a.b-c", want: "a.b-c"},
		{path: "['a']['x.y']", want: "a.x.y"},
		{path: ".a.9", want: "a.9"},
		{path: ".a.w w", want: "a.w w"},
		{path: `.a['it\'s']`, want: "a.it's"},
		{path: ".m.foo", want: "m[foo]"},
		{path: ".m['\\\nx']", want: "m[\\\nx]"},
		{path: ".m['foo'].v", want: "m[foo].v"},
		{path: ".free.x", want: "free[x]"},
		{path: ".free.x.y", wrong: "does not refer to a valid field"},
		{path: "a", wrong: "expected [ or . but got: a"},
		{path: ".", wrong: "unexpected end of JSON path"},
		{path: "[", wrong: "unexpected end of JSON path"},
		{path: "[a]", wrong: "expected single quoted string but got a"},
		{path: `["a"]`, wrong: `expected single quoted string but got "a"`},
		{path: "['a'", wrong: "unexpected end of JSON path"},
		{path: "['a'.", wrong: "expected ] but got ."},
		{path: ".['a']", wrong: "does not refer to a valid field"},
		{path: ".z", wrong: "does not refer to a valid field"},
		{path: `['\'`, wrong: "does not refer to a valid field"},
		{path: ".l[0]", wrong: "expected single quoted string but got 0"},
		{path: ".l.x", wrong: "does not refer to a valid field"},
		{path: ".a.b-c.d", wrong: "does not refer to a valid field"},
		{path: `['\q']`, wrong: `invalid string literal: invalid escape char \q`},
		{path: `['\é']`, wrong: `invalid string literal: invalid escape char \é`},
	} {
		got, _, err := rulefields.Resolve(c.path, schema)
		switch {
		case c.wrong != "" && (err == nil || err.Error() != c.wrong):
			t.Errorf("%s: %v, %v; want %s", c.path, got, err, c.wrong)
		case c.wrong == "" && (err != nil || got.String() != c.want):
			t.Errorf("%s: %v, %v; want %s", c.path, got, err, c.want)
		}
	}
	_, _, err := rulefields.ResolveSelectable("['a']", schema)
	if err == nil || err.Error() != "array notation is not allowed" {
		t.Errorf("selectable field: %v", err)
	}
}

// A path that resolves to another schema is never empty.
func FuzzFieldPath(f *testing.F) {
	for _, path := range []string{".a", "['a']", `['\'']`, "[", ".a[", "\xff", `['\` + "\xff" + `']`} {
		f.Add(path)
	}
	schema := mustParse(f, `{"type":"object","properties":{"a":{"type":"object","additionalProperties":true}}}`)
	f.Fuzz(func(t *testing.T, path string) {
		p, s, err := rulefields.Resolve(path, schema)
		if err == nil && path != "" && p == nil && s != schema {
			t.Fatalf("%q leads to a schema without a path", path)
		}
	})
}
