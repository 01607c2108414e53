package check_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/test/vectors"
	"github.com/crdsem/crdsem/structural"
)

// Rules have the costs of the vectors.
func TestCostVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpCost) {
		var result protocol.Costs
		costs, err := check.Costs(t.Context(), schemaOf(t, &v))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range costs {
			result.Rules = append(result.Rules, protocol.CostRule{
				Path: c.Path, Index: c.Index, Rule: c.Rule,
				MaxCost: c.MaxCost, Cardinality: c.Cardinality, Total: c.Total,
				MessageCost: c.MessageCost, UsesOldSelf: c.UsesOldSelf,
				Errors: protocol.FieldErrors(c.Errors),
			})
		}
		v.Check(t, result)
	}
}

// Costs ends with its context, after the rule that it is at.
func TestCostsEndWithTheirContext(t *testing.T) {
	schema, err := structural.Parse([]byte(`{"type":"object","x-kubernetes-validations":[` +
		`{"rule":"true"},{"rule":"false"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancelCause(t.Context())
	reason := errors.New("the editor was closed")
	end(reason)
	costs, err := check.Costs(ended, schema)
	if !errors.Is(err, reason) || len(costs) != 0 {
		t.Errorf("%d costs, error %v", len(costs), err)
	}
	if costs, err = check.Costs(t.Context(), schema); err != nil || len(costs) != 2 {
		t.Errorf("without an end: %d costs, error %v", len(costs), err)
	}
}

// onlySchema returns the schema of a definition with one version. It returns
// nil for other definitions and for a schema that is not structural.
func onlySchema(crd protocol.Input) *structural.Schema {
	doc, _ := crd.Document()
	object, _, err := jsonvalue.DecodeObject(doc)
	if err != nil {
		return nil
	}
	spec, _ := object["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	if len(versions) != 1 {
		return nil
	}
	version, _ := versions[0].(map[string]any)
	holder, _ := version["schema"].(map[string]any)
	text, _ := holder["openAPIV3Schema"].(map[string]any)
	if schema, err := structural.FromMap(text); err == nil && text != nil {
		return schema
	}
	return nil
}

// checked checks the rules of a vector, as on a create or update of a
// definition.
func checked(t *testing.T, v *vectors.Vector, schema *structural.Schema) field.ErrorList {
	t.Helper()
	root := field.NewPath("spec", "validation", "openAPIV3Schema")
	if !v.Req.Old.Given() {
		return check.Validate(t.Context(), schema, root)
	}
	old, _ := v.Req.Old.Document()
	stored := func(text string) bool {
		quoted, err := json.Marshal(text)
		return err == nil && strings.Contains(string(old), string(quoted))
	}
	isUnchanged := structural.Equal(schema, onlySchema(v.Req.Old))
	choose := func(o *ruleoptions.Compile) {
		o.StoredRule, o.StoredMessage, o.NoRuleLimit = stored, stored, isUnchanged
	}
	return check.Validate(t.Context(), schema, root, ruleoptions.ForCompile(choose))
}

// ofRules reports whether an error of a definition is about rules.
func ofRules(e protocol.FieldError) bool {
	if e.Detail == "must be empty to be structural" {
		return false
	}
	return strings.Contains(e.Field, ".x-kubernetes-validations") ||
		strings.HasPrefix(e.Detail, "x-kubernetes-validations estimated rule cost total")
}

// Rules of definitions are accepted or rejected as in the vectors.
func TestCheckVectors(t *testing.T) {
	accepted, refused := 0, 0
	for _, v := range vectors.Eval(t, protocol.OpCRD) {
		schema := onlySchema(v.Req.CRD)
		if schema == nil || !schema.HasRules() || len(v.Or) > 0 {
			continue
		}
		want := v.Wanted(t).Errors
		if slices.ContainsFunc(want, func(e protocol.FieldError) bool { return !ofRules(e) }) {
			continue // rules are left out where the schema has other errors
		}
		if len(want) == 0 {
			accepted++
		} else {
			refused++
		}
		vectors.CheckErrors(t, v.ID, want, checked(t, &v, schema))
	}
	if accepted < 845 || refused < 240 {
		t.Errorf("%d definitions were accepted, %d refused", accepted, refused)
	}
}

func schemaOf(t testing.TB, v *vectors.Vector) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse(vectors.JSON(t, v.Req.Schema))
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	return schema
}
