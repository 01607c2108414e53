package crdsem_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/test/allocs"
	"github.com/crdsem/crdsem/internal/test/requests"
)

// storedText is what the patches of these tests are for. Its 1.0 is read as a
// float, and sent to the patch as an integer.
const storedText = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","namespace":"default","uid":"u","resourceVersion":"5","generation":1,` +
	`"annotations":{"app":"<x>"}},"spec":{"a":"b","replicas":1.0,"o":{}},"status":{"phase":"Ready"}}`

// docText is what a patch sees of it.
const docText = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"annotations":{"app":"\u003cx\u003e"},"generation":1,"name":"n","namespace":"default",` +
	`"resourceVersion":"5","uid":"u"},"spec":{"a":"b","o":{},"replicas":1},"status":{"phase":"Ready"}}`

// The results of patches that are carried out (PIPE-019).
func TestPatch(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		patch string // a list is a JSON patch, an object a merge patch
		want  string // how the object differs from docText, as a merge patch
		told  []string
	}{
		{"PIPE-004 integers", `{}`, `{}`, nil},
		{"PIPE-019 merge", `{"spec":{"a":"c"}}`, `{"spec":{"a":"c"}}`, nil},
		{"PIPE-019 null: the default comes back", `{"spec":{"a":null}}`, `{"spec":{"a":"d"}}`, nil},
		{"PIPE-019 null of an unknown field", `{"spec":{"zz":null,"o":{"zz":null}}}`, `{}`, nil},
		{"PIPE-019 unknown fields", `{"spec":{"zz":1},"yy":1}`, `{}`, []string{`warning: unknown field "spec.zz"`, `warning: unknown field "yy"`}},
		{"PIPE-019 kind in another case", `{"KIND":"K"}`, `{}`, []string{`warning: unknown field "KIND"`}},
		{"PIPE-019 duplicates", `{"spec":{"a":"c","a":"b"}}`, `{}`, []string{`warning: duplicate field "spec.a"`}},
		{"PIPE-019 add", `[{"op":"add","path":"/spec/a","value":"c"}]`, `{"spec":{"a":"c"}}`, nil},
		{"PIPE-019 remove", `[{"op":"remove","path":"/spec/a"}]`, `{"spec":{"a":"d"}}`, nil},
		{"PIPE-019 replace what is not there", `[{"op":"replace","path":"/metadata/annotations/b","value":"c"}]`, `{"metadata":{"annotations":{"app":"<x>","b":"c"}}}`, nil},
		{"PIPE-019 move", `[{"op":"move","from":"/metadata/annotations/app","path":"/spec/a"},{"op":"replace","path":"/spec/a","value":"e"}]`, `{"metadata":{"annotations":null},"spec":{"a":"e"}}`, nil},
		{"PIPE-019 copy", `[{"op":"copy","from":"/spec/a","path":"/metadata/annotations/b"}]`, `{"metadata":{"annotations":{"app":"<x>","b":"b"}}}`, nil},
		{"PIPE-019 test by spelling", `[{"op":"test","path":"/spec/replicas","value":1},{"op":"test","path":"/metadata/annotations/app","value":"\u003cx\u003e"}]`, `{}`, nil},
		{"PIPE-019 operations with other members", `[{"op":"test","path":"/spec/a","value":"b","x":1,"Value":2,"op":"test"}]`, `{}`,
			[]string{`warning: json patch unknown field "[0].x"`, `warning: json patch unknown field "[0].Value"`, `warning: json patch duplicate field "[0].op"`}},
		{"PIPE-017 status is not the resource's", `{"status":{"phase":"Other"}}`, `{}`, nil},
		{"PIPE-016 the same resourceVersion", `{"metadata":{"resourceVersion":"05"}}`, `{"metadata":{"resourceVersion":"05"}}`, nil},
		{"owners told twice", `{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"C","name":"c","uid":"x"},{"apiVersion":"v1","kind":"C","name":"c","uid":"x"}]}}`,
			`{"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"C","name":"c","uid":"x"}]}}`,
			[]string{"warning: .metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, " +
				"and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: x"}},
	} {
		r := requests.Version(t, "v1").
			Patch(context.Background(), []byte(tc.patch), typeOf(tc.patch),
				requests.Object(t, storedText))
		if diff := cmp.Diff(tc.told, requests.Lines(r)); !r.Admitted() || diff != "" {
			t.Errorf("%s: stage %s %s", tc.rule, r.Stage, diff)
			continue
		}
		doc := strings.Replace(docText, `"generation":1`, `"generation":2`, 1) // 1.0 became 1 (PIPE-004)
		want := mergedPlainly(requests.Object(t, doc), requests.Object(t, tc.want))
		if diff := cmp.Diff(want, r.Object); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
	}
}

func typeOf(patch string) crdsem.PatchType {
	if strings.HasPrefix(patch, "[") {
		return crdsem.JSONPatch
	}
	return crdsem.MergePatch
}

// mergedPlainly is a merge patch as its RFC defines it.
func mergedPlainly(target, patch any) any {
	fields, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	old, _ := target.(map[string]any)
	merged := map[string]any{}
	for key, value := range old {
		merged[key] = value
	}
	for key, value := range fields {
		if value == nil {
			delete(merged, key)
			continue
		}
		merged[key] = mergedPlainly(merged[key], value)
	}
	return merged
}

// Patches that are refused, in the server's words.
func TestPatchRefusals(t *testing.T) {
	const (
		json422 = "the server rejected our request due to an error in our request"
		op      = `{"op":"test","path":"/kind","value":"K"}`
	)
	invalid := func(text, detail string) *crdsem.StatusError {
		body := field.Invalid(field.NewPath("patch"), text, detail).ErrorBody()
		return &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: ` "" is invalid: patch: ` + body,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: body, Field: "patch"}}}
	}
	bad := func(message string) *crdsem.StatusError {
		return &crdsem.StatusError{Code: 400, Reason: "BadRequest", Message: message}
	}
	for _, tc := range []struct {
		rule, patch string
		patchType   crdsem.PatchType
		level       crdsem.Option
		want        *crdsem.StatusError
	}{
		{"media type", `{}`, "application/strategic-merge-patch+json", crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 415, Reason: "UnsupportedMediaType", Message: "the body of the request was in an unknown format - accepted media types include: " +
			"application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"}},
		{"no JSON", `spec: {}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("invalid JSON patch")},
		{"empty", ``, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Ignore), bad("invalid JSON patch")},
		{"merge: null", `null`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("Invalid JSON Patch")},
		{"merge: a number", `7`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}")},
		{"merge: a number, ignored", `7`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Ignore), bad("Invalid JSON Patch")},
		{"merge: a list, ignored", `[{"a":null}]`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Ignore), invalid(`[{}]`, "couldn't get version/kind; json parse error: "+
			`json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`)},
		{"merge: overflow", `{"spec":{"a":1e400}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("error decoding patch: json: cannot unmarshal number 1e400 into Go value of type float64")},
		{"merge: overflow, ignored", `{"spec":{"a":1e400}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Ignore), invalid(strings.Replace(docText, `"a":"b"`, `"a":1e400`, 1), "json: cannot unmarshal number 1e400 into Go value of type float64")},
		{"JSON patch: an object", `{}`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), bad("error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp")},
		{"JSON patch: an object, ignored", `{}`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Ignore), bad("json: cannot unmarshal object into Go value of type jsonpatch.Patch")},
		{"JSON patch: no operation", `[1]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), bad("error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp")},
		{"JSON patch: no operation, ignored", `[1]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Ignore), bad("json: cannot unmarshal number into Go value of type jsonpatch.Operation")},
		{"JSON patch: a path of another type", `[{"op":"remove","path":1}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), bad("error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string")},
		{"JSON patch: a path of another type, ignored", `[{"op":"remove","path":1}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Ignore), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: json422}},
		{"JSON patch: a test fails", `[{"op":"test","path":"/spec/replicas","value":1.0}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: json422}},
		{"JSON patch: a missing path", `[{"op":"remove","path":"/spec/zz"}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Strict), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: json422}},
		{"JSON patch: 10,001 operations", `[` + strings.Repeat(op+",", 10000) + op + `]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn),
			&crdsem.StatusError{Code: 413, Reason: "RequestEntityTooLarge", Message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001"}},
		{"JSON patch: a panic", `[{"op":"replace","path":""}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 500, Reason: "InternalError", Message: "This request caused apiserver to panic. Look in the logs for details."}},
		{"PIPE-019 strict", `{"spec":{"zz":1,"a":"b","a":"b"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Strict),
			invalid(strings.Replace(docText, `"replicas":1`, `"replicas":1,"zz":1`, 1), `strict decoding error: duplicate field "spec.a", unknown field "spec.zz"`)},
		{"PIPE-019 strict JSON patch", `[{"op":"add","path":"/spec/o","value":{"b":1,"b":2},"x":1}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Strict),
			invalid(strings.Replace(docText, `"o":{}`, `"o":{"b":1,"b":2}`, 1), `strict decoding error: json patch duplicate field "[0].value.b", json patch unknown field "[0].x", duplicate field "spec.o.b", unknown field "spec.o.b"`)},
		{"META-006", `{"metadata":{"name":5}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Ignore),
			invalid(strings.Replace(docText, `"name":"n"`, `"name":5`, 1), "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string")},
		{"PIPE-010 no kind", `{"kind":null,"spec":null,"status":null,"metadata":null}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn),
			invalid(`{"apiVersion":"g.io/v1"}`, `Object 'Kind' is missing in '{"apiVersion":"g.io/v1"}'`)},
		{"no apiVersion", `{"apiVersion":null}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 500, Reason: "InternalError",
			Message: "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'", Causes: []crdsem.Cause{{Message: "Object 'apiVersion' is missing in 'object has no apiVersion field'"}}}},
		{"META-020 another group", `{"apiVersion":"v1"}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: `K "n" is invalid: apiVersion: Invalid value: "v1": must be g.io/v1`,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: `Invalid value: "v1": must be g.io/v1`, Field: "apiVersion"}}}},
		{"META-020 another kind", `{"kind":"L"}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: `L.g.io "n" is invalid: kind: Invalid value: "L": must be K`,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: `Invalid value: "L": must be K`, Field: "kind"}}}},
		{"META-032 uid", `{"metadata":{"uid":"other"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 422, Reason: "Invalid", Message: `K.g.io "n" is invalid: metadata.uid: Invalid value: "other": field is immutable`,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: `Invalid value: "other": field is immutable`, Field: "metadata.uid"}}}},
		{"name", `{"metadata":{"name":"m"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("the name of the object (m) does not match the name on the URL (n)")},
		{"no name", `[{"op":"remove","path":"/metadata/name"}]`, crdsem.JSONPatch, crdsem.FieldValidation(crdsem.Warn), bad("the name of the object (n based on URL) was undeterminable: name must be provided")},
		{"namespace", `{"metadata":{"namespace":"m"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), bad("the namespace of the provided object does not match the namespace sent on the request")},
		{"PIPE-016 another resourceVersion", `{"metadata":{"resourceVersion":"4"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 409, Reason: "Conflict",
			Message: `Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`}},
		{"PIPE-016 no resourceVersion", `{"metadata":{"resourceVersion":null}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 422, Reason: "Invalid",
			Message: `ks.g.io "n" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
			Causes:  []crdsem.Cause{{Reason: "FieldValueInvalid", Message: `Invalid value: 0: must be specified for an update`, Field: "metadata.resourceVersion"}}}},
		{"PIPE-016 a resourceVersion that is none", `{"metadata":{"resourceVersion":"x"}}`, crdsem.MergePatch, crdsem.FieldValidation(crdsem.Warn), &crdsem.StatusError{Code: 500, Message: `strconv.ParseUint: parsing "x": invalid syntax`}},
	} {
		r := requests.Version(t, "v1").
			Patch(context.Background(), []byte(tc.patch), tc.patchType,
				requests.Object(t, storedText), tc.level)
		if diff := cmp.Diff(tc.want, statusOf(r)); diff != "" {
			t.Errorf("%s: %s", tc.rule, diff)
		}
	}
}

// What the server does not tell of a failed operation, the error does.
func TestPatchReason(t *testing.T) {
	r := requests.Version(t, "v1").Patch(context.Background(), []byte(`[{"op":"add","path":"/spec/a","value":"c"},{"op":"test","path":"/spec/a","value":"b"}]`), crdsem.JSONPatch, requests.Object(t, storedText))
	var refused *crdsem.StatusError
	const want = `operation 1 (test "/spec/a"): the value is another`
	if !errors.As(r.Err(), &refused) || fmt.Sprint(refused.Err) != want {
		t.Errorf("%v: %v, want %s", r.Err(), refused, want)
	}
}

// A patch of the status changes the status alone (PIPE-030); where there is no
// such subresource, there is nothing to patch.
func TestPatchStatus(t *testing.T) {
	ctx := context.Background()
	stored := requests.Object(t, docText)
	r := requests.Version(t, "v1").PatchStatus(ctx, []byte(`{"spec":{"a":"c"},"metadata":{"annotations":null},"status":{"phase":null,"replicas":3,"zz":1}}`), crdsem.MergePatch, stored)
	want := requests.Object(t, docText)
	want["status"] = map[string]any{"replicas": int64(3)}
	if diff := cmp.Diff(want, r.Object); !r.Admitted() || diff != "" {
		t.Errorf("%q: %s", requests.Lines(r), diff)
	}
	if diff := cmp.Diff([]string{`warning: unknown field "status.zz"`}, requests.Lines(r)); diff != "" {
		t.Error(diff)
	}
	r = requests.Version(t, "v1").PatchStatus(ctx, []byte(`[{"op":"replace","path":"/status/replicas","value":-1}]`), crdsem.JSONPatch, stored)
	if diff := cmp.Diff([]string{`error: .status.replicas: Invalid value: -1: should be a non-negative integer`}, requests.Lines(r)); diff != "" {
		t.Error(diff)
	}
	r = requests.Version(t, "v1").PatchStatus(ctx, []byte(`{"kind":"L","status":{"replicas":-1}}`), crdsem.MergePatch, stored)
	if f := statusOf(r); f == nil || f.Message != `L.g.io "n" is invalid: .status.replicas: Invalid value: -1: should be a non-negative integer` {
		t.Errorf("by another kind: %+v", f)
	}
	r = requests.Version(t, "v1beta1").PatchStatus(ctx, []byte(`{}`), crdsem.MergePatch, stored)
	if f := statusOf(r); f == nil || f.Code != 404 {
		t.Errorf("without the subresource: %+v", f)
	}
}

// A stored object is patched in the version of the request, and need have
// neither namespace nor resourceVersion. It is never changed.
func TestPatchStored(t *testing.T) {
	ctx := context.Background()
	const text = `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","managedFields":[{"manager":"m","operation":"Update"}]},"spec":{"zz":1}}`
	stored := requests.Object(t, text)
	r := requests.Version(t, "v1beta1").Patch(ctx, []byte(`[{"op":"test","path":"/metadata/managedFields/0/manager","value":"m"},{"op":"test","path":"/spec","value":{"a":"d"}},{"op":"add","path":"/spec/b","value":"x"}]`), crdsem.JSONPatch, stored)
	want := requests.Object(t, `{"apiVersion":"g.io/v1beta1","kind":"K","metadata":{"name":"n","namespace":"default","generation":2},"spec":{"a":"d","b":"x"}}`)
	if diff := cmp.Diff(want, r.Object); !r.Admitted() || diff != "" {
		t.Errorf("%q: %s", requests.Lines(r), diff)
	}
	if diff := cmp.Diff(requests.Object(t, text), stored); diff != "" {
		t.Errorf("the stored object was changed: %s", diff)
	}
	for name, stored := range map[string]map[string]any{
		"nothing stored": nil,
		"no JSON":        {"a": 1},
	} {
		r := requests.Version(t, "v1").Patch(ctx, []byte(`{}`), crdsem.MergePatch, stored)
		if r.Stage != crdsem.StageDecode || r.Err() == nil || statusOf(r) != nil {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// What a patch costs grows with the object and the patch, no faster.
func TestPatchAllocations(t *testing.T) {
	v := requests.Version(t, "v1")
	send := func(size int, patch string) func() {
		stored := requests.Object(t, docText)
		annotations := map[string]any{}
		for i := range size {
			annotations[fmt.Sprint("a", i)] = "x"
		}
		stored["metadata"].(map[string]any)["annotations"] = annotations
		return func() {
			r := v.Patch(context.Background(), []byte(patch), typeOf(patch), stored)
			if !r.Admitted() {
				t.Fatal(requests.Lines(r))
			}
		}
	}
	for _, patch := range []string{`{"metadata":{"annotations":{"b":"x"}}}`, `[{"op":"add","path":"/metadata/annotations/b","value":"x"}]`} {
		const forEach = 20 // annotation more
		allocs.AtMost(t, allocs.Of(send(100, patch))+900*forEach, patch, send(1000, patch))
	}
}

// FuzzPatch sends any patch. The answer is the same each time, fields are
// validated or ignored with the same outcome, and a merge patch is an update
// with the result of its RFC.
func FuzzPatch(f *testing.F) {
	v := requests.Version(f, "v1")
	for _, seed := range []string{
		`{"spec":{"a":null,"zz":1}}`, `{"metadata":{"annotations":{"a":null},"resourceVersion":"4"}}`, `{"spec":{"a":"x","a":1.0}}`, `[null]`, `null`, `{"kind":"L","apiVersion":"v1"}`,
		`[{"op":"add","path":"/spec/o","value":null},{"op":"copy","from":"/spec/o","path":"/b"},{"op":"add","path":"/b/c","value":1}]`,
		`[{"op":"test","path":"","value":{}},{"op":"replace","path":""}]`, `[{"op":"move","from":"/spec","path":"/metadata/annotations"}]`,
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, patch []byte, merge bool) {
		ctx, patchType := context.Background(), crdsem.JSONPatch
		if merge {
			patchType = crdsem.MergePatch
		}
		stored := requests.Object(t, storedText)
		warned, again := v.Patch(ctx, patch, patchType, stored), v.Patch(
			ctx,
			patch,
			patchType,
			stored,
		)
		if diff := cmp.Diff(requests.Lines(warned), requests.Lines(again)); diff != "" {
			t.Errorf("two answers: %s", diff)
		}
		if diff := cmp.Diff(requests.Object(t, storedText), stored); diff != "" {
			t.Errorf("the stored object was changed: %s", diff)
		}
		ignored := v.Patch(ctx, patch, patchType, stored, crdsem.FieldValidation(crdsem.Ignore))
		if warned.Stage != crdsem.StageDecode ||
			ignored.Stage != crdsem.StageDecode && len(warned.Warnings) > 0 {
			if diff := cmp.Diff(warned.Object, ignored.Object); diff != "" {
				t.Errorf("the object is another where fields are ignored: %s", diff)
			}
		}
		if merge {
			comparePlainMerge(t, v, patch, ignored)
		}
	})
}

// comparePlainMerge compares a merge patch with an update to the result of the
// RFC.
func comparePlainMerge(t *testing.T, v *crdsem.Version, patch []byte, got *crdsem.Result) {
	t.Helper()
	doc := requests.Object(t, docText)
	value, _, err := jsonvalue.DecodeJSON(patch)
	change, ok := value.(map[string]any)
	if err != nil || !ok {
		return // no merge patch
	}
	body, err := json.Marshal(mergedPlainly(doc, change))
	if err != nil {
		t.Fatal(err)
	}
	want := v.UpdateBytes(context.Background(), body, requests.Object(t, storedText),
		crdsem.Format(crdsem.JSON),
		crdsem.FieldValidation(crdsem.Ignore), crdsem.Concurrency(crdsem.RequireResourceVersion))
	if !want.Admitted() || !got.Admitted() {
		if want.Admitted() != got.Admitted() {
			t.Errorf("the patch ends in %s %q, the update in %s %q", got.Stage, requests.Lines(got),
				want.Stage, requests.Lines(want))
		}
		return
	}
	if diff := cmp.Diff(want.Object, got.Object); diff != "" {
		t.Errorf("the patch makes another object than the update: %s", diff)
	}
}

// The text of an object is patched with the errors of a server.
func TestApplyText(t *testing.T) {
	for _, c := range []struct {
		of            crdsem.PatchType
		patch         string
		level         crdsem.Strictness
		want, problem string
	}{
		{crdsem.MergePatch, `{"a":null,"c":1}`, crdsem.Warn, `{"b":2,"c":1}[]`, ""},
		{crdsem.MergePatch, `{"c":1,"c":2}`, crdsem.Warn, `{"a":1,"b":2,"c":2}[duplicate field "c"]`, ""},
		{crdsem.MergePatch, `{"c":1,"c":2}`, crdsem.Ignore, `{"a":1,"b":2,"c":2}[]`, ""},
		{crdsem.MergePatch, `[1]`, crdsem.Warn, "[]", "error decoding patch: json: cannot unmarshal array"},
		{crdsem.MergePatch, `{`, crdsem.Warn, "[]", "invalid JSON patch"},
		{crdsem.JSONPatch, `[{"op":"replace","path":"/a","value":[]}]`, crdsem.Warn, `{"a":[],"b":2}[]`, ""},
		{crdsem.JSONPatch, `[{"op":"remove","path":"/x"}]`, crdsem.Warn, "[]",
			"the server rejected our request due to an error in our request"},
		{"text/plain", `{}`, crdsem.Warn, "[]", "the body of the request was in an unknown format"},
	} {
		text, strict, err := c.of.ApplyText(t.Context(), []byte(`{"a":1,"b":2}`), []byte(c.patch), c.level)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		if got := fmt.Sprintf("%s%v", text, strict); got != c.want ||
			!strings.HasPrefix(problem, c.problem) || c.problem == "" && problem != "" {
			t.Errorf("%s %s: %s, %s", c.of, c.patch, got, problem)
		}
	}
}
