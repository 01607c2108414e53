package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
)

// The status of an invalid object has the message and the causes that the real
// code makes from the same errors (PIPE-015).
func TestFailureDifferential(t *testing.T) {
	invalid := 0
	for seed := range uint64(3000) {
		a, err := newGenerator(seed ^ 0xfa11).attempt()
		if err != nil || len(a.old) > 0 {
			continue
		}
		v, err := a.def.Version(a.version)
		if err != nil {
			continue
		}
		r := v.CreateBytes(context.Background(), a.body,
			crdsem.FieldValidation(crdsem.Strictness(a.fieldValidation)))
		if r.Stage != crdsem.StageInvalid {
			continue
		}
		invalid++
		kind, _ := r.Object["kind"].(string)
		meta, _ := r.Object["metadata"].(map[string]any)
		name, _ := meta["name"].(string)
		want := apierrors.NewInvalid(schema.GroupKind{Group: "g.io", Kind: kind}, name,
			r.Errors).ErrStatus
		got, ok := errors.AsType[*crdsem.StatusError](r.Err())
		if !ok {
			t.Fatalf("seed %d: %v", seed, r.Err())
		}
		if got.Message != want.Message || got.Code != int(want.Code) ||
			got.Reason != string(want.Reason) {
			t.Errorf("seed %d: %+v, want %+v", seed, got, want)
		}
		var causes []crdsem.Cause
		for _, c := range want.Details.Causes {
			causes = append(causes,
				crdsem.Cause{Reason: string(c.Type), Message: c.Message, Field: c.Field})
		}
		if !slices.Equal(causes, got.Causes) {
			text, _ := json.Marshal(causes) // strings only
			t.Errorf("seed %d: causes %+v, want %s", seed, got.Causes, text)
		}
	}
	if t.Logf("%d invalid objects", invalid); invalid < 200 {
		t.Errorf("only %d objects are invalid", invalid)
	}
}
