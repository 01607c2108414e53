package advice_test

import (
	"context"
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/app/evaluator/whole"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// nothingToSay lists the rules whose errors have no hint, and why.
var nothingToSay = map[string]string{
	"PIPE-012": "says that rules were not checked because of other errors, which have hints",
}

// request has the members of requests that hints are made from.
type request struct {
	Schema json.RawMessage
	CRD    json.RawMessage
	Object map[string]any
	Old    map[string]any

	Version string
}

// Every error of every vector that names its rule has a hint.
func TestEveryErrorHasAHint(t *testing.T) {
	handle := whole.New()
	lacking := map[string]string{}
	hinted := map[string]bool{}
	for _, v := range vectors.Eval(t) {
		if v.Req.Op == "convert" {
			continue
		}
		result, err := handle(context.Background(), v.Req)
		if err != nil || result == nil {
			continue
		}
		for _, e := range errorsOf(t, result) {
			if e.Rule == "" || nothingToSay[e.Rule] != "" {
				continue
			}
			hint := hintOf(v.Request, e)
			if hint == "" {
				lacking[e.Rule] = v.ID + ": " + e.Text
			}
			hinted[e.Rule] = true
		}
	}
	for rule, example := range lacking {
		t.Errorf("%s has no hint, e.g. %s", rule, example)
	}
	t.Logf("%d rules have hints", len(hinted)-len(lacking))
}

// hintOf returns the hint on an error in the answer to a request.
func hintOf(text json.RawMessage, e protocol.FieldError) string {
	var r request
	_ = json.Unmarshal(text, &r) // members of another kind stay empty
	err := &field.Error{
		Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail, Origin: e.Rule,
	}
	if r.Object == nil {
		return definitionOf(r).Hint(context.Background(), err)
	}
	schema, _ := structural.Parse(schemaOf(r)) // nil if the vector has none
	object := &advice.Object{Schema: schema, Object: r.Object, Old: r.Old}
	return object.Hint(context.Background(), err)
}

// schemaOf returns the schema of a request, or that of its version.
func schemaOf(r request) json.RawMessage {
	if len(r.Schema) > 0 {
		return r.Schema
	}
	var crd struct {
		Spec struct {
			Versions []struct {
				Name   string
				Schema struct{ OpenAPIV3Schema json.RawMessage }
			}
		}
	}
	_ = json.Unmarshal(r.CRD, &crd)
	for _, v := range crd.Spec.Versions {
		if v.Name == r.Version || r.Version == "" {
			return v.Schema.OpenAPIV3Schema
		}
	}
	return nil
}

// definitionOf returns the definition of a request. A schema becomes that of
// its only version.
func definitionOf(r request) *advice.Definition {
	data := []byte(r.CRD)
	if text := ""; json.Unmarshal(data, &text) == nil {
		data = []byte(text)
	}
	value, _, _ := yamljson.Decode(data)
	document, _ := value.(map[string]any)
	if document == nil && len(r.Schema) > 0 {
		var schema any
		_ = json.Unmarshal(r.Schema, &schema)
		document = map[string]any{"openAPIV3Schema": schema}
	}
	return &advice.Definition{Document: document}
}

// errorsOf returns the errors in an answer, those of its rules included.
func errorsOf(t *testing.T, result protocol.Result) []protocol.FieldError {
	t.Helper()
	text := (&protocol.Answer{Result: result}).AppendJSON(nil)
	var answer struct {
		Errors []protocol.FieldError
		Rules  json.RawMessage
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	var rules []struct{ Errors []protocol.FieldError }
	_ = json.Unmarshal(answer.Rules, &rules) // a string in the answers of admit
	for _, r := range rules {
		answer.Errors = append(answer.Errors, r.Errors...)
	}
	return answer.Errors
}
