package upgrade_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/upgrade"
)

// family is schemas of one field, and values that tell them apart: each bound
// is at most 2, so that what one schema takes and another refuses is among
// them.
type family struct {
	field   string
	schemas []string
	values  []any
	takes   [][]bool // whether a schema takes a value
}

// combined returns all schemas with one of each list of keywords, where an
// empty one is left out.
func combined(base string, keywords ...[]string) []string {
	all := []string{base}
	for _, choices := range keywords {
		var next []string
		for _, schema := range all {
			for _, keyword := range choices {
				next = append(next, strings.TrimSuffix(schema+", "+keyword, ", "))
			}
		}
		all = next
	}
	return all
}

func families() []*family {
	bounds := func(name string) []string {
		return []string{"", fmt.Sprintf("%q: 1", name), fmt.Sprintf("%q: 2", name)}
	}
	lists, objects := []any{[]any{}}, []any{map[string]any{}}
	for _, items := range []string{"a", "b", "aa", "ab", "ba", "aab", "aaa", "abc"} {
		var list []any
		for _, item := range items {
			list = append(list, string(item))
		}
		lists = append(lists, list)
	}
	for _, names := range []string{"a", "b", "ab", "bc", "abc"} {
		object := map[string]any{}
		for _, name := range names {
			object[string(name)] = "x"
		}
		objects = append(objects, object)
	}
	integers := []any{int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4)}
	return []*family{
		{field: "i", schemas: combined(`"type": "integer"`, bounds("minimum"), bounds("maximum"),
			[]string{"", `"multipleOf": 2`, `"exclusiveMinimum": true`}),
			values: integers},
		{field: "s", schemas: combined(`"type": "string"`, bounds("minLength"), bounds("maxLength"),
			[]string{"", `"enum": ["a"]`, `"enum": ["a", "bb"]`}),
			values: []any{"", "a", "b", "aa", "bb", "aaa"}},
		{field: "l", schemas: combined(`"type": "array", "items": {"type": "string"}`,
			bounds("minItems"), bounds("maxItems"), []string{"", `"x-kubernetes-list-type": "set"`}),
			values: lists},
		{field: "o", schemas: combined(`"type": "object", "properties": {
			"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}`,
			bounds("minProperties"), bounds("maxProperties"), []string{"", `"required": ["a"]`}),
			values: objects},
		{field: "f", schemas: []string{
			`"type": "string"`, `"type": "string", "format": "date"`,
			`"type": "string", "format": "date-time"`, `"type": "string", "format": "uuid"`,
			`"type": "string", "format": "byte"`, `"type": "string", "format": "unknown"`,
			`"type": "integer"`, `"type": "integer", "format": "int32"`,
			`"type": "integer", "format": "int64"`, `"type": "number"`,
			`"type": "number", "format": "double"`, `"type": "number", "format": "float"`,
			`"type": "number", "format": "int32"`, `"type": "boolean"`,
			`"x-kubernetes-int-or-string": true`, `"x-kubernetes-int-or-string": true, "maximum": 1`,
			`"x-kubernetes-int-or-string": true, "maxLength": 1`, `"type": "integer", "nullable": true`,
			`"type": "string", "nullable": true`, `"type": "number", "maximum": 1`,
			`"type": "string", "format": "date", "maxLength": 0`, `"type": "string", "enum": ["x"]`,
			`"type": "string", "pattern": "^$"`, `"x-kubernetes-preserve-unknown-fields": true`,
			`"x-kubernetes-preserve-unknown-fields": true, "nullable": true`,
		}, values: []any{"", "x", "YQ==", "2024-01-02", "2024-01-02T03:04:05Z",
			"f81d4fae-7dec-11d0-a765-00a0c91e6bf6", int64(0), int64(2), int64(1 << 40), 0.5, 1.5, 1e300,
			-1e300, true, nil, []any{}}},
		{field: "p", schemas: combined(`"type": "string"`, []string{
			"", `"pattern": "^a+$"`, `"pattern": "^a*$"`, `"pattern": "^[ab]+$"`, `"pattern": "a"`,
			`"pattern": "^(a|b)$"`, `"enum": ["a", "b"]`, `"pattern": "^.$"`,
		}, []string{"", `"maxLength": 1`, `"minLength": 1`}),
			values: []any{"", "a", "b", "c", "aa", "ab", "bb", "ca"}},
		{field: "n", schemas: []string{
			`"type": "object"`, nested(``), nested(`, "required": ["x"]`), nested(`, "minProperties": 1`),
			nested(`, "x-kubernetes-preserve-unknown-fields": true`),
			`"type": "object", "nullable": true`, nested(`, "nullable": true`),
			`"type": "object", "x-kubernetes-preserve-unknown-fields": true`,
			`"type": "object", "additionalProperties": {"type": "string"}`,
			`"type": "object", "additionalProperties": {"type": "integer"}`,
			`"type": "object", "additionalProperties": {"type": "string", "nullable": true}`,
			`"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 1`,
			`"type": "object", "additionalProperties": {"type": "string", "maxLength": 1}`,
			`"type": "object", "properties": {"x": {"type": "integer"}}`,
			`"type": "object", "properties": {"x": {"type": "string", "nullable": true}}`,
			`"type": "object", "properties": {"x": {"type": "string", "default": "d"}}`,
			`"type": "object", "properties": {"x": {"type": "string", "default": "d"}}, "required": ["x"]`,
			`"type": "object", "properties": {"x": {"type": "string", "minLength": 1}}`,
			`"type": "object", "properties": {"y": {"type": "string"}}`,
			`"type": "object", "properties": {"x": {"type": "string"}, "y": {"type": "string"}},
				"required": ["y"]`,
		}, values: []any{map[string]any{}, map[string]any{"x": "a"}, map[string]any{"x": "aa"},
			map[string]any{"x": ""}, map[string]any{"x": int64(1)}, map[string]any{"x": nil},
			map[string]any{"y": "a"}, map[string]any{"y": "aa"}, map[string]any{"y": int64(1)},
			map[string]any{"y": nil}, map[string]any{"x": "a", "y": "a"},
			map[string]any{"x": "aa", "y": "a"},
			map[string]any{"x": "", "y": "a"}, map[string]any{"z": "a"}, map[string]any{"z": []any{}}, nil}},
		{field: "j", schemas: combined(`"type": "integer"`, []string{
			"", `"not": {"enum": [1]}`, `"not": {"minimum": 2}`, `"anyOf": [{"enum": [1]}, {"minimum": 3}]`,
			`"oneOf": [{"minimum": 1}, {"minimum": 2}]`, `"allOf": [{"minimum": 1}, {"maximum": 2}]`,
		}, []string{"", `"minimum": 1`, `"enum": [1, 2]`}), values: integers},
		{field: "r", schemas: combined(`"type": "integer"`, []string{
			"", rule("self > 0"), rule("self >= 1"), rule("self in [1, 2]"), rule("self != 2"),
			rule("self < 3 || self == 4"), rule("!(self > 2)"), rule("true"), rule("self % 2 == 0"),
		}), values: integers},
		{field: "m", schemas: []string{
			keyed(``, ``), keyed(`"x-kubernetes-list-type": "atomic"`, ``),
			keyed(`"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]`, `"k"`),
			keyed(`"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k", "v"]`, `"k", "v"`),
			keyed(`"maxItems": 1`, ``), keyed(`"minItems": 1`, ``), keyed(``, `"v"`),
		}, values: pairs()},
	}
}

func rule(text string) string {
	return fmt.Sprintf(`"x-kubernetes-validations": [{"rule": %q}]`, text)
}

// nested returns a schema of an object with a field and more keywords.
func nested(more string) string {
	return `"type": "object", "properties": {"x": {"type": "string"}}` + more
}

// keyed returns a schema of a list of objects with two fields.
func keyed(more, required string) string {
	return strings.TrimSuffix(`"type": "array", "items": {"type": "object", "properties": {
		"k": {"type": "string"}, "v": {"type": "string"}}, "required": [`+required+`]}, `+more, ", ")
}

// pairs returns lists of up to two objects with the fields of keyed.
func pairs() []any {
	objects := []map[string]any{{}, {"k": "a"}, {"k": "b"}, {"v": "a"}, {"k": "a", "v": "a"},
		{"k": "a", "v": "b"}}
	lists := []any{[]any{}}
	for _, one := range objects {
		lists = append(lists, []any{one})
		for _, other := range objects {
			lists = append(lists, []any{one, other})
		}
	}
	return lists
}

// judge asks the facade which values a schema takes.
func (f *family) judge(t *testing.T) {
	t.Helper()
	for _, schema := range f.schemas {
		definition, err := crdsem.Parse(crd(fmt.Sprintf(`{%q: {%s}}`, f.field, schema)))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		version, err := definition.Version("v1")
		if err != nil {
			t.Fatal(err)
		}
		takes := make([]bool, len(f.values))
		for i, value := range f.values {
			takes[i] = version.Create(t.Context(), map[string]any{
				"apiVersion": "example.com/v1", "kind": "Foo", "metadata": map[string]any{"name": "n"},
				"spec": map[string]any{f.field: value},
			}).Admitted()
		}
		f.takes = append(f.takes, takes)
	}
}

// differs reports whether one schema takes a value that another one refuses.
func (f *family) differs(takes, refuses int) bool {
	for i := range f.values {
		if f.takes[takes][i] && !f.takes[refuses][i] {
			return true
		}
	}
	return false
}

// Of each pair of schemas, what is said of the change is what the facade does
// with all values: what it takes no longer is stricter and not fine, what it
// takes only now is looser, or either is stored in another way, and what is
// decided is so.
func TestFinite(t *testing.T) {
	all, most := families(), 0
	for _, f := range all {
		f.judge(t)
		most = max(most, len(f.schemas))
	}
	schema := func(at int) []byte {
		fields := make([]string, 0, len(all))
		for _, f := range all {
			fields = append(fields, fmt.Sprintf("%q: {%s}", f.field, f.schemas[at%len(f.schemas)]))
		}
		return crd("{" + strings.Join(fields, ", ") + "}")
	}
	for i := range most {
		for k := range most {
			report, err := upgrade.Compare(t.Context(), schema(i), schema(k))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range all {
				f.check(t, report, i%len(f.schemas), k%len(f.schemas))
			}
		}
	}
}

func (f *family) check(t *testing.T, report *upgrade.Report, old, changed int) {
	t.Helper()
	stricter, looser := f.differs(old, changed), f.differs(changed, old)
	var saysStricter, saysLooser bool
	for _, c := range report.Changes {
		below, ok := strings.CutPrefix(c.Path, "spec."+f.field)
		if !ok || below != "" && below[0] != '.' && below[0] != '[' {
			continue
		}
		isFine := c.Severities.Writers == upgrade.Fine
		changes := c.Class == upgrade.ChangesStorage
		saysStricter = saysStricter || changes || c.Class == upgrade.Stricter && !isFine
		saysLooser = saysLooser || changes || c.Class == upgrade.Looser
		if c.Decided &&
			(c.Class == upgrade.Stricter && !stricter || c.Class == upgrade.Looser && !looser) {
			t.Errorf("%s -> %s: %v is not so", f.schemas[old], f.schemas[changed], &c)
		}
	}
	if stricter && !saysStricter || looser && !saysLooser {
		t.Errorf("%s -> %s: stricter %v, looser %v: %v", f.schemas[old], f.schemas[changed],
			stricter, looser, report.Changes)
	}
}
