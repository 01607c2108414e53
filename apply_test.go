package crdsem_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/minors"
)

// applying returns a version whose merge returns the configuration as it is.
func applying(t *testing.T, options ...crdsem.DefinitionOption) *crdsem.Version {
	t.Helper()
	merge := func(_ context.Context, _, applied map[string]any,
		_ facadeoptions.Applier) (map[string]any, error) {
		return applied, nil
	}
	option := facadeoptions.For(func(d *facadeoptions.Definition) {
		d.Server = func(*crdsem.Definition, *crdsem.Version) facadeoptions.Merge { return merge }
	})
	def, err := crdsem.Parse([]byte(requests.DefinitionText), append(options, option)...)
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// An apply needs an option of the definition, a manager and values of JSON.
func TestApplyNeeds(t *testing.T) {
	object := requests.Object(t, `{`+requests.Head+`}`)
	r := requests.Version(t, "v1").Apply(t.Context(), object, nil)
	if r.Err() != crdsem.ErrNoServerSideApply {
		t.Error(r.Err())
	}
	const required = "Required value: is required for apply patch"
	want := &crdsem.StatusError{
		Code: 422, Reason: "Invalid", Group: "meta.k8s.io", Kind: "PatchOptions",
		Message: `PatchOptions.meta.k8s.io "" is invalid: fieldManager: ` + required,
		Rule:    "PIPE-019",
		Causes: []crdsem.Cause{{Reason: "FieldValueRequired", Message: required,
			Field: "fieldManager"}},
		Errors: field.ErrorList{field.Required(field.NewPath("fieldManager"),
			"is required for apply patch").WithOrigin("PIPE-019")},
	}
	if diff := cmp.Diff(want, applying(t).Apply(t.Context(), object, nil).Err()); diff != "" {
		t.Error(diff)
	}
	object["spec"] = 5
	r = applying(t).Apply(t.Context(), object, nil, crdsem.FieldManager("m"))
	if bad, ok := errors.AsType[*crdsem.ValueError](r.Err()); !ok ||
		!strings.HasPrefix(bad.Error(), "spec: a value of type int ") {
		t.Error(r.Err())
	}
}

// The body of an apply is YAML, whatever its first letter. Its errors have the
// server's texts, which are others up to 1.36.
func TestApplyBody(t *testing.T) {
	const head = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},`
	newest, older := applying(t), applying(t, crdsem.Kubernetes("1.36"))
	old := requests.Object(t, `{`+requests.Head+`}`)
	for body, want := range map[string]string{
		head + `"spec":{"replicas":1.0,}}`: "",
		head + `"spec":{"replicas":"x"}}`:  `K.g.io "n" is invalid: [spec.replicas: Invalid value: "string"`,
		"a: - b": "error encoding patch: yaml: block sequence entries are not allowed in this " +
			"context|error decoding YAML: error converting YAML to JSON: yaml: block sequence " +
			"entries are not allowed in this context",
		"{": "error decoding patch: error converting YAML to JSON: yaml: |" +
			"error decoding YAML: error converting YAML to JSON: yaml: ",
		"[1]": "error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot " +
			"unmarshal array into Go value of type map[string]interface {}|error decoding YAML: error " +
			"unmarshaling JSON: while decoding JSON: json: cannot unmarshal array",
		head + `"spec":{"a":"x","a":"y"}}`: "error strict decoding patch: error converting YAML to JSON: " +
			`yaml: unmarshal errors:` + "\n" + `  line 1: key "a" already set in map|` +
			"error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors",
	} {
		first, second, differ := strings.Cut(want, "|")
		if !differ {
			second = first
		}
		for v, want := range map[*crdsem.Version]string{newest: first, older: second} {
			r := v.Do(t.Context(), crdsem.Request{
				Verb: crdsem.VerbApply, Body: []byte(body), Old: old, FieldManager: "m",
				FieldValidation: crdsem.Strict,
			})
			got := ""
			if r.Err() != nil {
				got = r.Err().Error()
			}
			if !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%s: %s, want %s", body, got, want)
			}
		}
	}
	r := newest.Do(t.Context(), crdsem.Request{
		Verb: crdsem.VerbApply, Body: []byte(head + `"spec":{"a":"x","a":"y"}}`), Old: old,
		FieldManager: "m",
	})
	if got := strings.Join(r.Warnings, "|"); got != `line 1: key "a" already set in map` {
		t.Errorf("warnings: %s", got)
	}
}

// A malformed body is found before the old object is read, from 1.37 on.
func TestApplyBodyBeforeOld(t *testing.T) {
	for minor, want := range map[string]int{"1.37": 400, "1.36": 0} {
		r := applying(t, crdsem.Kubernetes(minors.Minor(minor))).Do(t.Context(), crdsem.Request{
			Verb: crdsem.VerbApply, Subresource: crdsem.SubresourceStatus, Body: []byte("a: - b"),
			FieldManager: "m",
		})
		code := 0
		if refused, ok := errors.AsType[*crdsem.StatusError](r.Err()); ok {
			code = refused.Code
		}
		if code != want || r.Err() == nil {
			t.Errorf("%s: %d %v, want %d", minor, code, r.Err(), want)
		}
	}
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
	meta := requests.Object(t, merged)
	for text, of := range map[string]map[string]any{
		`strconv.ParseUint: parsing "x": invalid syntax`: {"name": "n", "resourceVersion": "x"},
		`K.g.io "n" is invalid: metadata: Invalid value: {"generation":1,"labels":5,"name":"n","namespace":"default"}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string`: {"name": "n", "labels": int64(5)},
	} {
		meta["metadata"] = of
		if r := v.Apply(ctx, meta, nil, manager); r.Err() == nil || r.Err().Error() != text {
			t.Errorf("%v: %v, want %s", of, r.Err(), text)
		}
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
