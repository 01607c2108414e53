package crdsem_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/chapter/facadeoptions"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// applying returns a version whose merge returns the configuration as it is.
func applying(t *testing.T) *crdsem.Version {
	t.Helper()
	merge := func(_ context.Context, _, applied map[string]any,
		_ facadeoptions.Applier) (map[string]any, error) {
		return applied, nil
	}
	option := func(d *facadeoptions.Definition) error {
		d.Server = func(*crdsem.Definition, *crdsem.Version) facadeoptions.Merge { return merge }
		return nil
	}
	def, err := crdsem.Parse([]byte(requests.DefinitionText), option)
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A merged object is neither pruned nor does it lose its nulls. It gets no
// defaults but those of the merge, and it is validated (PIPE-019).
func TestApplied(t *testing.T) {
	ctx, v := context.Background(), applying(t)
	manager := crdsem.FieldManager("m")
	const (
		merged = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"default","generation":1,"resourceVersion":"5","managedFields":[{"manager":"m","operation":"Apply","apiVersion":"g.io/v1","fieldsType":"FieldsV1","fieldsV1":{}}],"zz":1},"spec":{"zz":null,"o":{"zz":1}},"zz":1}`
		old    = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"default","generation":1,"resourceVersion":"5"},"spec":{"a":"d"}}`
	)
	r := v.Apply(ctx, requests.Object(t, merged), requests.Object(t, old), manager,
		crdsem.FieldValidation(crdsem.Strict))
	want := requests.Object(t, merged)
	want["metadata"].(map[string]any)["generation"] = int64(2)
	if diff := cmp.Diff(want, r.Object) + cmp.Diff([]string(nil),
		requests.Lines(r)); !r.Admitted() ||
		diff != "" {
		t.Errorf("update: %s %s", r.Stage, diff)
	}
	r = v.ApplyStatus(ctx, requests.Object(t, merged), requests.Object(t, old), manager)
	status := requests.Object(t, old)
	managed := want["metadata"].(map[string]any)["managedFields"]
	status["metadata"].(map[string]any)["managedFields"] = managed
	if diff := cmp.Diff(status, r.Object); !r.Admitted() || diff != "" {
		t.Errorf("status: %s %s", r.Stage, diff)
	}
	r = v.Apply(ctx, requests.Object(t, merged), nil, manager)
	want["metadata"].(map[string]any)["generation"] = int64(1)
	if diff := cmp.Diff(want["spec"], r.Object["spec"]); !r.Admitted() || diff != "" {
		t.Errorf("create: %s %s", r.Stage, diff)
	}
	foreign := requests.Object(t, `{"apiVersion":"other.io/v1","kind":"K","metadata":{"name":"n"}}`)
	r = v.Apply(ctx, requests.Object(t, merged), foreign, manager)
	if _, ok := errors.AsType[*crdsem.StoredError](r.Err()); !ok || r.Object != nil {
		t.Errorf("a stored object of another group: %v", r.Err())
	}
	for text, want := range map[string][]string{
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{"a":"long","replicas":"x"}}`: {
			`error: spec.a: Too long: may not be more than 3 bytes`, `error: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"`,
			`error: .spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64`,
			"error: <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"},
		`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"4"},"spec":{}}`: {
			`refused: Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`},
		`{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{}}`: {
			`refused: the API version in the data (g.io/v1beta1) does not match the expected API version (g.io/v1)`},
	} {
		r := v.Apply(ctx, requests.Object(t, text), requests.Object(t, old), manager)
		if diff := cmp.Diff(want, requests.Lines(r)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
