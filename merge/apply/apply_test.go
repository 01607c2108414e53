package apply_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/merge/apply"
)

// merging returns a version that merges.
func merging(t *testing.T) *crdsem.Version {
	t.Helper()
	def, err := crdsem.Parse([]byte(requests.DefinitionText), apply.Server())
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// An apply that is refused before validation is answered as by the server.
func TestRefusals(t *testing.T) {
	v := merging(t)
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
		"forced": {other, []crdsem.Option{crdsem.FieldManager("second"), crdsem.Force()}, nil},
		"another kind": {requests.Object(t, `{"apiVersion":"g.io/v1","kind":"L"}`), []crdsem.Option{crdsem.FieldManager("second")},
			&crdsem.StatusError{Code: 400, Reason: "BadRequest", Message: "invalid object type: g.io/v1, Kind=L"}},
		"another type": {requests.Object(t, `{`+requests.Head+`,"spec":{"a":[1]}}`), []crdsem.Option{crdsem.FieldManager("second")},
			&crdsem.StatusError{Code: 500, Message: "failed to create typed patch object (/n; g.io/v1, Kind=K): .spec.a: expected string, got &value.valueUnstructured{Value:[]interface {}{1}}"}},
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

// A new object may have a resourceVersion, if it is a number (PIPE-016).
func TestNewObjectWithResourceVersion(t *testing.T) {
	v := merging(t)
	for revision, want := range map[string]string{
		"5": "", "": "", "x": `strconv.ParseUint: parsing "x": invalid syntax`,
	} {
		config := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K",
			"metadata":{"name":"n","resourceVersion":"`+revision+`"},"spec":{"a":"long"}}`)
		got := ""
		err := v.Apply(t.Context(), config, nil, crdsem.FieldManager("m")).Err()
		if status, ok := errors.AsType[*crdsem.StatusError](err); ok && status.Code == 500 {
			got = status.Message
		}
		if got != want {
			t.Errorf("%q: %v", revision, err)
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

// An apply whose context has ended fails with the cause of that.
func TestContextEnds(t *testing.T) {
	merge := apply.Merging(served(t))
	cause := errors.New("the cause")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	config := requests.Object(t, `{`+requests.Head+`}`)
	if _, err := merge(ctx, nil, config, facadeoptions.Applier{Manager: "m"}); err != cause {
		t.Errorf("got %v", err)
	}
}

// The error of a context that ended is its own, not its cause.
func TestContextWithCause(t *testing.T) {
	v := merging(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the cause"))
	object := requests.Object(t, `{`+requests.Head+`}`)
	for name, err := range map[string]error{
		"Create": v.Create(ctx, object).Err(),
		"Read":   v.Read(ctx, object).Err(),
		"Apply":  v.Apply(ctx, object, object, crdsem.FieldManager("m")).Err(),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An apply whose object has no room for its defaults fails with the limit.
func TestDefaultsBeyondTheLimit(t *testing.T) {
	merge := apply.Merging(served(t))
	limit := &crdsem.LimitError{Limit: 1}
	config := requests.Object(t, `{`+requests.Head+`}`)
	by := facadeoptions.Applier{Manager: "m",
		Default: func(map[string]any) (map[string]any, error) { return nil, limit }}
	if _, err := merge(t.Context(), nil, config, by); err != limit {
		t.Errorf("got %v", err)
	}
}

// served returns a definition and its version v1.
func served(t *testing.T) (*crdsem.Definition, *crdsem.Version) {
	t.Helper()
	def := requests.Parse(t, requests.DefinitionText)
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return def, v
}

// A manager of another version owns fields, and an apply that takes two of them
// has two causes.
func TestOwnersOfOtherVersions(t *testing.T) {
	const version = `{"name": "v%d", "served": true, "storage": %t, "schema": {"openAPIV3Schema": ` +
		`{"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}`
	def, err := crdsem.Parse(fmt.Appendf(nil, `{"apiVersion": "apiextensions.k8s.io/v1",
		"kind": "CustomResourceDefinition", "metadata": {"name": "ks.g.io"}, "spec": {"group": "g.io",
		"scope": "Cluster", "names": {"plural": "ks", "kind": "K"}, "versions": [`+
		version+","+version+`]}}`, 1, true, 2, false), apply.Server())
	if err != nil {
		t.Fatal(err)
	}
	applied := func(live map[string]any, number, manager, value string) *crdsem.Result {
		v, err := def.Version("v" + number)
		if err != nil {
			t.Fatal(err)
		}
		config := requests.Object(t, `{"apiVersion":"g.io/v`+number+
			`","kind":"K","metadata":{"name":"n"},"a":"`+value+`","b":"`+value+`"}`)
		return v.Apply(t.Context(), config, live, crdsem.FieldManager(manager))
	}
	first := applied(nil, "1", "first", "x")
	if err := applied(first.Object, "2", "second", "x").Err(); err != nil {
		t.Fatal(err)
	}
	const want = "Apply failed with 2 conflicts: conflicts with \"first\":\n- .a\n- .b"
	err = applied(first.Object, "2", "second", "y").Err()
	status, ok := errors.AsType[*crdsem.StatusError](err)
	if !ok || status.Message != want || len(status.Causes) != 2 || status.Causes[1].Field != ".b" {
		t.Errorf("%v", err)
	}
}

// Versions that are not served do not matter, wherever they stand.
func TestUnservedVersions(t *testing.T) {
	const version = `{"name": "v%d", "served": %t, "storage": %t, "schema": {"openAPIV3Schema": ` +
		`{"type": "object", "properties": {"a": {"type": "string"}}}}}`
	def, err := crdsem.Parse(fmt.Appendf(nil, `{"apiVersion": "apiextensions.k8s.io/v1",
		"kind": "CustomResourceDefinition", "metadata": {"name": "ks.g.io"}, "spec": {"group": "g.io",
		"scope": "Namespaced", "names": {"plural": "ks", "kind": "K"}, "versions": [`+
		version+","+version+`]}}`, 0, false, false, 1, true, true), apply.Server())
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	config := requests.Object(t,
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"s"},"a":"x"}`)
	result := v.Apply(t.Context(), config, nil, crdsem.FieldManager("m"))
	if result.Err() != nil || result.Object["a"] != "x" {
		t.Errorf("%v, %v", result.Object, result.Err())
	}
}

// Two versions of one name cannot be merged.
func TestVersionGivenTwice(t *testing.T) {
	const version = `{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": ` +
		`{"type": "object"}}}`
	def, err := crdsem.Parse([]byte(`{"apiVersion": "apiextensions.k8s.io/v1",
		"kind": "CustomResourceDefinition", "metadata": {"name": "ks.g.io"}, "spec": {"group": "g.io",
		"scope": "Cluster", "names": {"plural": "ks", "kind": "K"}, "versions": [` +
		version + "," + version + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	config := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"}}`)
	const want = "version g.io/v1 is given twice"
	merge := apply.Merging(def, v)
	merged, err := merge(t.Context(), nil, config, facadeoptions.Applier{Manager: "m"})
	if err == nil || err.Error() != want || merged != nil {
		t.Errorf("Merging: %v, %v", merged, err)
	}
}
