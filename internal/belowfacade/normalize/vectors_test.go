package normalize_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// differ tells how two objects differ, "" if they do not. Deep ones are too
// much for cmp.
func differ(want, got any) string {
	if jsonvalue.Equal(want, got) {
		return ""
	}
	return fmt.Sprintf("want %.2000v\ngot  %.2000v", want, got)
}

// both takes steps in place and on a copy, which must not change its argument
// and must do the same.
func both(
	t *testing.T,
	id string,
	object map[string]any,
	schema *structural.Schema,
	steps normalize.Steps,
) (map[string]any, []structural.Change) {
	t.Helper()
	original := jsonvalue.DeepCopyMap(object)
	copied, copiedChanges, err := normalize.Unlimited.Copy(object, schema, steps)
	if diff := differ(original, object); diff != "" {
		t.Errorf("%s: Copy changed its argument: %s", id, diff)
	}
	changes, errInPlace := normalize.InPlace(original, schema, steps)
	if (err == nil) != (errInPlace == nil) {
		t.Fatalf("%s: Copy says %v, InPlace %v", id, err, errInPlace)
	}
	if diff := differ(original, copied); diff != "" {
		t.Errorf("%s: InPlace and Copy differ: %s", id, diff)
	}
	if diff := cmp.Diff(changes, copiedChanges); diff != "" {
		t.Errorf("%s: the changes of InPlace and Copy differ: %s", id, diff)
	}
	return copied, changes.List
}

func parse(t *testing.T, id string, schema protocol.Input) *structural.Schema {
	t.Helper()
	parsed, err := structural.Parse(vectors.JSON(t, schema))
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return parsed
}

// Resources are pruned as the vectors say (PRN-001 to PRN-031).
func TestPruneVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpPrune) {
		object := vectors.Object(t, v.Req.Object)
		if object == nil {
			continue // not a resource
		}
		out, changes := both(
			t,
			v.ID,
			object,
			parse(t, v.ID, v.Req.Schema),
			normalize.Prune|normalize.ResourceRoot,
		)
		v.Check(
			t,
			protocol.Pruned{
				Object: out, UnknownFields: structural.Paths(changes, structural.Pruned),
			},
		)
	}
}

// Nulls are dropped as the cases say (DEF-030 to DEF-036).
func TestNullCases(t *testing.T) {
	type input struct {
		Schema protocol.Input `json:"schema"`
		Object protocol.Input `json:"object"`
	}
	type answer struct {
		Object map[string]any `json:"object"`
	}
	for _, c := range vectors.Cases[input, answer](t, "droppedNulls") {
		out, _ := both(
			t,
			c.ID,
			vectors.Object(t, c.Input.Object),
			parse(t, c.ID, c.Input.Schema),
			normalize.DropNulls,
		)
		if diff := differ(c.Want.Object, out); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// Nulls are dropped and defaults filled in as the vectors say (DEF-001 to
// DEF-036).
func TestDefaultVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpDefault) {
		object := vectors.Object(t, v.Req.Object)
		if object == nil {
			continue // not a resource
		}
		out, _ := both(
			t,
			v.ID,
			object,
			parse(t, v.ID, v.Req.Schema),
			normalize.DropNulls|normalize.Default,
		)
		v.Check(t, protocol.Object{Object: out})
	}
}

// Steps that are taken in one walk do what they do one after the other.
func TestStepsTogether(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpPrune, protocol.OpDefault) {
		object := vectors.Object(t, v.Req.Object)
		if object == nil {
			continue // not a resource
		}
		schema := parse(t, v.ID, v.Req.Schema)
		together, changes := both(
			t,
			v.ID,
			object,
			schema,
			normalize.Prune|normalize.ResourceRoot|normalize.DropNulls,
		)
		apart, pruned := both(t, v.ID, object, schema, normalize.Prune|normalize.ResourceRoot)
		apart, _ = both(t, v.ID, apart, schema, normalize.DropNulls)
		if diff := differ(apart, together); diff != "" {
			t.Errorf("%s: %s", v.ID, diff)
		}
		if got, want := structural.Paths(changes,
			structural.Pruned), structural.Paths(pruned, structural.Pruned); !slices.Equal(
			got,
			want,
		) {
			t.Errorf("%s: pruned %q, want %q", v.ID, got, want)
		}
	}
}
