package crdsem_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// objectInput is the input of the cases of objects.
type objectInput struct {
	CRD         protocol.Input `json:"crd"`
	Version     string         `json:"version"`
	Object      protocol.Input `json:"object"`
	Old         protocol.Input `json:"old"`
	Subresource string         `json:"subresource"`
}

func vectorDefinition(t *testing.T, crd protocol.Input) *crdsem.Definition {
	t.Helper()
	def, err := crdsem.Parse(vectors.JSON(t, crd))
	if err != nil {
		t.Fatal(err)
	}
	return def
}

func vectorVersion(t *testing.T, crd protocol.Input, name string) *crdsem.Version {
	t.Helper()
	version, err := vectorDefinition(t, crd).Version(name)
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// What is read of a request is coerced as the cases say (PIPE-010, META-004 to
// META-023).
func TestCoercedObjects(t *testing.T) {
	type answer struct {
		Object        map[string]any `json:"object"`
		UnknownFields []string       `json:"unknownFields"`
		Error         string         `json:"error"`
	}
	for _, c := range vectors.Cases[objectInput, answer](t, "coercedObject") {
		def := vectorDefinition(t, c.Input.CRD)
		object, unknown, _, err := crdsem.DecodeObject(def, vectors.Object(t, c.Input.Object))
		got := answer{Object: object, UnknownFields: unknown}
		if err != nil {
			got = answer{Error: err.Error()}
		}
		if diff := cmp.Diff(c.Want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", c.ID, diff)
		}
	}
}

// Objects are validated as the cases say, whatever becomes of them before
// (META-020 to META-032, PIPE-030).
func TestUnpreparedObjects(t *testing.T) {
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
	}
	for _, c := range vectors.Cases[objectInput, answer](t, "unpreparedObject") {
		v := vectorVersion(t, c.Input.CRD, c.Input.Version)
		object, old := vectors.Object(t, c.Input.Object), vectors.Object(t, c.Input.Old)
		errs := crdsem.ValidateObject(context.Background(), v, object, old, c.Input.Subresource)
		vectors.CheckErrors(t, c.ID, c.Want.Errors, errs)
	}
}

// Coercion leaves its argument unchanged and reports the path of every unknown
// field (PRN-020 to PRN-024, META-005, META-023).
func TestCoercionReports(t *testing.T) {
	coerced := 0
	for _, v := range vectors.Eval(t, protocol.OpAdmit) {
		if v.Wanted(t).Stage == protocol.StageDecode {
			continue
		}
		object := vectors.Object(t, v.Req.Object)
		if object == nil {
			continue
		}
		coerced++
		_, _, changes, err := crdsem.DecodeObject(vectorDefinition(t, v.Req.CRD), object)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		if !jsonvalue.Equal(object, vectors.DecodeInput(t, v.Req.Object)) {
			t.Errorf("%s: the argument was changed", v.ID)
		}
		told := slices.Concat(pathsOf(changes, crdsem.Pruned),
			pathsOf(changes, crdsem.MetadataPruned))
		slices.Sort(told)
		if diff := cmp.Diff(v.Wanted(t).UnknownFields, told, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s %s: %s", v.ID, v.Rule, diff)
		}
	}
	if coerced < 800 {
		t.Errorf("only %d objects were coerced", coerced)
	}
}

// pathsOf returns the paths of the changes with an action.
func pathsOf(changes []crdsem.Change, action crdsem.Action) (paths []string) {
	for _, c := range changes {
		if c.Action == action {
			paths = append(paths, c.Path)
		}
	}
	return paths
}
