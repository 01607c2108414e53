package normalize_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

// Changes whose paths have no room are counted. Those that are listed are the
// first ones by step and place.
func TestChangesWithoutRoom(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"list":{"items":{"properties":{"d":{"default":1}}}},
"n":{"type":"string"}}}`)
	const size, hasRoom = 1 << 20, 31 // 32 MiB, but for the rest of the paths
	name := func(letter string) string { return strings.Repeat(letter, size) }
	object := map[string]any{"n": nil}
	var want []string
	for _, letter := range strings.Fields("z b a A g c d e f") {
		object[name(letter)] = int64(1)
		want = append(want, "Pruned "+letter)
	}
	items := make([]any, 12)
	for i := range items {
		items[i] = map[string]any{name("y"): int64(1), name("x"): int64(1)}
		for _, letter := range []string{"x", "y"} {
			want = append(want, fmt.Sprintf("Pruned list[%d].%s", i, letter))
		}
	}
	object["list"] = items
	omitted := []string{"Pruned z", "Pruned list[11].y"}
	want = slices.DeleteFunc(want, func(s string) bool { return slices.Contains(omitted, s) })
	slices.Sort(want)
	_, changes, err := normalize.Unlimited.Copy(object, schema, allSteps)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, shortened(changes.List)); diff != "" || len(want) != hasRoom {
		t.Error(diff)
	}
	if changes.OmittedUnknown != len(omitted) || changes.Omitted != len(omitted)+1+len(items) {
		t.Errorf("%d and %d are omitted", changes.Omitted, changes.OmittedUnknown)
	}
}

// shortened returns changes with one letter of each long name.
func shortened(changes []structural.Change) []string {
	var list []string
	for _, c := range changes {
		path := c.Path
		if len(path) > 1<<10 {
			path = path[:len(path)-1<<20+1]
		}
		list = append(list, string(c.Action)+" "+path)
	}
	return list
}

// Defaults that take more than their room end the walk.
func TestRoom(t *testing.T) {
	schema := testschema.Schema(t, `{"properties":{"l":{"items":{"properties":{"d":{"default":"0123456789"}}}}}}`)
	object := map[string]any{"l": []any{map[string]any{}, map[string]any{}}}
	before := jsonvalue.DeepCopyMap(object)
	for room, want := range map[normalize.Room]error{1: normalize.ErrNoRoom, 1 << 20: nil} {
		type copying func(map[string]any, *structural.Schema, normalize.Steps) (
			map[string]any, normalize.Changes, error)
		for name, do := range map[string]copying{
			"Copy": room.Copy, "CopyUnchecked": room.CopyUnchecked,
		} {
			out, changes, err := do(object, schema, allSteps)
			if !errors.Is(err, want) || (err == nil) != (len(changes.List) == 2) ||
				(out == nil) != (err != nil) {
				t.Errorf("%s in %d: %v, %v, %v", name, room, out, changes, err)
			}
		}
	}
	if diff := cmp.Diff(before, object); diff != "" {
		t.Error(diff)
	}
}

// A default takes 200 bytes, those of its two paths, and those of its values:
// 32 each, 48 more for an object, and 264 for each eight fields.
func TestRoomOfValues(t *testing.T) {
	const paths = len("d" + "openAPIV3Schema.properties[d]")
	for text, size := range map[string]int{
		`null`: 32, `"0123456789"`: 32, `[]`: 32, `[1,[true]]`: 4 * 32, `{}`: 80, `{"a":[1]}`: 3*32 + 48 + 264,
		`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8}`:          9*32 + 48 + 264,
		`{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":null}`: 10*32 + 48 + 2*264,
	} {
		schema := testschema.Schema(t, `{"properties":{"d":{"default":`+text+`},"o":{"default":1}}}`)
		if text == "null" {
			size = 0
		} else {
			size += 200 + paths
		}
		size += 200 + paths + 32 // of o
		for less, want := range []error{nil, normalize.ErrNoRoom} {
			object := map[string]any{}
			changes, err := normalize.Room(size-less).InPlace(object, schema, normalize.Default)
			if !errors.Is(err, want) || err == nil && len(changes.List) != len(object) {
				t.Errorf("%s in %d: %v, %v", text, size-less, changes, err)
			}
		}
	}
}

// Below metadata that decodes the server changes the object as it was sent,
// which nothing shows.
func TestResourcesBelowMetadata(t *testing.T) {
	schema := testschema.Schema(t, `{"x-kubernetes-embedded-resource":true,"properties":{
"metadata":{"properties":{"managedFields":{"items":{"properties":{
"fieldsV1":{"x-kubernetes-embedded-resource":true}}}}}}}}`)
	const fields = `"managedFields":[{"fieldsV1":{"kind":"K","metadata":{"junk":1}}}]`
	for _, c := range []struct{ text, want string }{
		{`{"metadata":{` + fields + `}}`, `{"metadata":{` + fields + `}}`},
		{`{"metadata":{"x":1,` + fields + `}}`, `{"metadata":{` + fields + `}}`},
	} {
		object := testschema.Object(t, c.text)
		_, err := normalize.InPlace(object, schema, normalize.CoerceMetadata|normalize.CoerceRoot)
		if diff := cmp.Diff(testschema.Object(t, c.want), object); diff != "" || err != nil {
			t.Errorf("%s: %v, %s", c.text, err, diff)
		}
	}
}
