package crdsem_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

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
		options := []crdsem.Option{
			crdsem.FieldValidation(crdsem.Strictness(c.Input.FieldValidation)),
			crdsem.Format(crdsem.Encoding(format)),
		}
		result := version.Do(context.Background(), crdsem.Request{
			Subresource: crdsem.Subresource(c.Input.Subresource), Body: doc,
			Old: vectors.Object(t, c.Input.Old),
		}, options...)
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
