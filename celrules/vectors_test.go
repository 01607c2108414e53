package celrules_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/conformance/vectors"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/protocol"
	"github.com/crdsem/crdsem/structural"
)

func schemaOf(t testing.TB, v *vectors.Vector) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse(vectors.JSON(t, v.Req.Schema))
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	return schema
}

func texts(list field.ErrorList) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = string(e.Type) + " " + e.Error()
	}
	return out
}

// Rules are evaluated as the vectors say, to the cost, and inputs are left alone.
func TestVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpCEL) {
		var choices []celrules.Option
		if v.Req.PerCallLimit != nil {
			choices = append(choices, celrules.WithPerCallLimit(uint64(*v.Req.PerCallLimit)))
		}
		var perRun []celrules.ValidateOption
		if v.Req.Budget != nil {
			perRun = append(perRun, celrules.WithBudget(*v.Req.Budget))
		}
		object, old := vectors.Value(t, v.Req.Object), vectors.Value(t, v.Req.Old)
		found := celrules.Compile(schemaOf(t, &v), choices...).Validate(context.Background(), object, old, perRun...)
		result := protocol.Evaluated{Errors: protocol.FieldErrors(found.Errors)}
		for _, e := range found.Ratcheted {
			result.Warnings = append(result.Warnings, e.Error())
		}
		if !found.OutOfBudget {
			result.Cost = &found.Cost
		}
		v.Check(t, result)
		if !jsonvalue.Equal(object, vectors.Value(t, v.Req.Object)) || !jsonvalue.Equal(old, vectors.Value(t, v.Req.Old)) {
			t.Errorf("%s: an input was changed", v.ID)
		}
	}
}

// A context that was cancelled ends evaluation as the cases say (CEL-097).
func TestCancelled(t *testing.T) {
	type input struct {
		Schema protocol.Input `json:"schema"`
		Object protocol.Input `json:"object"`
	}
	type answer struct {
		Errors []protocol.FieldError `json:"errors"`
		Cost   int64                 `json:"cost"`
	}
	for _, c := range vectors.Cases[input, answer](t, "cancelled") {
		schema := mustParse(t, string(vectors.JSON(t, c.Input.Schema)))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		found := celrules.Compile(schema).Validate(ctx, vectors.Value(t, c.Input.Object), nil)
		vectors.CheckErrors(t, c.ID, c.Want.Errors, found.Errors)
		if found.Cost != c.Want.Cost {
			t.Errorf("%s: cost %d, want %d", c.ID, found.Cost, c.Want.Cost)
		}
	}
}

// Rules are estimated as the vectors say (COST rules).
func TestCostVectors(t *testing.T) {
	for _, v := range vectors.Eval(t, protocol.OpCost) {
		var result protocol.Costs
		for _, c := range celrules.Costs(schemaOf(t, &v)) {
			result.Rules = append(result.Rules, protocol.CostRule{
				Path: c.Path, Index: c.Index, Rule: c.Rule, MaxCost: c.MaxCost, Cardinality: c.Cardinality, Total: c.Total,
				MessageCost: c.MessageCost, UsesOldSelf: c.UsesOldSelf, Errors: protocol.FieldErrors(c.Errors),
			})
		}
		v.Check(t, result)
	}
}

// onlySchema returns the schema of a definition of one version, nil for any other definition and for one that does not convert.
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

// check is Check as it is called on a create, or on an update of a definition.
func check(t *testing.T, v *vectors.Vector, schema *structural.Schema) field.ErrorList {
	t.Helper()
	root := field.NewPath("spec", "validation", "openAPIV3Schema")
	if !v.Req.Old.Given() {
		return celrules.Check(schema, root)
	}
	old, _ := v.Req.Old.Document()
	stored := func(text string) bool {
		quoted, err := json.Marshal(text)
		return err == nil && strings.Contains(string(old), string(quoted))
	}
	choices := []celrules.CheckOption{celrules.WithStored(stored, stored)}
	if structural.Equal(schema, onlySchema(v.Req.Old)) {
		choices = append(choices, celrules.WithoutRuleLimit())
	}
	return celrules.Check(schema, root, choices...)
}

// ofRules tells whether an error of a definition is one of this package.
func ofRules(e protocol.FieldError) bool {
	if e.Detail == "must be empty to be structural" {
		return false
	}
	return strings.Contains(e.Field, ".x-kubernetes-validations") || strings.HasPrefix(e.Detail, "x-kubernetes-validations estimated rule cost total")
}

// Rules of definitions are accepted and refused as the vectors say.
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
		vectors.CheckErrors(t, v.ID, want, check(t, &v, schema))
	}
	if accepted < 845 || refused < 240 {
		t.Errorf("%d definitions were accepted, %d refused", accepted, refused)
	}
}
