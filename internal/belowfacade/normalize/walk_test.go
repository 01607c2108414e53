package normalize_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// What a walk does to values, in place and in a copy, with all its changes. A
// schema "" is none.
func TestWalk(t *testing.T) {
	const (
		prune, drop, fill = normalize.Prune, normalize.DropNulls, normalize.Default
		root              = normalize.ResourceRoot
		strict, repair    = normalize.CoerceMetadata, normalize.RepairMetadata
		top               = "openAPIV3Schema"
		resource          = `{"properties":{"e":{"x-kubernetes-embedded-resource":true}}}`
		e                 = top + ".properties[e]"
	)
	for _, tc := range []struct {
		name, schema string
		steps        normalize.Steps
		value, want  string
		changes      []string
	}{
		{"string", `{"default":1}`, prune | fill, `"x"`, `"x"`, nil},
		{"list", `{"items":{"properties":{"a":{"default":1}}}}`, prune | fill, `[{"x":1},null,"x"]`, `[{"a":1},null,"x"]`,
			[]string{"Pruned [0].x " + top + ".items", "Defaulted [0].a " + top + ".items.properties[a]"}},
		{"null items", `{"items":{"default":{},"properties":{"a":{"default":1}}}}`, fill, `[null]`, `[{"a":1}]`,
			[]string{"Defaulted [0] " + top + ".items", "Defaulted [0].a " + top + ".items.properties[a]"}},
		{"no resource", `{"properties":{}}`, prune, `{"kind":1,"apiVersion":1,"metadata":{},"x":1}`, `{}`, []string{"Pruned x " + top}},
		{"no schema", "", prune, `{"kind":1,"x":{"y":1}}`, `{}`, []string{"Pruned kind " + top, "Pruned x " + top}},
		{"no schema, other steps", "", root | drop | strict | fill, `{"kind":null,"x":[null]}`, `{"kind":null,"x":[null]}`, nil},
		{"root", `{"properties":{"x":{}}}`, prune | root, `{"kind":{"a":1},"metadata":{"a":1},"apiVersion":[{"a":1}],"x":{"kind":1}}`, `{"kind":{"a":1},"metadata":{"a":1},"apiVersion":[{"a":1}],"x":{}}`,
			[]string{"Pruned x.kind " + top + ".properties[x]"}},
		{"metadata of the root has a schema", `{"properties":{"metadata":{"properties":{"a":{"properties":{"d":{"default":1}}},"n":{}}}}}`, prune | root | drop | fill, `{"metadata":{"a":{"x":1},"n":null,"y":1}}`, `{"metadata":{"a":{"d":1,"x":1},"y":1}}`,
			[]string{"NullDropped metadata.n " + top + ".properties[metadata].properties[n]", "Defaulted metadata.a.d " + top + ".properties[metadata].properties[a].properties[d]"}},
		{"embedded", resource, prune, `{"e":{"kind":{"a":1},"apiVersion":1,"metadata":{"a":1},"x":1}}`, `{"e":{"kind":{"a":1},"apiVersion":1,"metadata":{"a":1}}}`, []string{"Pruned e.x " + e}},
		{"preserving", `{"x-kubernetes-preserve-unknown-fields":true,"properties":{"k":{"properties":{}}}}`, prune, `{"u":{"v":1},"k":{"z":1}}`, `{"u":{"v":1},"k":{}}`, []string{"Pruned k.z " + top + ".properties[k]"}},
		{"preserving items", `{"properties":{"l":{"x-kubernetes-preserve-unknown-fields":true,"items":{"properties":{"k":{"properties":{}}}}}}}`, prune, `{"l":[{"u":1,"k":{"z":1}}]}`, `{"l":[{"u":1,"k":{}}]}`,
			[]string{"Pruned l[0].k.z " + top + ".properties[l].items.properties[k]"}},
		{"items without a schema", `{"properties":{"l":{"type":"array"}}}`, prune | drop | fill, `{"l":[[{"x":1}],null,{"y":null}]}`, `{"l":[[{}],null,{}]}`,
			[]string{"Pruned l[0][0].x " + top + ".properties[l]", "Pruned l[2].y " + top + ".properties[l]"}},
		{"any key", `{"additionalProperties":true,"properties":{"a":{"properties":{}}}}`, prune | drop, `{"x":{"y":null},"n":null,"a":{"z":1}}`, `{"x":{},"n":null,"a":{}}`,
			[]string{"Pruned a.z " + top + ".properties[a]", "Pruned x.y " + top + ".additionalProperties"}},
		{"keys", `{"additionalProperties":{"properties":{"":{"properties":{}}}}}`, prune | drop, `{"":{"":{"x":1}},"n":null}`, `{"":{"":{}}}`,
			[]string{"Pruned ..x " + top + ".additionalProperties.properties[]", "NullDropped n " + top + ".additionalProperties"}},
		{"a null of a key", `{"additionalProperties":{"default":{},"properties":{"a":{"default":null},"b":{"default":2}}}}`, drop | fill, `{"k":null}`, `{"k":{"b":2}}`,
			[]string{"Defaulted k " + top + ".additionalProperties", "Defaulted k.b " + top + ".additionalProperties.properties[b]"}},
		{"a null of a field with a default stays without defaults", `{"properties":{"a":{"default":1},"b":{"nullable":true}}}`, drop, `{"a":null,"b":null}`, `{"a":null,"b":null}`, nil},
		{"repaired", resource, repair, `{"e":{"kind":1,"apiVersion":[],"metadata":{"name":1,"labels":{"a":"b"},"x":1,"w":2}}}`, `{"e":{"metadata":{"labels":{"a":"b"}}}}`,
			[]string{"MetadataPruned e.metadata.w " + e, "MetadataPruned e.metadata.x " + e, "MetadataCoerced e.apiVersion " + e, "MetadataCoerced e.kind " + e, "MetadataCoerced e.metadata " + e}},
		{"null metadata", resource, strict, `{"e":{"metadata":null}}`, `{"e":{"metadata":{}}}`, []string{"MetadataCoerced e.metadata " + e}},
		{"metadata that is no object stays", `{"properties":{"e":{"x-kubernetes-embedded-resource":true,"properties":{"metadata":{"items":{"x-kubernetes-embedded-resource":true}}}}}}`, repair, `{"e":{"metadata":[{"kind":1}]}}`, `{"e":{"metadata":[{}]}}`,
			[]string{"MetadataCoerced e.metadata[0].kind " + e + ".properties[metadata].items"}},
		{"null, coerced and defaulted", `{"properties":{"e":{"x-kubernetes-embedded-resource":true,"properties":{"kind":{"default":"K"},"apiVersion":{},"metadata":{"properties":{"name":{"default":"n"},"labels":{}}}}}}}`, drop | repair | fill, `{"e":{"kind":null,"apiVersion":null,"metadata":{"labels":null,"x":1}}}`, `{"e":{"kind":"K","metadata":{"name":"n"}}}`,
			[]string{"NullDropped e.apiVersion " + e + ".properties[apiVersion]", "NullDropped e.metadata.labels " + e + ".properties[metadata].properties[labels]", "MetadataPruned e.metadata.x " + e,
				"MetadataCoerced e.kind " + e, "MetadataCoerced e.metadata " + e, "Defaulted e.kind " + e + ".properties[kind]", "Defaulted e.metadata.name " + e + ".properties[metadata].properties[name]"}},
	} {
		var schema *structural.Schema
		if tc.schema != "" {
			schema = testschema.Schema(t, tc.schema)
		}
		value, want := testschema.Value(t, tc.value), testschema.Value(t, tc.want)
		if object, ok := jsonvalue.DeepCopy(value).(map[string]any); ok {
			both(t, tc.name, object, schema, tc.steps)
		}
		changes, err := normalize.InPlace(value, schema, tc.steps)
		if diff := cmp.Diff(want, value); diff != "" || err != nil {
			t.Errorf("%s: %v, %s", tc.name, err, diff)
		}
		var got []string
		for _, c := range changes.List {
			got = append(got, string(c.Action)+" "+c.Path+" "+c.Schema)
		}
		if !slices.Equal(got, tc.changes) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.changes)
		}
	}
}

// Nothing can be written to a nil map at the root. Below it, another one takes
// its place.
func TestNilMaps(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"d":{"default":1},"o":{"properties":{"d":{"default":2}}}}}`)
	changes, err := normalize.InPlace(map[string]any(nil), schema, allSteps)
	if err != nil || len(changes.List) != 0 {
		t.Errorf("%v, %v", changes, err)
	}
	out, listed := both(t, "below", map[string]any{"o": map[string]any(nil)}, schema, allSteps)
	want := map[string]any{"d": int64(1), "o": map[string]any{"d": int64(2)}}
	if diff := cmp.Diff(want, out); diff != "" || len(listed) != 2 {
		t.Errorf("%v, %s", listed, diff)
	}
}
