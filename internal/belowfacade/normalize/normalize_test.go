package normalize_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

const allSteps = normalize.Prune | normalize.ResourceRoot | normalize.DropNulls |
	normalize.CoerceMetadata | normalize.Default

const sharedSchema = `{"properties":{
	"same":{"x-kubernetes-preserve-unknown-fields":true},
	"list":{"items":{"properties":{"a":{"default":1},"b":{"properties":{}}}}},
	"map":{"additionalProperties":{"x-kubernetes-embedded-resource":true}}}}`

// A copy shares what is the same with its argument, and is the argument if all
// is.
func TestCopyShares(t *testing.T) {
	schema := testschema.Schema(t, sharedSchema)
	object := testschema.Object(
		t,
		`{"same":{"x":[1]},"list":[{"a":1,"b":{}},{"b":{}}],"map":{"k":{"metadata":{"junk":1}}}}`,
	)
	before := jsonvalue.DeepCopyMap(object)
	out, changes, err := normalize.Unlimited.Copy(object, schema, allSteps)
	if err != nil || len(changes.List) != 3 {
		t.Fatalf("%v %v", changes, err)
	}
	if diff := cmp.Diff(before, object); diff != "" {
		t.Errorf("the argument was changed: %s", diff)
	}
	for _, path := range [][]any{{"same"}, {"list", 0}, {"list", 1, "b"}} {
		if fmt.Sprintf("%p", at(object, path)) != fmt.Sprintf("%p", at(out, path)) {
			t.Errorf("%v is not shared", path)
		}
	}
	again, changes, err := normalize.Unlimited.Copy(out, schema, allSteps)
	if err != nil || len(changes.List) != 0 || fmt.Sprintf("%p", again) != fmt.Sprintf("%p", out) {
		t.Errorf("the copy of a clean object is not the object (%v %v)", changes, err)
	}
}

func at(value any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

// Of several malformed embedded resources the first is reported: keys in byte
// order, items by index, as the server goes through a list (META-004).
func TestFirstFault(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"spec":{
		"additionalProperties":{"x-kubernetes-embedded-resource":true,"properties":{"b":{"x-kubernetes-embedded-resource":true}}},
		"properties":{"list":{"items":{"x-kubernetes-embedded-resource":true,"properties":{"parts":{"items":{"x-kubernetes-embedded-resource":true}}}}}}}}}`)
	const good = `{}`
	tenGood := strings.Repeat(good+",", 10)
	tests := []struct{ spec, want string }{
		{`{"list":[{},{},{"kind":1},` + tenGood + `{"kind":1}]}`, "spec.list[2].kind"},
		{`{"list":[` + tenGood + `{"kind":1},{"metadata":1}]}`, "spec.list[10].kind"},
		{
			`{"list":[{"parts":[{},{"kind":1},` + tenGood + `{"apiVersion":1}]},{"apiVersion":1}]}`,
			"spec.list[0].parts[1].kind",
		},
		{
			`{"list":[{"parts":[` + tenGood + `{"kind":1},{"kind":1}]},{"apiVersion":1}]}`,
			"spec.list[0].parts[10].kind",
		},
		{`{"list":[{"metadata":1,"kind":1,"apiVersion":1}]}`, "spec.list[0].apiVersion"},
		{`{"b10":{"kind":1},"b2":{"kind":1}}`, "spec[b10].kind"},
		{`{"b":{"b":{"kind":1},"kind":2},"c":{"apiVersion":1}}`, "spec[b].b.kind"},
	}
	for _, test := range tests {
		object := testschema.Object(t, `{"spec":`+test.spec+`}`)
		_, _, err := normalize.Unlimited.Copy(object, schema, allSteps)
		if bad, _ := errors.AsType[*field.Error](err); bad == nil || bad.Field != test.want {
			t.Errorf("%s: %v, want a fault of %s", test.spec, err, test.want)
		}
	}
}

// Changes come in the order of the steps, then of the paths.
func TestChangesAreOrdered(t *testing.T) {
	schema := testschema.Schema(t, sharedSchema)
	object := testschema.Object(
		t,
		`{"z":1,"b":1,"list":[{"y":1},{"b":null}],"map":{"k":{"metadata":{"junk":1}},"j":{"metadata":null,"x":1}}}`,
	)
	changes, err := normalize.InPlace(object, schema, allSteps)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes.List {
		got = append(got, string(c.Action)+" "+c.Path+" "+c.Schema)
	}
	const root = "openAPIV3Schema"
	const item, value = root + ".properties[list].items",
		root + ".properties[map].additionalProperties"
	want := []string{
		"Pruned b " + root, "Pruned list[0].y " + item, "Pruned map.j.x " + value, "Pruned z " + root,
		"NullDropped list[1].b " + item + ".properties[b]",
		"MetadataPruned map[k].metadata.junk " + value,
		"MetadataCoerced map[j].metadata " + value, "MetadataCoerced map[k].metadata " + value,
		"Defaulted list[0].a " + item + ".properties[a]", "Defaulted list[1].a " + item + ".properties[a]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What a clean object allocates, copied or in place, does not grow with its
// lists.
func TestAllocations(t *testing.T) {
	schema := testschema.Schema(t, sharedSchema)
	object := testschema.Object(
		t,
		`{"kind":"K","metadata":{"zz":1},"same":{"x":[1]},"list":[{"a":1,"b":{}}],"map":{"k":{"apiVersion":"v1","kind":"P","metadata":{"name":"n"}}}}`,
	)
	allocs.Constant(t, "Copy", func(times int) func() {
		long := allocs.Longer(object, times).(map[string]any)
		return func() { _, _, _ = normalize.Unlimited.Copy(long, schema, allSteps) }
	})
	allocs.Constant(t, "InPlace", func(times int) func() {
		long := allocs.Longer(object, times).(map[string]any)
		return func() { _, _ = normalize.InPlace(long, schema, allSteps) }
	})
}

// FuzzSteps holds the one walk to its steps done one after the other
// (PIPE-010).
func FuzzSteps(f *testing.F) {
	f.Add(
		sharedSchema,
		`{"list":[null,{"a":null,"c":1}],"map":{"k":{"metadata":{"labels":{}},"kind":"K"},"n":null}}`,
	)
	f.Add(
		`{"x-kubernetes-embedded-resource":true,"properties":{"metadata":{"properties":{"name":{"default":"n"}}},"kind":{"default":"K"}}}`,
		`{"metadata":null,"kind":null}`,
	)
	f.Add(
		`{"properties":{"e":{"x-kubernetes-embedded-resource":true,"properties":{"metadata":{"nullable":true,"default":{"name":"x"}}}}}}`,
		`{"e":{"metadata":null}}`,
	)
	f.Fuzz(func(t *testing.T, schemaText, objectText string) {
		schema, err := structural.Parse([]byte(schemaText))
		if err != nil {
			return
		}
		object, _, err := jsonvalue.DecodeObject([]byte(objectText))
		if err != nil {
			return
		}
		for _, coerce := range []normalize.Steps{
			normalize.CoerceMetadata, normalize.RepairMetadata,
		} {
			want := jsonvalue.DeepCopyMap(object)
			var changes []structural.Change
			for _, step := range []normalize.Steps{
				normalize.Prune | normalize.ResourceRoot, normalize.DropNulls, coerce,
				normalize.Default,
			} {
				more, bad := normalize.InPlace(want, schema, step)
				if bad != nil {
					if _, _, all := normalize.Unlimited.Copy(object, schema, allSteps); all == nil {
						t.Errorf("alone: %v; together: no error", bad)
					}
					return
				}
				changes = append(changes, more.List...)
			}
			got, gotChanges, bad := normalize.Unlimited.Copy(
				object,
				schema,
				allSteps&^normalize.CoerceMetadata|coerce,
			)
			if diff := cmp.Diff(want, got); diff != "" || bad != nil {
				t.Errorf("%v %s", bad, diff)
			}
			if len(gotChanges.List) != len(changes) {
				t.Errorf("changes %v, want %v", gotChanges, changes)
			}
		}
	})
}
