package validation_test

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/validation"
)

// listed returns the texts of errors.
func listed(errs field.ErrorList) []string {
	out := []string{}
	for _, err := range errs {
		out = append(out, err.Error())
	}
	return out
}

// Validate has the errors of its steps, in the server's order.
func TestValidateIsItsSteps(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"status":{"type":"object","properties":{"n":{"type":"integer"}}},
		"a":{"type":"integer"},
		"pod":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
		"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}}}}`
	v := validation.Compile(testschema.Schema(t, schema))
	o := testschema.Object(t, `{"a":"x","pod":{"apiVersion":"v1"},"set":[1,1],"status":{"n":"x"}}`)
	want := []string{
		`a: Invalid value: "string": a in body must be of type integer: "string"`,
		`status.n: Invalid value: "string": status.n in body must be of type integer: "string"`,
		`pod.kind: Required value`,
		`set[1]: Duplicate value: 1`,
	}
	if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), o))); diff != "" {
		t.Errorf("Validate (-want +got)\n%s", diff)
	}
	errs, ratcheted := v.ValidateUpdate(t.Context(), o, map[string]any{})
	if diff := gocmp.Diff(want, listed(errs)); diff != "" || len(ratcheted) > 0 {
		t.Errorf("ValidateUpdate: ratcheted %v (-want +got)\n%s", ratcheted, diff)
	}
	errs, _ = v.ValidateStatusUpdate(t.Context(), o, map[string]any{})
	wantStatus := []string{
		`status.n: Invalid value: "string": n in body must be of type integer: "string"`,
		`set[1]: Duplicate value: 1`,
	}
	if diff := gocmp.Diff(wantStatus, listed(errs)); diff != "" {
		t.Errorf("ValidateStatusUpdate (-want +got)\n%s", diff)
	}
}

// In an unchanged object, values and list types are ratcheted (RAT-001,
// LST-040), but embedded metadata is not (RAT-036).
func TestUnchanged(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"a":{"type":"integer"},
		"pod":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
		"set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}}}}`
	v := validation.Compile(testschema.Schema(t, schema))
	o := testschema.Object(t, `{"a":"x","pod":{"apiVersion":"v1"},"set":[1,1]}`)
	errs, ratcheted := v.ValidateUpdate(t.Context(), o, o)
	if diff := gocmp.Diff([]string{`pod.kind: Required value`}, listed(errs)); diff != "" {
		t.Errorf("errors (-want +got)\n%s", diff)
	}
	want := []string{
		`a: Invalid value: "string": a in body must be of type integer: "string"`,
		`set[1]: Duplicate value: 1`,
	}
	if diff := gocmp.Diff(want, listed(ratcheted)); diff != "" {
		t.Errorf("ratcheted (-want +got)\n%s", diff)
	}
}

// A status that was absent is validated in full, except that null counts as
// unchanged.
func TestStatusWithoutOld(t *testing.T) {
	v := validation.Compile(
		testschema.Schema(
			t,
			`{"type":"object","properties":{"status":{"type":"object","required":["a"]}}}`,
		),
	)
	for _, c := range []struct {
		object         string
		errs, ratchets int
	}{{`{"status":{}}`, 1, 0}, {`{"status":null}`, 0, 1}, {`{"status":[]}`, 1, 0}, {`{}`, 0, 0}} {
		object := testschema.Object(t, c.object)
		errs, ratcheted := v.StatusValuesUpdate(t.Context(), object, map[string]any{})
		if len(errs) != c.errs || len(ratcheted) != c.ratchets {
			t.Errorf("%s: errors %v, ratcheted %v", c.object, errs, ratcheted)
		}
	}
}

// The validator of defaults differs from that of objects (DEF-052, DEF-053).
func TestCompileDefaults(t *testing.T) {
	for _, c := range []struct {
		rule, schema, value string
		objects, defaults   []string
	}{
		{"DEF-052", `{"x-kubernetes-int-or-string":true}`, `true`,
			[]string{`<nil>: Invalid value: "boolean":  in body must be of type integer,string: "boolean"`}, []string{}},
		{"DEF-053", `{"type":"string","format":"binary"}`, `1`,
			[]string{`<nil>: Invalid value: "integer":  in body must be of type string: "integer"`},
			[]string{`<nil>: Invalid value: "int64":  in body must be of type binary: "int64"`}},
		{"DEF-053", `{"type":"string","format":"binary"}`, `[1]`,
			[]string{`<nil>: Invalid value: "array":  in body must be of type string: "array"`}, []string{}},
		{"nested additionalProperties", `{"type":"object","allOf":[{"additionalProperties":{"minimum":5}}]}`, `{"a":1}`,
			[]string{
				`a: Invalid value: 1: .a in body should be greater than or equal to 5`,
				`<nil>: Invalid value: "": "" must validate all the schemas (allOf). None validated`,
			}, []string{}},
	} {
		schema := testschema.Schema(t, c.schema)
		value := testschema.Object(t, `{"v":`+c.value+`}`)["v"]
		objects := validation.Compile(schema)
		diff := gocmp.Diff(c.objects, listed(objects.Values(t.Context(), nil, value)))
		if diff != "" {
			t.Errorf("%s: Compile (-want +got)\n%s", c.rule, diff)
		}
		defaults := validation.Compile(schema, validation.OfDefaults())
		diff = gocmp.Diff(c.defaults, listed(defaults.Values(t.Context(), nil, value)))
		if diff != "" {
			t.Errorf("%s: CompileDefaults (-want +got)\n%s", c.rule, diff)
		}
	}
}

// A default is validated against its own node.
func TestCompileDefaultsOfANode(t *testing.T) {
	node := testschema.Schema(
		t,
		`{"type":"object","required":["a"],"default":{},"properties":{"a":{"type":"string"}}}`,
	)
	v := validation.Compile(node, validation.OfDefaults())
	if diff := gocmp.Diff([]string{`a: Required value`}, listed(v.Values(t.Context(), nil, node.Default()))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// One validator serves many goroutines.
func TestConcurrentUse(t *testing.T) {
	v := validation.Compile(testschema.Schema(t, everythingSchema))
	o := testschema.Object(t, everythingObject)
	bad := testschema.Object(t, `{"spec":{"name":"-","kind":"z","set":[1,2,1],"count":3}}`)
	want := listed(v.Validate(t.Context(), bad))
	done := make(chan string)
	for range 8 {
		go func() {
			for range 200 {
				if errs := v.Validate(t.Context(), o); errs != nil {
					done <- errs.ToAggregate().Error()
					return
				}
				if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), bad))); diff != "" {
					done <- diff
					return
				}
			}
			done <- ""
		}()
	}
	for range 8 {
		if text := <-done; text != "" {
			t.Error(text)
		}
	}
}

// The errors of the branch that looks at most of an object are reported,
// however many properties it declares (VAL-091).
func TestBestBranchOfManyProperties(t *testing.T) {
	object := testschema.Object(t, `{"a":"a","b":"b","c":"c"}`)
	for _, more := range []int{0, 50} {
		best := `{"properties":{"a":{"pattern":"^c"},"b":{"minLength":1},"c":{"minLength":1}`
		for i := range more {
			best += fmt.Sprintf(`,"p%d":{"minLength":1}`, i)
		}
		v := validation.Compile(testschema.Schema(t, `{"type":"object","anyOf":[`+
			`{"properties":{"a":{"pattern":"^b"}}},`+best+`}}],`+
			`"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`))
		want := []string{
			`<nil>: Invalid value: "": "" must validate at least one schema (anyOf)`,
			`a: Invalid value: "a": a in body should match '^c'`,
		}
		if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), object))); diff != "" {
			t.Errorf("with %d more properties (-want +got)\n%s", more, diff)
		}
	}
}

// A null that a branch declares counts as something that it looks at (VAL-091).
func TestBestBranchOfNulls(t *testing.T) {
	v := validation.Compile(testschema.Schema(t, `{"type":"object","anyOf":[`+
		`{"properties":{"b":{"pattern":"^x"}}},{"properties":{"a":{"nullable":true},"b":{"pattern":"^y"}}}],`+
		`"properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}}`))
	want := []string{
		`<nil>: Invalid value: "": "" must validate at least one schema (anyOf)`,
		`b: Invalid value: "b": b in body should match '^y'`,
	}
	object := testschema.Object(t, `{"a":null,"b":"b"}`)
	if diff := gocmp.Diff(want, listed(v.Validate(t.Context(), object))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A value is checked as a resource, whatever its schema says about it.
func TestRootAndEmbeddedResources(t *testing.T) {
	path, object := field.NewPath("x"), testschema.Object(t, `{"apiVersion":"v1","pod":{"kind":"P"}}`)
	const below = `"properties":{"pod":{"type":"object","x-kubernetes-embedded-resource":true}}}`
	root, pod := "x.kind: Required value", "x.pod.apiVersion: Required value"
	for schema, want := range map[string][]string{
		`{"type":"object"}`:         {root},
		`{"type":"object",` + below: {root, pod},
		`{"type":"object","x-kubernetes-embedded-resource":true}`:         {root},
		`{"type":"object","x-kubernetes-embedded-resource":true,` + below: {root, pod},
	} {
		v := validation.Compile(testschema.Schema(t, schema))
		got := listed(v.RootAndEmbeddedResources(t.Context(), path, object))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", schema, diff)
		}
		if errs := v.RootAndEmbeddedResources(t.Context(), path, "x"); len(errs) > 0 {
			t.Errorf("%s: a string: %v", schema, errs)
		}
	}
	var none *validation.Validator
	got := listed(none.RootAndEmbeddedResources(t.Context(), path, object))
	if diff := gocmp.Diff([]string{root}, got); diff != "" {
		t.Errorf("no validator (-want +got)\n%s", diff)
	}
}
