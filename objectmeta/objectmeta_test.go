package objectmeta_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/structural"
)

// Coerce fails on malformed fields, Repair removes them (META-004 to META-011).
func TestMetadata(t *testing.T) {
	schema := testschema.Schema(
		t,
		`{"properties":{"e":{"x-kubernetes-embedded-resource":true}},"additionalProperties":{"x-kubernetes-embedded-resource":true}}`,
	)
	for _, tc := range []struct {
		rule, value, strict, err, repaired string
		paths                              []string
	}{
		{"META-004", `{"e":{"kind":5}}`, ``, `e.kind: Invalid value: 5: must be a string`, `{"e":{}}`, nil},
		{"META-005", `{"k.x":{"metadata":{"name":"n","junk":1}}}`, `{"k.x":{"metadata":{"name":"n"}}}`, ``, `{"k.x":{"metadata":{"name":"n"}}}`, []string{"[k.x].metadata.junk"}},
		{"META-005", `{"e":{"metadata":{"more":{},"junk":1}}}`, `{"e":{"metadata":{}}}`, ``, `{"e":{"metadata":{}}}`, []string{"e.metadata.junk", "e.metadata.more"}},
		{"META-006", `{"e":{"metadata":{"name":5}}}`, ``, `e.metadata: Invalid value: {"name":5}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`, `{"e":{"metadata":{}}}`, nil},
		{"META-007", `{"e":{"metadata":{"labels":{"a":1,"b":"c"},"name":"n"}}}`, ``, `e.metadata: Invalid value: {"labels":{"a":1,"b":"c"},"name":"n"}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`, `{"e":{"metadata":{"name":"n"}}}`, nil},
		{"META-008", `{"e":{"metadata":null}}`, `{"e":{"metadata":{}}}`, ``, `{"e":{"metadata":{}}}`, nil},
		{"META-011", `{"e":"text"}`, `{"e":"text"}`, ``, `{"e":"text"}`, nil},
	} {
		value := testschema.Value(t, tc.value)
		changes, err := objectmeta.Coerce(value, schema)
		switch {
		case tc.err != "" && (err == nil || err.Error() != tc.err):
			t.Errorf("%s: error %v, want %s", tc.rule, err, tc.err)
		case tc.err == "" && err != nil:
			t.Errorf("%s: %v", tc.rule, err)
		case tc.err == "":
			if diff := cmp.Diff(testschema.Value(t, tc.strict), value); diff != "" {
				t.Errorf("%s: %s", tc.rule, diff)
			}
			got := structural.Paths(changes, structural.MetadataPruned)
			if !slices.Equal(got, tc.paths) {
				t.Errorf("%s: paths %q, want %q", tc.rule, got, tc.paths)
			}
		}
		value = testschema.Value(t, tc.value)
		repairs := objectmeta.Repair(value, schema)
		got := structural.Paths(repairs, structural.MetadataPruned)
		if tc.err == "" && !slices.Equal(got, tc.paths) {
			t.Errorf("%s repaired: paths %q, want %q", tc.rule, got, tc.paths)
		}
		if diff := cmp.Diff(testschema.Value(t, tc.repaired), value); diff != "" {
			t.Errorf("%s repaired: %s", tc.rule, diff)
		}
	}
}

// If several resources are malformed, the one with the first path is reported,
// whatever the order of the map.
func TestMetadataErrorIsTheFirst(t *testing.T) {
	schema := testschema.Schema(
		t,
		`{"additionalProperties":{"x-kubernetes-embedded-resource":true}}`,
	)
	for range 20 {
		_, err := objectmeta.Coerce(
			testschema.Value(
				t,
				`{"c":{"kind":1},"a":{"kind":1,"apiVersion":2},"b":{"metadata":1}}`,
			),
			schema,
		)
		if err == nil || err.Field != "[a].apiVersion" {
			t.Fatalf("error %v, want that of [a].apiVersion", err)
		}
	}
}

// What a clean object allocates does not grow with its lists.
func TestAllocations(t *testing.T) {
	schema := testschema.Schema(
		t,
		`{"properties":{"spec":{"properties":{"list":{"items":{"properties":{"a":{},"e":{"x-kubernetes-embedded-resource":true}}}},"map":{"additionalProperties":{"type":"string"}}}}}}`,
	)
	object := testschema.Value(t, `{"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"spec":{"list":[{"a":1},{"e":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n","labels":{"a":"b"}}}}],"map":{"a":"x","b":"y"}}}`).(map[string]any)
	for name, step := range map[string]func(object map[string]any){
		"Coerce": func(object map[string]any) { _, _ = objectmeta.Coerce(object, schema) },
		"Repair": func(object map[string]any) { objectmeta.Repair(object, schema) },
	} {
		allocs.Constant(t, name, func(times int) func() {
			long := allocs.Longer(object, times).(map[string]any)
			return func() { step(long) }
		})
	}
}
