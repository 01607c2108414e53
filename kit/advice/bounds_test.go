package advice_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// many returns a schema and an object with names that resemble each other: the
// object has none of the schema's.
func many(t *testing.T, n int) (*structural.Schema, map[string]any) {
	t.Helper()
	properties, object := map[string]any{}, map[string]any{}
	for i := range n {
		properties[fmt.Sprintf("someProperty%06d", i)] = map[string]any{"type": "string"}
		object[fmt.Sprintf("somePropertx%06d", i)] = "x"
	}
	schema, err := structural.FromMap(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	return schema, object
}

// Hints on many unknown fields of a schema with many properties end soon. The
// first ones name a property, the last ones no more.
func TestManyUnknownFields(t *testing.T) {
	const n = 5000
	schema, object := many(t, n)
	for name, hint := range map[string]func(o *advice.Object, i int) string{
		"unknown": func(o *advice.Object, i int) string {
			text := fmt.Sprintf(`unknown field "somePropertx%06d"`, i)
			return o.Warning(t.Context(), text)
		},
		"required": func(o *advice.Object, i int) string {
			err := &field.Error{Field: fmt.Sprintf("someProperty%06d", i), Origin: "VAL-081"}
			return o.Hint(t.Context(), err)
		},
		"forbidden": func(o *advice.Object, i int) string {
			name := fmt.Sprintf("somePropertx%06d", i)
			return o.Hint(t.Context(), &field.Error{BadValue: name, Origin: "VAL-082"})
		},
	} {
		o := &advice.Object{Schema: schema, Object: object}
		first, last := hint(o, 0), ""
		for i := 1; i < n; i++ {
			if last = hint(o, i); last == "" {
				t.Fatalf("%s: there is no hint", name)
			}
		}
		if !strings.Contains(first, "did you mean `someProperty000000`?") {
			t.Errorf("%s: the first hint is %q", name, first)
		}
		if strings.Contains(last, "did you mean") {
			t.Errorf("%s: steps are left for %q", name, last)
		}
	}
}

// Long names are not compared.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 60<<10)
	schema, err := structural.FromMap(map[string]any{
		"type": "object", "properties": map[string]any{long + "b": map[string]any{"type": "string"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	o := &advice.Object{Schema: schema, Object: map[string]any{long: "x"}}
	for range 100 {
		if got := o.Warning(t.Context(), fmt.Sprintf("unknown field %q", long)); strings.Contains(
			got, "did you mean") {
			t.Fatal("names of 60 KB are compared")
		}
	}
}

// A hint shows the beginning of a value only, and does not read the rest.
func TestLargeValues(t *testing.T) {
	schema, err := structural.FromMap(map[string]any{
		"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	deep := any(strings.Repeat("é", 1<<20))
	for range 1000 {
		deep = []any{map[string]any{"a": deep}, deep}
	}
	o := &advice.Object{Schema: schema, Object: map[string]any{"a": deep}}
	got := o.Hint(t.Context(), &field.Error{Field: "a", Origin: "VAL-020"})
	const want = "the value " + `[{"a":[{"a":[{"a":`
	if !strings.HasPrefix(got, want) || len(got) > 200 {
		t.Errorf("%q", got)
	}
}

// Many errors about rules of one large definition.
func TestManyRules(t *testing.T) {
	const n = 3000
	properties := map[string]any{}
	rules := make([]any, n)
	for i := range n {
		properties[fmt.Sprintf("someProperty%06d", i)] = map[string]any{
			"type": "array", "maxItems": int64(3),
			"items": map[string]any{"type": "string", "maxLength": int64(5)},
		}
		rules[i] = map[string]any{"rule": fmt.Sprintf("self.somePropertx%06d", i)}
	}
	d := &advice.Definition{Document: map[string]any{
		"type": "object", "properties": properties, "x-kubernetes-validations": rules,
	}}
	for i := range n {
		for origin, detail := range map[string]string{
			"CRD-210": fmt.Sprintf("undefined field 'somePropertx%06d'", i), "CRD-222": "",
		} {
			path := fmt.Sprintf("x-kubernetes-validations[%d].rule", i)
			err := &field.Error{Field: path, Detail: detail, Origin: origin}
			if d.Hint(t.Context(), err) == "" {
				t.Fatalf("%s: there is no hint", origin)
			}
		}
	}
}
