package definition

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/structural"
)

const oneSchema = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":SCHEMA}}]}}`

// The compiled schema has values as they are read from storage, at every place
// of a schema (DEF-019).
func TestValuesAsStored(t *testing.T) {
	const at = `{"type":"number","default":1.0,"enum":[1.0,1.5,-0.0,1e21,"1.0"]}`
	def := compiled(t, strings.Replace(oneSchema, "SCHEMA", `{"type":"object","properties":{"p":`+at+`,"l":{"type":"array","items":`+at+`},"m":{"type":"object","additionalProperties":`+at+`},
		"o":{"type":"object","default":{"a":[2.0,{"b":3.0}]},"not":{"enum":[4.0]},"allOf":[{"enum":[5.0]}]},
		"u":{"type":"array","default":["x"],"items":{"type":"string","enum":["x"]},"not":{"minItems":9}}}}`, 1))
	schema := def.Version("v1").Schema()
	for _, enum := range []string{`"enum":[2.0]`, `"allOf":[{"enum":[2.0]}]`} {
		def := compiled(t, strings.Replace(oneSchema, "SCHEMA", `{"type":"object","properties":{"p":{"type":"number",`+enum+`}}}`, 1))
		values := def.Version("v1").Schema().Property("p").Values()
		if len(values.AllOf) > 0 {
			values = values.AllOf[0].Values()
		}
		if diff := cmp.Diff([]any{int64(2)}, values.Enum); diff != "" {
			t.Errorf("%s alone: %s", enum, diff)
		}
	}
	p, items := schema.Property("p"), schema.Property("l").Items()
	for _, s := range []*structural.Schema{p, items, schema.Property("m").AdditionalSchema()} {
		if diff := cmp.Diff(int64(1), s.Default()); diff != "" {
			t.Error(diff)
		}
	}
	want := []any{int64(1), 1.5, int64(0), 1e21, "1.0"}
	if diff := cmp.Diff(want, p.Values().Enum); diff != "" {
		t.Error(diff)
	}
	u := schema.Property("u")
	unchanged := []any{u.Default(), u.Items().Values().Enum, *u.Values().Not.Values().MinItems}
	if diff := cmp.Diff([]any{[]any{"x"}, []any{"x"}, int64(9)}, unchanged); diff != "" {
		t.Error(diff)
	}
	o := schema.Property("o")
	wantDefault := any(map[string]any{"a": []any{int64(2), map[string]any{"b": int64(3)}}})
	if diff := cmp.Diff(wantDefault, o.Default()); diff != "" {
		t.Error(diff)
	}
	values := o.Values()
	enums := append(values.Not.Values().Enum, values.AllOf[0].Values().Enum...)
	if diff := cmp.Diff([]any{int64(4), int64(5)}, enums); diff != "" {
		t.Error(diff)
	}
}
