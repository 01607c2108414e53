package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/requests"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// statusOf returns the server's answer in a result without what only this
// library says, or nil.
func statusOf(r *crdsem.Result) *crdsem.StatusError {
	status, ok := errors.AsType[*crdsem.StatusError](r.Err())
	if !ok {
		return nil
	}
	return &crdsem.StatusError{
		Code:    status.Code,
		Reason:  status.Reason,
		Message: status.Message,
		Causes:  status.Causes,
	}
}

// The details of an answer name the object: its kind, or the resource.
func TestStatusErrorDetails(t *testing.T) {
	v, ctx := requests.Version(t, "v1"), context.Background()
	old := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{}}`)
	stale := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"4"},"spec":{}}`)
	for name, tc := range map[string]struct {
		result *crdsem.Result
		want   [3]string
	}{
		"invalid": {v.CreateBytes(ctx, []byte(`{`+requests.Head+`,"spec":{"replicas":200}}`)), [3]string{"n", "g.io", "K"}},
		"no resourceVersion": {v.Update(ctx, requests.Object(t, `{`+requests.Head+`,"spec":{}}`), old, crdsem.Concurrency(crdsem.RequireResourceVersion)),
			[3]string{"n", "g.io", "ks"}},
		"conflict":    {v.Update(ctx, stale, old, crdsem.Concurrency(crdsem.RequireResourceVersion)), [3]string{"n", "g.io", "ks"}},
		"bad request": {v.CreateBytes(ctx, []byte(`{"apiVersion":"g.io/v2","kind":"K"}`)), [3]string{}},
	} {
		status, ok := errors.AsType[*crdsem.StatusError](tc.result.Err())
		if !ok {
			t.Errorf("%s: %v", name, tc.result.Err())
			continue
		}
		if got := [3]string{status.Name, status.Group, status.Kind}; got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// The answer to a refused request (PIPE-015).
func TestStatusError(t *testing.T) {
	v := requests.Version(t, "v1")
	ctx := context.Background()
	old := requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"5"},"spec":{}}`)
	const blocked = "some validation rules were not checked because the object was invalid; " +
		"correct the existing errors to complete validation"
	for name, tc := range map[string]struct {
		result *crdsem.Result
		want   *crdsem.StatusError
	}{
		"admitted": {v.CreateBytes(ctx, []byte(`{`+requests.Head+`,"spec":{}}`)), nil},
		"one error": {v.CreateBytes(ctx, []byte(`{`+requests.Head+`,"spec":{"replicas":200}}`)), &crdsem.StatusError{
			Code: 422, Reason: "Invalid", Message: `K.g.io "n" is invalid: spec: Invalid value: failed rule: !has(self.replicas) || self.replicas < 100`,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: "Invalid value: failed rule: !has(self.replicas) || self.replicas < 100", Field: "spec"}},
		}},
		"two errors": {v.CreateBytes(ctx, []byte(`{`+requests.Head+`,"spec":{"a":"long"}}`)), &crdsem.StatusError{
			Code: 422, Reason: "Invalid", Message: `K.g.io "n" is invalid: [spec.a: Too long: may not be more than 3 bytes, <nil>: Invalid value: null: ` + blocked + `]`,
			Causes: []crdsem.Cause{
				{Reason: "FieldValueTooLong", Message: "Too long: may not be more than 3 bytes", Field: "spec.a"},
				{Reason: "FieldValueInvalid", Message: "Invalid value: null: " + blocked, Field: "<nil>"},
			},
		}},
		"bad request": {v.CreateBytes(ctx, []byte(`{"apiVersion":"g.io/v2","kind":"K"}`)), &crdsem.StatusError{
			Code: 400, Reason: "BadRequest", Message: "the API version in the data (g.io/v2) does not match the expected API version (g.io/v1)"}},
		"no resourceVersion": {v.Update(ctx, requests.Object(t, `{`+requests.Head+`,"spec":{}}`), old, crdsem.Concurrency(crdsem.RequireResourceVersion)), &crdsem.StatusError{
			Code: 422, Reason: "Invalid", Message: `ks.g.io "n" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
			Causes: []crdsem.Cause{{Reason: "FieldValueInvalid", Message: "Invalid value: 0: must be specified for an update", Field: "metadata.resourceVersion"}},
		}},
		"conflict": {v.Update(ctx, requests.Object(t, `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n","resourceVersion":"4"},"spec":{}}`), old, crdsem.Concurrency(crdsem.RequireResourceVersion)), &crdsem.StatusError{
			Code: 409, Reason: "Conflict", Message: `Operation cannot be fulfilled on ks.g.io "n": the object has been modified; please apply your changes to the latest version and try again`}},
		"not JSON": {v.Create(ctx, map[string]any{"a": 1}), nil},
	} {
		if diff := cmp.Diff(tc.want, statusOf(tc.result)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Texts of errors end at 32 MiB, which is said once.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("x", 17<<20)
	var r crdsem.Result
	for _, name := range []string{"a", "b", "c", "d"} {
		r.Errors = append(r.Errors, field.Invalid(field.NewPath(name), long, "long"))
	}
	r.Stage = crdsem.StageInvalid
	status, ok := errors.AsType[*crdsem.StatusError](r.Err())
	if !ok {
		t.Fatal(r.Err())
	}
	body, omitted := `Invalid value: "`+long+`": long`, "(not shown: the errors are longer than 32 MiB)"
	if want := ` "" is invalid: [a: ` + body + ", b: " + body + ", " + omitted + "]"; status.Message != want {
		t.Errorf("%d bytes, want %d", len(status.Message), len(want))
	}
	for i, want := range []string{body, body, omitted, omitted} {
		if got := status.Causes[i].Message; got != want {
			t.Errorf("cause %d has %d bytes", i, len(got))
		}
	}
}

// Findings are the errors and then the ratcheted ones, each with its rule.
func TestFindings(t *testing.T) {
	finding := func(rule string) *field.Error {
		return field.Required(field.NewPath(rule), "").WithOrigin(rule)
	}
	r := crdsem.Result{
		Errors:    field.ErrorList{finding("A"), finding("B")},
		Ratcheted: field.ErrorList{finding("C"), finding("D")},
	}
	var got []string
	for _, f := range r.Findings() {
		got = append(got, fmt.Sprint(f.Rule, " ", f.Field, " ", f.Ratcheted))
	}
	want := []string{"A A false", "B B false", "C C true", "D D true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if none := new(crdsem.Result).Findings(); none != nil {
		t.Errorf("a result without errors has %v", none)
	}
}

// refusal is the answer of a case of a refused request.
type refusal struct {
	Code    int64  `json:"code"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
	Causes  []struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
		Field   string `json:"field"`
	} `json:"causes"`
}

// Requests are refused in the server's words, with its causes in its order
// (PIPE-011, PIPE-015, PIPE-018).
func TestRefusedRequests(t *testing.T) {
	type input struct {
		objectInput
		FieldValidation string `json:"fieldValidation"`
	}
	for _, c := range vectors.Cases[input, refusal](t, "refusal") {
		version := vectorVersion(t, c.Input.CRD, c.Input.Version)
		doc, format := c.Input.Object.Document()
		result := version.Do(context.Background(), crdsem.Request{
			Subresource: crdsem.Subresource(c.Input.Subresource), Body: doc,
			Old:             vectors.Object(t, c.Input.Old),
			FieldValidation: crdsem.Strictness(c.Input.FieldValidation),
			Format:          crdsem.Encoding(format),
		})
		var got refusal
		if f, ok := errors.AsType[*crdsem.StatusError](result.Err()); ok {
			got.Code, got.Reason, got.Message = int64(f.Code), f.Reason, f.Message
			for _, cause := range f.Causes {
				got.Causes = append(got.Causes, struct {
					Reason  string `json:"reason"`
					Message string `json:"message"`
					Field   string `json:"field"`
				}(cause))
			}
		}
		isOther := slices.ContainsFunc(c.Or,
			func(other refusal) bool { return cmp.Equal(other, got) })
		if diff := cmp.Diff(c.Want, got); diff != "" && !isOther {
			t.Errorf("%s %s: %s", c.ID, c.Rule, diff)
		}
	}
}

// The texts of a refusal are bounded, however many findings show a long value.
func TestTextsAreBounded(t *testing.T) {
	const most = 80 << 20
	v := requests.GrowingVersion(t, `"f":{"type":"string","allOf":[`+requests.Manyf(300, `{"pattern":"^b#"}`)+`]}`)
	body := `{"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"},"spec":{"f":"` +
		strings.Repeat("a", 300_000) + `"}}`
	refusal, _ := errors.AsType[*crdsem.StatusError](v.CreateBytes(t.Context(), []byte(body)).Err())
	size := len(refusal.Message)
	for _, c := range refusal.Causes {
		size += len(c.Message)
	}
	if len(refusal.Causes) != 301 || size > most {
		t.Errorf("%d causes, %d bytes, want 301 and at most %d", len(refusal.Causes), size, most)
	}
	if !strings.HasSuffix(refusal.Message, "(not shown: the errors are longer than 32 MiB)]") {
		t.Errorf("%q", refusal.Message[len(refusal.Message)-100:])
	}
}
