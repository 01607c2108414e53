package spine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/spine"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/crdcases"
	"github.com/crdsem/crdsem/kit/crdtest"
)

const pools = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: pools.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: pools, singular: pool, kind: Pool, listKind: PoolList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object}}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status: {type: object, properties: {ready: {type: integer}}}
          spec:
            type: object
            properties:
              b: {type: array, items: {type: object, properties: {c: {type: string, nullable: true}}}}
              a: {type: object, additionalProperties: {type: integer}}
              port: {x-kubernetes-int-or-string: true}
              wrong: true
              mixed: {type: array, properties: {d: {type: string}}}
`

func definition(t *testing.T) *crdtest.CRD {
	t.Helper()
	crds, err := crdtest.ReadCRDs(crdcases.Write(t, t.TempDir(), "crd.yaml", pools))
	if err != nil {
		t.Fatal(err)
	}
	return crds[0]
}

// A node comes before those below it, and properties are sorted.
func TestAll(t *testing.T) {
	root, prefix := spine.Of(definition(t), "v2")
	var paths []string
	for n := range root.All() {
		paths = append(paths, strings.TrimPrefix(n.Path, spine.Root))
	}
	want := []string{"", ".properties[spec]", ".properties[spec].properties[a]",
		".properties[spec].properties[a].additionalProperties", ".properties[spec].properties[b]",
		".properties[spec].properties[b].items",
		".properties[spec].properties[b].items.properties[c]",
		".properties[spec].properties[mixed]", ".properties[spec].properties[mixed].properties[d]",
		".properties[spec].properties[port]",
		".properties[status]", ".properties[status].properties[ready]"}
	if diff := cmp.Diff(want, paths); diff != "" || prefix != "spec.versions[1].schema." {
		t.Errorf("%s (-want +got):\n%s", prefix, diff)
	}
	for stop := range len(want) {
		read := 0
		for range root.All() {
			if read++; read > stop {
				break
			}
		}
		if read != stop+1 {
			t.Errorf("%d nodes instead of %d", read, stop+1)
		}
	}
	if root, prefix := spine.Of(definition(t), "v3"); root.Raw != nil || prefix != "" {
		t.Errorf("v3: %v, %s", root.Raw, prefix)
	}
}

// Nulls and values of another type are visited, and not looked into. A request
// for the status visits that alone.
func TestWalk(t *testing.T) {
	object, _, err := jsonvalue.DecodeObject([]byte(`{"other":1,"status":{"ready":1},"spec":{
		"a":{"x":1,"y":"no"},"mixed":{"d":"e"},"wrong":1,"b":[{"c":null},{"c":"z"},7],"port":"http"}}`))
	if err != nil {
		t.Fatal(err)
	}
	root, _ := spine.Of(definition(t), "v2")
	for verb, want := range map[crdtest.Verb]string{
		crdtest.Create: "a true;a[*] false;a[*] true;b true;b[*] false;b[*] true;b[*] true;" +
			"b[*].c false;b[*].c true;mixed false;port true;spec true;status true;status.ready true;the object true",
		crdtest.UpdateStatus: "status true;status.ready true",
	} {
		var seen []string
		sent := &crdtest.Exchange{Verb: verb, Result: &crdsem.Result{Object: object}}
		root.Walk(t.Context(), sent,
			func(n *spine.Node, _ any, typed bool) {
				at := strings.TrimPrefix(spine.Field(n.Path), "spec.")
				seen = append(seen, fmt.Sprint(at, " ", typed))
			})
		slices.Sort(seen)
		if diff := cmp.Diff(want, strings.Join(seen, ";")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", verb, diff)
		}
	}
}

// Nothing is visited without a schema or without the status.
func TestWalkOfNothing(t *testing.T) {
	fail := func(n *spine.Node, value any, _ bool) { t.Errorf("%s: %v", n.Path, value) }
	object := map[string]any{"spec": map[string]any{}}
	for version, verb := range map[string]crdtest.Verb{
		"v2": crdtest.UpdateStatus, "v3": crdtest.Create,
	} {
		root, _ := spine.Of(definition(t), version)
		root.Walk(t.Context(),
			&crdtest.Exchange{Verb: verb, Result: &crdsem.Result{Object: object}}, fail)
	}
}

func TestRestricts(t *testing.T) {
	for _, c := range []struct {
		raw     string
		keyword string
		want    bool
	}{
		{`{"type":"string","format":"uuid"}`, "format", true},
		{`{"type":"string","format":"of-nothing"}`, "format", false},
		{`{"type":"integer","format":"int32"}`, "format", false},
		{`{"x-kubernetes-list-type":"set"}`, spine.ListTypeKeyword, true},
		{`{"x-kubernetes-list-type":"map"}`, spine.ListTypeKeyword, true},
		{`{"x-kubernetes-list-type":"atomic"}`, spine.ListTypeKeyword, false},
		{`{"x-kubernetes-int-or-string":true}`, "anyOf", false},
		{`{"x-kubernetes-int-or-string":true}`, "allOf", false},
		{`{"x-kubernetes-int-or-string":true}`, "oneOf", true},
		{`{"type":"string"}`, "anyOf", true},
		{`{"type":"string"}`, "maxLength", true},
	} {
		raw, _, err := jsonvalue.DecodeObject([]byte(c.raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := spine.Restricts(raw, c.keyword); got != c.want {
			t.Errorf("%s of %s: %t", c.keyword, c.raw, got)
		}
	}
}

func TestChecks(t *testing.T) {
	all := map[string]any{"type": "integer", "maximum": int64(3), "minimum": int64(1), "title": "t"}
	part := spine.Part(all, "maximum", "enum")
	if diff := cmp.Diff(map[string]any{"type": "integer", "maximum": int64(3)}, part); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	check := spine.NewCheck(part)
	for value, want := range map[int64]bool{0: true, 3: true, 4: false} {
		if check.Takes(value) != want || check.Holds(t.Context(), value) != want {
			t.Errorf("%d: %t", value, !want)
		}
	}
	set := spine.NewCheck(map[string]any{"type": "object", "properties": map[string]any{
		"list": map[string]any{"type": "array", spine.ListTypeKeyword: "set",
			"items": map[string]any{"type": "string"}}}})
	for text, want := range map[string]bool{"a b": true, "a a": false} {
		var list []any
		for _, item := range strings.Fields(text) {
			list = append(list, item)
		}
		if set.HoldsInList(t.Context(), list) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
	if !spine.NewCheck(map[string]any{"type": int64(1)}).Takes("x") {
		t.Error("a schema that cannot be built refuses a value")
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{int64(1), "1"}, {"a", `"a"`}, {strings.Repeat("a", 58), `"` + strings.Repeat("a", 58) + `"`},
		{strings.Repeat("a", 59), `"` + strings.Repeat("a", 59) + "…"},
		{strings.Repeat("a", 58) + "é", `"` + strings.Repeat("a", 58) + "…"},
		{struct{ a int }{7}, "{7}"},
	} {
		if got := spine.Text(c.value); got != c.want {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
		}
	}
}
