package environment_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/internal/test/vectors"
)

// expression is a rule of the vectors that stands alone: it is at the root and
// does not look at the object.
type expression struct {
	id, rule  string
	evaluated vectors.Answer
	estimated protocol.CostRule
}

// expressions returns the expressions that vectors both evaluate and estimate.
func expressions(t *testing.T) []expression {
	t.Helper()
	estimates := map[string]protocol.CostRule{}
	for _, v := range vectors.Eval(t, protocol.OpCost) {
		if rules := v.Wanted(t).Rules; len(rules) == 1 {
			estimates[string(vectors.JSON(t, v.Req.Schema))] = rules[0]
		}
	}
	var out []expression
	for _, v := range vectors.Eval(t, protocol.OpCEL) {
		schema := vectors.JSON(t, v.Req.Schema)
		estimate, ok := estimates[string(schema)]
		if ok && v.Req.PerCallLimit == nil && standsAlone(t, schema, estimate.Rule) {
			out = append(out, expression{v.ID, estimate.Rule, v.Wanted(t), estimate})
		}
	}
	return out
}

func standsAlone(t *testing.T, schema []byte, rule string) bool {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(schema, &members); err != nil {
		t.Fatal(err)
	}
	_, properties := members["properties"]
	return !properties && !strings.Contains(rule, "self") && strings.TrimSpace(rule) != "" &&
		!strings.Contains(string(members["x-kubernetes-validations"]), "message")
}

// rootSizes gives every identifier the size of the object that the vectors'
// rules are on: a schema takes any variable for the object (COST-011), and
// objects have size 0.
type rootSizes struct{}

// EstimateSize returns 0 for identifiers; the object has no fields.
func (rootSizes) EstimateSize(node celcost.AstNode) *celcost.SizeEstimate {
	if len(node.Path()) != 1 {
		return nil
	}
	return &celcost.SizeEstimate{}
}

// TestVectors runs the CEL vectors that are bare expressions. It compares
// whether they compile, their estimates, their costs and their errors.
func TestVectors(t *testing.T) {
	bare, err := base(t, library.StoredExpressions).Scope(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := expressions(t)
	for _, e := range all {
		t.Run(e.id, func(t *testing.T) { e.check(t, bare) })
	}
	if len(all) < 100 {
		t.Errorf("only %d vectors are bare expressions", len(all))
	}
	t.Logf("%d vectors", len(all))
}

func (e expression) check(t *testing.T, bare *environment.Scope) {
	checked, issues := bare.Compile(e.rule)
	if err := issues.Err(); err != nil {
		e.recorded(t, "rule compile error: compilation failed: "+err.Error())
		return
	}
	if checked.GetType(checked.Expr().ID()) != types.BoolType {
		e.recorded(t, "rule compile error: cel expression must evaluate to a bool")
		return
	}
	program, err := bare.Env().Plan(checked)
	if err != nil {
		e.recorded(t, "rule compile error: program instantiation failed: "+err.Error())
		return
	}
	estimate, err := bare.Env().EstimateCost(profile.Latest(), checked, rootSizes{})
	if err != nil || estimate.Max != e.estimated.MaxCost {
		t.Errorf("estimate %d, %v", estimate.Max, err)
	}
	value, cost, err := program.Eval(
		context.Background(), interpreter.EmptyActivation(), serverLimits)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "no such overload"):
		e.recorded(t, "'"+err.Error()+"': call arguments did not match")
	case err != nil && strings.HasPrefix(err.Error(), "operation cancelled: "):
		e.recorded(t, "'"+err.Error()+"': no further validation rules will be run")
		return // it stops the object's validation, which has no cost to tell then
	case err != nil:
		e.recorded(t, err.Error()+" evaluating rule: ")
	case value == types.False:
		e.recorded(t, "failed rule: ")
	case len(e.evaluated.Errors) > 0:
		t.Errorf("value %v, recorded %v", value, e.evaluated.Errors)
	}
	if e.evaluated.Cost == nil || cost != uint64(*e.evaluated.Cost) {
		t.Errorf("cost %d", cost)
	}
}

// recorded fails the test unless one error was recorded, which starts with
// detail.
func (e expression) recorded(t *testing.T, detail string) {
	t.Helper()
	if len(e.evaluated.Errors) != 1 || !strings.HasPrefix(e.evaluated.Errors[0].Detail, detail) {
		t.Errorf("got %q, recorded %v", detail, e.evaluated.Errors)
	}
}
