package merge_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crdsem/crdsem/merge"
)

// keyed returns a list of objects with keys and a value.
func keyed(value apiextensionsv1.JSONSchemaProps, keys ...string) apiextensionsv1.JSONSchemaProps {
	item := &apiextensionsv1.JSONSchemaProps{
		Type:       "object",
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"v": value},
	}
	for _, key := range keys {
		item.Properties[key] = apiextensionsv1.JSONSchemaProps{Type: "string"}
	}
	return apiextensionsv1.JSONSchemaProps{
		Type:         "array",
		XListType:    ptr.To("map"),
		XListMapKeys: keys,
		Items:        &apiextensionsv1.JSONSchemaPropsOrArray{Schema: item},
	}
}

// withKey replaces the schema of a key in the items of a keyed list.
func withKey(
	list apiextensionsv1.JSONSchemaProps, name string, key apiextensionsv1.JSONSchemaProps,
) apiextensionsv1.JSONSchemaProps {
	list.Items.Schema.Properties[name] = key
	return list
}

// pairs is a CRD with lists of several keys, in two versions that differ in a
// default. One list is inside another, one has a default, one has keys of other
// types.
func pairs() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "pairs.g.io"
	crd.Spec.Group = "g.io"
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{
		Kind:     "Pair",
		ListKind: "PairList",
		Plural:   "pairs",
		Singular: "pair",
	}
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	atomic := keyed(text, "a", "b")
	for _, version := range []string{"v1", "v2"} {
		object := &apiextensionsv1.JSONSchemaProps{
			Type: "object",
			Properties: map[string]apiextensionsv1.JSONSchemaProps{
				"list":   keyed(text, "a", "b"),
				"nested": keyed(keyed(text, "x", "y", "z"), "b", "a"),
				"default": withKey(
					keyed(text, "a", "b", "c"),
					"b",
					apiextensionsv1.JSONSchemaProps{
						Type:    "string",
						Default: &apiextensionsv1.JSON{Raw: []byte(`"x"`)},
					},
				),
				"numbers": withKey(keyed(text, "n", "o"), "n",
					apiextensionsv1.JSONSchemaProps{Type: "number"}),
				"atomic": {
					Type:       "object",
					XMapType:   ptr.To("atomic"),
					Properties: map[string]apiextensionsv1.JSONSchemaProps{"list": atomic},
				},
			},
		}
		if version == "v2" {
			object.Properties["list"] = withKey(object.Properties["list"], "b", apiextensionsv1.JSONSchemaProps{Type: "string", Default: &apiextensionsv1.JSON{Raw: []byte(`"y"`)}})
		}
		crd.Spec.Versions = append(
			crd.Spec.Versions,
			apiextensionsv1.CustomResourceDefinitionVersion{
				Name:    version,
				Served:  true,
				Storage: version == "v1",
				Schema:  &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: object},
			},
		)
	}
	return crd
}

// pair returns an object of the kind with a list.
func pair(list ...any) map[string]any {
	return map[string]any{
		"apiVersion": "g.io/v1",
		"kind":       "Pair",
		"metadata":   map[string]any{"name": "n"},
		"list":       list,
	}
}

// TestItemsThatOmitSomeKeys applies items that omit some or all of their keys.
// The server addresses such items by the keys that they have.
func TestItemsThatOmitSomeKeys(t *testing.T) {
	w := newWorld(t, pairs())
	for _, c := range []struct {
		name string
		list []any
		want string
	}{
		{"one key", []any{map[string]any{"a": "x", "v": "1"}}, ""},
		{"either key", []any{map[string]any{"a": "x", "v": "1"}, map[string]any{"b": "x"}, map[string]any{"a": "x", "b": "x"}}, ""},
		{"null is a key", []any{map[string]any{"a": "x"}, map[string]any{"a": "x", "b": nil}}, ""},
		{"twice", []any{map[string]any{"a": "x"}, map[string]any{"a": "x"}}, `duplicate entries for key [a="x"]`},
		{"no key", []any{map[string]any{"v": "1"}}, `omits all key fields ["a" "b"]`},
	} {
		s := step{
			version: w.crd.Spec.Versions[0],
			apply:   true,
			manager: "m",
			object:  pair(c.list...),
		}
		want, wantErr := w.runReal(t, nil, s)
		got, gotErr := w.runOurs(nil, s)
		if diff := compareErrors(wantErr, gotErr, map[string]int{}); diff != "" ||
			(wantErr == nil) != (c.want == "") {
			t.Errorf("%s: %s (%v)", c.name, diff, wantErr)
			continue
		}
		if wantErr != nil {
			if !strings.Contains(gotErr.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, gotErr, c.want)
			}
			continue
		}
		if a, b := masked(want), masked(got); !reflect.DeepEqual(a, b) {
			t.Errorf("%s:\nwant %s\ngot  %s", c.name, asJSON(a), asJSON(b))
		}
	}
}

// TestConflictsOfItemsThatOmitSomeKeys compares a whole message, with the paths
// in order.
func TestConflictsOfItemsThatOmitSomeKeys(t *testing.T) {
	w := newWorld(t, pairs())
	items := func(value string) map[string]any {
		return pair(map[string]any{"b": "x", "v": value},
			map[string]any{"a": "x", "b": "x", "v": value}, map[string]any{"a": "x", "v": value},
			map[string]any{"a": "x", "b": nil, "v": value})
	}
	s := step{version: w.crd.Spec.Versions[0], apply: true, manager: "m", object: items("1")}
	live, err := w.runReal(t, nil, s)
	if err != nil {
		t.Fatal(err)
	}
	s.manager, s.object = "other", items("2")
	_, want := w.runReal(t, live, s)
	_, got := w.runOurs(live, s)
	if want == nil || got == nil || want.Error() != got.Error() {
		t.Errorf("conflicts\n%v, want\n%v", got, want)
	}
}

// TestSequencesOfItemsThatOmitSomeKeys is TestApplySequences for lists of
// several keys.
func TestSequencesOfItemsThatOmitSomeKeys(t *testing.T) {
	n := *applySequences / 4
	if testing.Short() {
		n = 100
	}
	w := newWorld(t, pairs())
	tally := map[string]int{}
	for seed := range n {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 11))}
		if diff := runSequence(t, w, g, tally); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
	t.Logf("%d sequences: %v", n, tally)
	expectTally(t, tally, "apply", "update", "conflict", "bad object", "unchanged", "removed",
		"lumped", "one key")
}

// pathsOf returns the paths of a set, sorted.
func pathsOf(set *fieldpath.Set) []string {
	var paths []string
	set.Iterate(func(p fieldpath.Path) { paths = append(paths, p.String()) })
	slices.Sort(paths)
	return paths
}

// TestTypesOfItemsThatOmitSomeKeys compares the comparisons, merges, field sets
// and extracts of random objects with those of the real type.
func TestTypesOfItemsThatOmitSomeKeys(t *testing.T) {
	w := newWorld(t, pairs())
	compared := 0
	for seed := range 700 {
		g := &generator{rand.New(rand.NewPCG(uint64(seed), 12))}
		v := w.crd.Spec.Versions[g.IntN(2)]
		old, updated := g.resource(w.crd, v), g.resource(w.crd, v)
		a, errA := w.convert.ObjectToTyped(&unstructured.Unstructured{Object: old})
		b, errB := w.convert.ObjectToTyped(&unstructured.Unstructured{Object: updated})
		typ := ourType(t, v)
		if err := typ.Validate(old); (err == nil) != (errA == nil) {
			t.Fatalf("seed %d: %v, want %v", seed, err, errA)
		}
		if errA != nil || errB != nil {
			continue
		}
		compared++
		want, err := a.Compare(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := typ.Compare(old, updated)
		if err != nil {
			t.Fatal(err)
		}
		c := merge.Changes{
			Added:    pathsOf(want.Added),
			Removed:  pathsOf(want.Removed),
			Modified: pathsOf(want.Modified),
		}
		paths := merge.Changes{Added: got.Added, Removed: got.Removed, Modified: got.Modified}
		if !reflect.DeepEqual(c, paths) {
			t.Fatalf("seed %d: changes\n%v, want\n%v", seed, got, c)
		}
		wantMerged, err := a.Merge(b)
		if err != nil {
			t.Fatal(err)
		}
		if merged, err := typ.Merge(old, updated); err != nil ||
			!reflect.DeepEqual(wantMerged.AsValue().Unstructured(), any(merged)) {
			t.Fatalf("seed %d: merged\n%s, want\n%s (%v)", seed, asJSON(merged),
				asJSON(wantMerged.AsValue().Unstructured()), err)
		}
		wantFields, err := b.ToFieldSet()
		if err != nil {
			t.Fatal(err)
		}
		fields, err := typ.Fields(updated)
		if err != nil || !slices.Equal(fields.Paths(), pathsOf(wantFields)) {
			t.Fatalf("seed %d: fields\n%v, want\n%v (%v)", seed, fields.Paths(),
				pathsOf(wantFields), err)
		}
		owner := merge.ManagedFieldsEntry{Fields: fields}
		extract, extracted := w.extract(t, old, owner), mustExtract(t, typ, old, owner)
		if !reflect.DeepEqual(extract, extracted) {
			t.Fatalf("seed %d: extracted\n%s, want\n%s", seed, asJSON(extracted), asJSON(extract))
		}
	}
	t.Logf("%d compared", compared)
	if compared < 400 {
		t.Errorf("only %d compared", compared)
	}
}
