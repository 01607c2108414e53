package upgrade_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/upgrade"
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
	}
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
// takes only now is looser, and what is decided is so.
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
		if c.Path != "spec."+f.field && !strings.HasPrefix(c.Path, "spec."+f.field+".") {
			continue
		}
		isFine := c.Severities.Writers == upgrade.Fine
		saysStricter = saysStricter || c.Class == upgrade.Stricter && !isFine
		saysLooser = saysLooser || c.Class == upgrade.Looser
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
