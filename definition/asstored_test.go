package definition

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const oneSchema = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ks.g.io"},
"spec":{"group":"g.io","scope":"Cluster","names":{"plural":"ks","kind":"K"},"versions":[
{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":SCHEMA}}]}}`

// DEF-019: values of served schemas are those that come back from storage, wherever they are; what is validated are those that were sent.
func TestValuesAreWrittenAnew(t *testing.T) {
	const at = `{"type":"number","default":1.0,"enum":[1.0,1.5,-0.0,1e21,"1.0"]}`
	def := compiled(t, strings.Replace(oneSchema, "SCHEMA", `{"type":"object","properties":{"p":`+at+`,"l":{"type":"array","items":`+at+`},"m":{"type":"object","additionalProperties":`+at+`},
		"o":{"type":"object","default":{"a":[2.0,{"b":3.0}]},"not":{"enum":[4.0]},"allOf":[{"enum":[5.0]}]}}}`, 1), Compile)
	schema := def.Version("v1").Schema()
	for _, s := range []interface{ Default() any }{schema.Property("p"), schema.Property("l").Items(), schema.Property("m").AdditionalSchema()} {
		if diff := cmp.Diff(int64(1), s.Default()); diff != "" {
			t.Error(diff)
		}
	}
	want := []any{int64(1), 1.5, int64(0), 1e21, "1.0"}
	if diff := cmp.Diff(want, schema.Property("p").Values().Enum); diff != "" {
		t.Error(diff)
	}
	o := schema.Property("o")
	if diff := cmp.Diff(any(map[string]any{"a": []any{int64(2), map[string]any{"b": int64(3)}}}), o.Default()); diff != "" {
		t.Error(diff)
	}
	values := o.Values()
	if diff := cmp.Diff([]any{int64(4), int64(5)}, append(values.Not.Values().Enum, values.AllOf[0].Values().Enum...)); diff != "" {
		t.Error(diff)
	}
}
