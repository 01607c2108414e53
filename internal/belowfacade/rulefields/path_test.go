package rulefields_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
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

// The cases are those of CEL-080 to CEL-083. A field is its path and its type.
func TestResolve(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"object","properties":{"b-c":{"type":"string"},"x.y":{"type":"integer"},
		"9":{"type":"number"},"w w":{"type":"boolean"},"it's":{"type":"array"},"":{"type":"number"},"\u0007\b\f\n\r\\\t\u000b":{"type":"integer"}}},
		"m":{"type":"object","additionalProperties":{"type":"object","properties":{"v":{"type":"string"}}}},
		"free":{"type":"object","additionalProperties":true},"l":{"type":"array","items":{"type":"string"}},"'q":{"type":"integer"}}}`)
	const unknown, end = "does not refer to a valid field", "unexpected end of JSON path"
	const arrays = "array notation is not allowed"
	for _, c := range []struct{ path, want, wrong, selectable string }{
		{path: "", want: "<nil> object"},
		{path: ".a", want: "a object"},
		{path: ".a.b-c", want: "a.b-c string"},
		{path: "['a']['x.y']", want: "a.x.y integer", selectable: arrays},
		{path: "['a'].b-c", want: "a.b-c string", selectable: arrays},
		{path: ".a['b-c']", want: "a.b-c string", selectable: arrays},
		{path: ".a['']", want: "a[] number", selectable: arrays},
		{path: `.a['\\']`, wrong: `expected single quoted string but got '\\']`, selectable: arrays},
		{path: ".a.9", want: "a.9 number"},
		{path: ".a.w w", want: "a.w w boolean"},
		{path: `.a['it\'s']`, want: "a.it's array", selectable: arrays},
		{path: `.a['\a\b\f\n\r\\\t\v']`, want: "a.\a\b\f\n\r\\\t\v integer", selectable: arrays},
		{path: ".'q", want: "'q integer"},
		{path: ".m.foo", want: "m[foo] object"},
		{path: ".m['\\\nx']", want: "m[\\\nx] object", selectable: arrays},
		{path: ".m['foo'].v", want: "m[foo].v string", selectable: arrays},
		{path: ".m.'f.o'.v", want: "m['f.o'].v string"},
		{path: ".free.x", want: "free[x] "},
		{path: ".free.x.y", wrong: unknown},
		{path: "a", wrong: "expected [ or . but got: a"},
		{path: ".a]", wrong: "expected [ or . but got: ]"},
		{path: "'.a'", wrong: "expected [ or . but got: '.a'"},
		{path: ".", wrong: end},
		{path: ".a.", wrong: end},
		{path: "[", wrong: end, selectable: arrays},
		{path: "[a]", wrong: "expected single quoted string but got a", selectable: arrays},
		{path: "[a'", wrong: "expected single quoted string but got a'", selectable: arrays},
		{path: "['", wrong: "expected single quoted string but got '", selectable: arrays},
		{path: "['a", wrong: "expected single quoted string but got 'a", selectable: arrays},
		{path: `["a"]`, wrong: `expected single quoted string but got "a"`, selectable: arrays},
		{path: "['a'", wrong: end, selectable: arrays},
		{path: "['a'.", wrong: "expected ] but got .", selectable: arrays},
		{path: "['a'b]", wrong: "expected ] but got b", selectable: arrays},
		{path: ".['a']", wrong: unknown},
		{path: ".z", wrong: unknown},
		{path: "['z']", wrong: unknown, selectable: arrays},
		{path: `['\'`, wrong: unknown, selectable: arrays},
		{path: ".l[0]", wrong: "expected single quoted string but got 0", selectable: arrays},
		{path: ".l.x", wrong: unknown},
		{path: ".a.b-c.d", wrong: unknown},
		{path: `['\q']`, wrong: `invalid string literal: invalid escape char \q`, selectable: arrays},
		{path: `['\x\é\n']`, wrong: `invalid string literal: invalid escape char \é`, selectable: arrays},
	} {
		if got := resolved(rulefields.Resolve(c.path, schema)); got != c.want+c.wrong {
			t.Errorf("%s: %q, want %q", c.path, got, c.want+c.wrong)
		}
		want := c.want + c.wrong
		if c.selectable != "" {
			want = c.selectable
		}
		if got := resolved(rulefields.ResolveSelectable(c.path, schema)); got != want {
			t.Errorf("selectable %s: %q, want %q", c.path, got, want)
		}
	}
}

// resolved returns a path and the type of its schema, or an error alone.
func resolved(path *field.Path, schema *structural.Schema, err error) string {
	switch {
	case err == nil:
		return path.String() + " " + schema.Type()
	case path != nil, schema != nil:
		return "a field with an error"
	}
	return err.Error()
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
