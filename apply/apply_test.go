package apply_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/apply"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// An apply that is refused before validation is answered as by the server.
func TestRefusals(t *testing.T) {
	def, err := crdsem.Parse([]byte(requests.DefinitionText), crdsem.ServerSideApply(apply.Server))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	const config = `{` + requests.Head + `,"spec":{"a":"x"}}`
	stored := v.Apply(
		t.Context(),
		requests.Object(t, config),
		nil,
		crdsem.FieldManager("first"),
	).Object
	managed := requests.Object(t, config)
	managed["metadata"] = stored["metadata"]
	other := requests.Object(t, `{`+requests.Head+`,"spec":{"a":"y"}}`)
	for name, tc := range map[string]struct {
		config  map[string]any
		options []crdsem.Option
		want    *crdsem.StatusError
	}{
		"no manager": {other, nil, &crdsem.StatusError{Code: 422, Reason: "Invalid",
			Message: `PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch`,
			Causes: []crdsem.Cause{{
				Reason: "FieldValueRequired", Message: "Required value: is required for apply patch", Field: "fieldManager",
			}}}},
		"conflict": {other, []crdsem.Option{crdsem.FieldManager("second")}, &crdsem.StatusError{Code: 409, Reason: "Conflict",
			Message: `Apply failed with 1 conflict: conflict with "first": .spec.a`,
			Causes:  []crdsem.Cause{{Reason: "FieldManagerConflict", Message: `conflict with "first"`, Field: ".spec.a"}}}},
		"forced": {other, []crdsem.Option{crdsem.FieldManager("second"), crdsem.Force}, nil},
		"another kind": {requests.Object(t, `{"apiVersion":"g.io/v1","kind":"L"}`), []crdsem.Option{crdsem.FieldManager("second")},
			&crdsem.StatusError{Code: 400, Reason: "BadRequest", Message: "invalid object type: g.io/v1, Kind=L"}},
		"managed fields": {managed, []crdsem.Option{crdsem.FieldManager("second")},
			&crdsem.StatusError{Code: 400, Reason: "BadRequest", Message: "metadata.managedFields must be nil"}},
	} {
		result := v.Apply(t.Context(), tc.config, stored, tc.options...)
		var got *crdsem.StatusError
		if status, ok := errors.AsType[*crdsem.StatusError](result.Err()); ok {
			got = &crdsem.StatusError{
				Code:    status.Code,
				Reason:  status.Reason,
				Message: status.Message,
				Causes:  status.Causes,
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %v %s", name, result.Err(), diff)
		}
	}
}

// Without the option of Parse there is nothing that merges.
func TestNoServerSideApply(t *testing.T) {
	config := requests.Object(t, `{`+requests.Head+`}`)
	result := requests.Version(t, "v1").Apply(t.Context(), config, nil, crdsem.FieldManager("m"))
	if !errors.Is(result.Err(), crdsem.ErrNoServerSideApply) {
		t.Errorf("got %v", result.Err())
	}
}
