package crdsem_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/validation"
)

const misusedCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.g.io}
spec:
  group: g.io
  scope: Namespaced
  names: {plural: foos, kind: Foo, listKind: FooList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, default: 1}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              items: {type: array, items: {type: object, properties: {a: {type: string, default: x}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string, default: x}}}
            x-kubernetes-validations: [{rule: self.size > 0}]
          status: {type: object, properties: {ready: {type: boolean, default: false}}}
`

func misusedVersion(t *testing.T, options ...crdsem.DefinitionOption) *crdsem.Version {
	t.Helper()
	def, err := crdsem.Parse([]byte(misusedCRD), options...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func foo(fields map[string]any) map[string]any {
	object := map[string]any{
		"apiVersion": "g.io/v1",
		"kind":       "Foo",
		"metadata":   map[string]any{"name": "x", "namespace": "default"},
	}
	for name, value := range fields {
		object[name] = value
	}
	return object
}

// A nil map or list inside of an object is an empty one, whatever is done to
// the object.
func TestNilContainersAreEmpty(t *testing.T) {
	v, ctx := misusedVersion(t), context.Background()
	var noMap map[string]any
	var noList []any
	empty := map[string]any{}
	for _, c := range []struct {
		name            string
		absent, present map[string]any
	}{
		{"spec", foo(map[string]any{"spec": noMap}), foo(map[string]any{"spec": empty})},
		{"status", foo(map[string]any{"status": noMap}), foo(map[string]any{"status": empty})},
		{"item", foo(map[string]any{"spec": map[string]any{"items": []any{noMap}}}), foo(map[string]any{"spec": map[string]any{"items": []any{empty}}})},
		{"list", foo(map[string]any{"spec": map[string]any{"items": noList}}), foo(map[string]any{"spec": map[string]any{"items": []any{}}})},
		{"preserving", foo(map[string]any{"spec": map[string]any{"free": noMap}}), foo(map[string]any{"spec": map[string]any{"free": empty}})},
		{"embedded", foo(map[string]any{"spec": map[string]any{"template": noMap}}), foo(map[string]any{"spec": map[string]any{"template": empty}})},
		{"labels", foo(map[string]any{"metadata": map[string]any{"name": "x", "labels": noMap}}), foo(map[string]any{"metadata": map[string]any{"name": "x", "labels": empty}})},
		{"metadata", foo(map[string]any{"metadata": noMap}), foo(map[string]any{"metadata": empty})},
		{"root", noMap, empty},
	} {
		for request, outcome := range map[string]func(map[string]any) *crdsem.Result{
			"create":        func(o map[string]any) *crdsem.Result { return v.Create(ctx, o) },
			"update":        func(o map[string]any) *crdsem.Result { return v.Update(ctx, o, foo(nil)) },
			"status update": func(o map[string]any) *crdsem.Result { return v.UpdateStatus(ctx, o, foo(nil)) },
			"update from":   func(o map[string]any) *crdsem.Result { return v.Update(ctx, foo(nil), o) },
			"read":          func(o map[string]any) *crdsem.Result { return v.Read(ctx, o) },
		} {
			if c.name == "root" && request == "update from" {
				continue // no old object is an error of its own
			}
			got, want := outcome(c.absent), outcome(c.present)
			if diff := cmp.Diff(verdictOf(want), verdictOf(got)); diff != "" {
				t.Errorf("%s of nil %s (-of an empty one +of nil):\n%s", request, c.name, diff)
			}
		}
	}
	const adds = `[{"op":"add","path":"/spec/items/-","value":{}},{"op":"add","path":"/spec/free/b","value":1},{"op":"add","path":"/status/ready","value":true}]`
	patched := v.Patch(
		ctx,
		[]byte(adds),
		crdsem.JSONPatch,
		foo(
			map[string]any{"spec": map[string]any{"items": noList, "free": noMap}, "status": noMap},
		),
	)
	if !patched.Admitted() {
		t.Errorf("a patch of nil containers: %v %v", patched.Err(), errors.Unwrap(patched.Err()))
	}
	if changes := defaulting.Default(noMap, v.Schema()); changes != nil {
		t.Errorf("Default(nil map) tells of %v, but nothing can be written to it", changes)
	}
	object := map[string]any{"spec": noMap}
	defaulting.Default(object, v.Schema())
	diff := cmp.Diff(map[string]any{"spec": map[string]any{"size": int64(1)}}, object)
	if diff != "" {
		t.Errorf("Default with a nil map inside (-want +got):\n%s", diff)
	}
}

// verdictOf is what counts of a result, as text, in which nil and empty
// containers are the same.
func verdictOf(r *crdsem.Result) []any {
	err := ""
	if r.Stage != crdsem.StageInvalid && r.Err() != nil {
		err = r.Err().Error()
	}
	return []any{
		r.Stage,
		r.Errors.ToAggregate() != nil,
		err,
		emptied(r.Object),
		r.Defaulted,
		r.Pruned,
	}
}

func emptied(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, field := range value {
			out[key] = emptied(field)
		}
		return out
	case []any:
		out := []any{}
		for _, item := range value {
			out = append(out, emptied(item))
		}
		return out
	}
	return value
}

// A nil option chooses nothing.
func TestNilOptions(t *testing.T) {
	v := misusedVersion(t, nil)
	ctx := context.Background()
	object := foo(map[string]any{"spec": map[string]any{"size": int64(2)}})
	for name, r := range map[string]*crdsem.Result{
		"Create":       v.Create(ctx, object, nil),
		"Update":       v.Update(ctx, object, foo(nil), nil),
		"UpdateStatus": v.UpdateStatus(ctx, object, foo(nil), nil),
		"Patch":        v.Patch(ctx, []byte(`{}`), crdsem.MergePatch, object, nil),
		"Explain":      v.Create(ctx, object, crdsem.ExplainFailures()),
	} {
		if !r.Admitted() {
			t.Errorf("%s: %v %v", name, r.Err(), r.Errors)
		}
	}
	if r := v.Read(ctx, object); r.Stage != crdsem.StageRead {
		t.Errorf("Read: %v", r.Err())
	}
}

// Empty errors can be printed.
func TestEmptyErrors(t *testing.T) {
	for _, err := range []error{
		&crdsem.ValueError{}, &crdsem.StoredError{}, &crdsem.StatusError{},
		&definition.DecodeError{},
	} {
		if text := err.Error(); len(text) > 100 {
			t.Errorf("%T: %q", err, text)
		}
	}
}

// The values that stand for nothing answer as nothing does.
func TestNothing(t *testing.T) {
	v, object := misusedVersion(t), foo(map[string]any{"spec": map[string]any{"size": "x"}})
	for name, validator := range map[string]*validation.Validator{
		"nil": nil, "zero": {}, "of no schema": validation.Compile(nil, nil),
	} {
		errs, ratcheted := validator.ValidateUpdate(context.Background(), object, object)
		n := len(validator.Validate(context.Background(), object)) + len(
			errs,
		) + len(ratcheted) + len(
			validator.Values(context.Background(), nil, object),
		)
		if n > 0 {
			t.Errorf("a %s Validator finds %d errors", name, n)
		}
	}
	for name, rules := range map[string]*celrules.Rules{
		"nil": nil, "zero": {}, "of no schema": celrules.Compile(nil, nil),
	} {
		_ = rules.Prepare(context.Background())
		if r := rules.Validate(context.Background(), object, nil); !rules.Empty() || r.Cost != 0 ||
			len(r.Errors) > 0 {
			t.Errorf("%s Rules: %v", name, r)
		}
	}
	for name, crd := range map[string]*definition.CRD{"nil": nil, "zero": {}} {
		if errs := validate.Create(t.Context(), crd.ForCreate()).Errors; len(errs) == 0 {
			t.Errorf("a %s CRD is accepted", name)
		}
		result := validate.Update(t.Context(), crd.ForUpdate(crd), crd)
		if errs := result.Errors; len(errs) == 0 {
			t.Errorf("an update to a %s CRD is accepted", name)
		}
	}
	if errs := check.Validate(t.Context(), v.Schema(), nil); len(errs) > 0 {
		t.Errorf("Rules without a path: %v", errs)
	}
}
