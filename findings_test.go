package crdsem_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// findings returns the findings of a refused request, one a line.
func findings(t *testing.T, r *crdsem.Result) string {
	t.Helper()
	if r.Err() == nil {
		t.Error("the request is not refused")
	}
	var lines []string
	for _, f := range r.Findings() {
		lines = append(lines, fmt.Sprintf("%s %s %s %q %s %v", f.Rule, string(f.Type),
			f.Field, f.Detail, f.Pointer, f.BadValue))
	}
	return strings.Join(lines, "\n")
}

// What a strict request is refused for are findings, in JSON and in YAML.
func TestStrictFindings(t *testing.T) {
	v := requests.Version(t, "v1")
	for name, c := range map[string]struct{ body, want string }{
		"JSON": {
			`{` + requests.Head + `,"spec":{"a":"x","a":"y","zz":{"b":1}}}`,
			`PIPE-006 FieldValueDuplicate spec.a "duplicate field \"spec.a\"" /spec/a a` + "\n" +
				`PIPE-006 FieldValueForbidden spec.zz "unknown field \"spec.zz\"" /spec/zz map[b:1]`,
		},
		"YAML": {
			"apiVersion: g.io/v1\nkind: K\nmetadata: {name: w, name: w}\nspec:\n  a: x\n  a: z\n",
			`PIPE-006 FieldValueDuplicate metadata.name "line 3: key \"name\" already set in map" /metadata/name name` + "\n" +
				`PIPE-006 FieldValueDuplicate spec.a "line 6: key \"a\" already set in map" /spec/a a`,
		},
		"metadata": {
			`{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","x.y":1,"ownerReferences":[{"z":1}]}}`,
			`PIPE-006 FieldValueForbidden metadata.ownerReferences[0].z "unknown field \"metadata.ownerReferences[0].z\"" /metadata/ownerReferences/0/z <nil>` + "\n" +
				`PIPE-006 FieldValueForbidden metadata.x.y "unknown field \"metadata.x.y\"" /metadata/x.y <nil>`,
		},
	} {
		r := v.Do(t.Context(), crdsem.Request{
			Body: []byte(c.body), FieldValidation: crdsem.Strict,
		})
		if diff := cmp.Diff(c.want, findings(t, r)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		most := v.Do(t.Context(), crdsem.Request{
			Body: []byte(c.body), FieldValidation: crdsem.Strict, MaxFindings: 1,
		})
		if len(most.Findings()) != 1 {
			t.Errorf("%s: %d findings", name, len(most.Findings()))
		}
		for _, f := range v.Do(t.Context(), crdsem.Request{Body: []byte(c.body)}).Findings() {
			if f.Rule == "PIPE-006" {
				t.Errorf("%s: a warning is a finding: %v", name, f)
			}
		}
	}
}

// A finding has its place, and JSON as a cause of a Status.
func TestFindingPlaces(t *testing.T) {
	v := requests.Version(t, "v1")
	r := v.Do(t.Context(), crdsem.Request{
		Body: []byte(`{` + requests.Head + `,"spec":{"a":"long"}}`),
	})
	const want = `VAL-040 FieldValueTooLong spec.a "may not be more than 3 bytes" /spec/a <value omitted>`
	got, _, _ := strings.Cut(findings(t, r), "\n")
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	first := r.Findings()[0]
	value, ok := first.Pointer.Value(r.Object)
	if value != "long" || !ok {
		t.Errorf("the value is %v", value)
	}
	text, err := json.Marshal(first)
	const wantText = `{"reason":"FieldValueTooLong","message":"Too long: may not be more than 3 bytes",` +
		`"field":"spec.a","pointer":"/spec/a","rule":"VAL-040"}`
	if err != nil || string(text) != wantText {
		t.Errorf("%s, %v", text, err)
	}
	if text := first.String(); text != "spec.a: Too long: may not be more than 3 bytes (VAL-040)" {
		t.Error(text)
	}
	refused, _ := errors.AsType[*crdsem.StatusError](r.Err())
	text, err = json.Marshal(refused.Causes[0])
	const wantCause = `{"reason":"FieldValueTooLong","message":"Too long: may not be more than 3 bytes","field":"spec.a"}`
	if err != nil || string(text) != wantCause {
		t.Errorf("%s, %v", text, err)
	}
}

// The stored object can be given as text.
func TestOldBody(t *testing.T) {
	v := requests.Version(t, "v1")
	patch := crdsem.Request{
		Verb: crdsem.VerbPatch, PatchType: crdsem.MergePatch, Body: []byte(`{"spec":{"a":"b"}}`),
	}
	for _, old := range []string{
		stored,
		"apiVersion: g.io/v1\nkind: K\nmetadata: {name: 'n', resourceVersion: '5'}\nspec: {}\n",
	} {
		request := patch
		request.OldBody = []byte(old)
		r := v.Do(t.Context(), request)
		want := patch
		want.Old = requests.Object(t, stored)
		if diff := cmp.Diff(v.Do(t.Context(), want).Object, r.Object); diff != "" || !r.Admitted() {
			t.Errorf("%v %s", r.Err(), diff)
		}
	}
	request := patch
	request.OldBody = []byte(`[]`)
	if _, ok := errors.AsType[*crdsem.StoredError](v.Do(t.Context(), request).Err()); !ok {
		t.Errorf("a list: %v", v.Do(t.Context(), request).Err())
	}
	for field, wrong := range map[string]crdsem.Request{
		"OldBody": {Verb: crdsem.VerbCreate, Body: []byte(stored), OldBody: []byte(stored)},
		"Body":    {Body: []byte(stored), Object: map[string]any{}},
	} {
		refused, ok := errors.AsType[*crdsem.RequestError](v.Do(t.Context(), wrong).Err())
		if !ok || refused.Field != field {
			t.Errorf("%s: %v", field, refused)
		}
	}
	request.Old = map[string]any{}
	if refused, ok := errors.AsType[*crdsem.RequestError](v.Do(t.Context(), request).Err()); !ok ||
		refused.Field != "OldBody" {
		t.Errorf("both: %v", refused)
	}
	updated := v.Do(t.Context(), crdsem.Request{Body: []byte(stored), OldBody: []byte(stored)})
	if !updated.Admitted() || updated.Object["metadata"].(map[string]any)["uid"] != nil {
		t.Errorf("without a verb: %v", updated.Err())
	}
	for _, verb := range []crdsem.Verb{"", crdsem.VerbCreate} {
		created := v.Do(t.Context(), crdsem.Request{
			Verb: verb, OldBody: []byte(" null\n"),
			Body: []byte(`{` + requests.Head + `,"spec":{}}`),
		})
		if !created.Admitted() {
			t.Errorf("%q with null: %v", verb, created.Err())
		}
	}
}

// A change has its place, in the object and in the definition, and its value.
func TestChangePlaces(t *testing.T) {
	v := requests.Version(t, "v1")
	r := v.Do(t.Context(), crdsem.Request{
		Body: []byte(`{` + requests.Head + `,"spec":{"x.y":{"z":1}},"status":{"s":1}}`),
	})
	i := slices.IndexFunc(r.Provenance,
		func(c crdsem.Change) bool { return c.Action == crdsem.Pruned })
	if i < 0 {
		t.Fatalf("%v", r.Provenance)
	}
	pruned := r.Provenance[i]
	if pruned.Pointer != "/spec/x.y" || fmt.Sprint(pruned.Value) != "map[z:1]" ||
		v.SchemaPath(pruned.Schema) != "spec.versions[0].schema.openAPIV3Schema.properties[spec]" {
		t.Errorf("%+v, %s", pruned, v.SchemaPath(pruned.Schema))
	}
	for _, c := range r.Provenance {
		if c.Action == crdsem.Defaulted {
			value, ok := c.Pointer.Value(r.Object)
			if !ok || fmt.Sprint(value) != fmt.Sprint(c.Value) {
				t.Errorf("%+v is %v", c, value)
			}
		}
	}
}
