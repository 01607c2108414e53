package merge_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/merge"
)

const pairSchema = `
type: object
properties:
  list:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [a, b]
    items:
      type: object
      properties:
        a: {type: string}
        b: {type: string}
        v: {type: string}`

// applyPairs applies a list as a manager.
func applyPairs(t *testing.T, live object, manager, list string) (object, error) {
	t.Helper()
	r, err := merge.NewFieldManager("Pair",
		[]merge.Version{{APIVersion: "g.io/v1", Type: compile(t, pairSchema)}}, merge.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Apply(context.Background(), live,
		decode(t, "{apiVersion: g.io/v1, kind: Pair, metadata: {name: n}, list: "+list+"}"),
		merge.Request{APIVersion: "g.io/v1", Manager: manager})
}

// Items are addressed by the keys that they have, in objects, managed fields
// and conflicts.
func TestItemsWithSomeKeys(t *testing.T) {
	live, err := applyPairs(t, nil, "m", "[{a: x, v: 1st}, {b: x}, {a: x, b: x}]")
	if err != nil {
		t.Fatal(err)
	}
	owners, err := merge.ManagedFields(live)
	if err != nil || len(owners) != 1 {
		t.Fatalf("%v (%v)", owners, err)
	}
	want := []string{
		`.list[a="x",b="x"]`,
		`.list[a="x",b="x"].a`,
		`.list[a="x",b="x"].b`,
		`.list[a="x"]`,
		`.list[a="x"].a`,
		`.list[a="x"].v`,
		`.list[b="x"]`,
		`.list[b="x"].b`,
	}
	if got := owners[0].Fields.Paths(); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	_, err = applyPairs(t, live, "other", "[{a: x, v: 2nd}]")
	if err == nil ||
		err.Error() != `Apply failed with 1 conflict: conflict with "m": .list[a="x"].v` {
		t.Errorf("conflict %v", err)
	}
	live, err = applyPairs(t, live, "m", "[{b: x}, {a: y}]")
	if err != nil || asJSON(t, live["list"]) != `[{"b":"x"},{"a":"y"}]` {
		t.Errorf("after the manager gave two up: %s (%v)", asJSON(t, live["list"]), err)
	}
	for list, want := range map[string]string{
		"[{v: x}]": ".list: element 0: associative list with keys has an element that omits " +
			`all key fields ["a" "b"] (and doesn't have default values for any key fields)`,
		"[{b: x}, {b: x}]": `.list: duplicate entries for key [b="x"]`,
	} {
		_, err := applyPairs(t, nil, "m", list)
		var bad *merge.TypeError
		if !errors.As(err, &bad) || bad.Error() != want {
			t.Errorf("%s: %v, want %s", list, err, want)
		}
	}
}

// A key that is a number is not taken for one that is omitted.
func TestNumbersAsKeys(t *testing.T) {
	typ := compile(t, strings.ReplaceAll(pairSchema, "b: {type: string}", "b: {type: number}"))
	for key, want := range map[string]string{"1": "1", "1.5": "1.5"} {
		fields, err := typ.Fields(decode(t, "list: [{a: x, b: "+key+"}]"))
		if err != nil || fields.Paths()[0] != `.list[a="x",b=`+want+"]" {
			t.Errorf("%s: %v, %v", key, fields.Paths(), err)
		}
	}
}

// Comparisons, merges, field sets and extracts have the same paths, and the
// published schema has no made-up default.
func TestTypeOfItemsWithSomeKeys(t *testing.T) {
	typ := compile(t, pairSchema)
	old, updated := decode(t, "list: [{a: x, v: 1st}, {b: x}]"), decode(t,
		"list: [{a: x, v: 2nd}, {a: y}]")
	changes, err := typ.Compare(old, updated)
	want := merge.Changes{
		Added:    []string{`.list[a="y"]`, `.list[a="y"].a`},
		Removed:  []string{`.list[b="x"]`, `.list[b="x"].b`},
		Modified: []string{`.list[a="x"].v`},
	}
	if b := changes.Before[`.list[a="x"].v`]; b != "1st" || changes.After[`.list[a="y"].a`] != "y" {
		t.Errorf("before %v, after %v", changes.Before, changes.After)
	}
	changes.Before, changes.After = nil, nil
	if err != nil || !reflect.DeepEqual(changes, want) {
		t.Errorf("changes %v, want %v (%v)", changes, want, err)
	}
	merged, err := typ.Merge(old, updated)
	if err != nil || asJSON(t, merged) != `{"list":[{"a":"x","v":"2nd"},{"b":"x"},{"a":"y"}]}` {
		t.Errorf("merged %s (%v)", asJSON(t, merged), err)
	}
	fields, err := merge.ParseFieldsV1(decode(t, `{"f:list": {"k:{\"a\":\"x\"}": {"f:v": {}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	extracted, err := typ.Extract(updated, fields)
	if err != nil || asJSON(t, extracted) != `{"list":[{"a":"x","v":"2nd"}]}` {
		t.Errorf("extracted %s (%v)", asJSON(t, extracted), err)
	}
	text, err := typ.SchemaYAML()
	if err != nil || strings.Contains(string(text), "default: .inf") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Managed fields never contain an infinite number: it stands for an omitted
// key.
func TestInfiniteKeys(t *testing.T) {
	for _, number := range []string{
		"1e400", "-1e400", "Infinity", "+Inf", strings.Repeat("9", 400),
	} {
		fields, err := merge.ParseFieldsV1(
			object{"f:list": object{`k:{"a":"x","b":` + number + `}`: object{}}})
		if err == nil {
			t.Errorf("%s: %v", number, fields.Paths())
		}
		fields, err = merge.ParseFieldsV1(object{"f:list": object{`v:` + number: object{}}})
		if err == nil {
			t.Errorf("%s: %v", number, fields.Paths())
		}
	}
}

// The extract shares nothing with the object, not even a key that is an object.
func TestExtractSharesNothing(t *testing.T) {
	typ := compile(t, `
type: object
properties:
  list:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [k]
    items: {type: object, properties: {k: {x-kubernetes-preserve-unknown-fields: true}}}`)
	source := decode(t, "list: [{k: {a: x}}]")
	fields, err := typ.Fields(source)
	if err != nil {
		t.Fatal(err)
	}
	extracted, err := typ.Extract(source, fields)
	if err != nil || asJSON(t, extracted) != `{"list":[{"k":{"a":"x"}}]}` {
		t.Fatalf("extracted %s (%v)", asJSON(t, extracted), err)
	}
	extracted["list"].([]any)[0].(object)["k"].(object)["a"] = "y"
	if got := asJSON(t, source); got != `{"list":[{"k":{"a":"x"}}]}` {
		t.Errorf("changing what was extracted makes the object %s", got)
	}
}

// The values of a changed item are those of the item with the same keys, not
// those of one with more or fewer.
func TestValuesOfItemsWithSomeKeys(t *testing.T) {
	const items = "[{a: x, b: x, v: %s1}, {a: x, v: %s2}, {b: x, v: %s3}]"
	old := decode(t, "list: "+strings.ReplaceAll(items, "%s", "o"))
	updated := decode(t, "list: "+strings.ReplaceAll(items, "%s", "n"))
	got, err := compile(t, pairSchema).Compare(old, updated)
	want := func(side string) map[string]any {
		return map[string]any{`.list[a="x",b="x"].v`: side + "1",
			`.list[a="x"].v`: side + "2", `.list[b="x"].v`: side + "3"}
	}
	if err != nil || !reflect.DeepEqual(got.Before, want("o")) ||
		!reflect.DeepEqual(got.After, want("n")) {
		t.Errorf("%v before, %v after (%v)", got.Before, got.After, err)
	}
}
