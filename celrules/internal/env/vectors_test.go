package env_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/env"
	"github.com/crdsem/crdsem/celrules/library"
)

// vector is what the CEL vectors say of an expression that stands alone.
type vector struct {
	ID            string  `json:"id"`
	Rule          string  `json:"rule"`
	EstimatedCost *uint64 `json:"estimatedCost"`
	RuntimeCost   *uint64 `json:"runtimeCost"`
	PerCallLimit  *uint64 `json:"perCallLimit"`
	Cancelled     bool    `json:"contextCancelled"`
	Errors        []struct{ Detail string }
	Schema        map[string]json.RawMessage
}

// standsAlone tells whether the vector is one rule at the root that does not look at the object.
func (v vector) standsAlone() bool {
	_, properties := v.Schema["properties"]
	return !properties && !strings.Contains(v.Rule, "self") && strings.TrimSpace(v.Rule) != "" && v.PerCallLimit == nil &&
		!v.Cancelled && !strings.Contains(string(v.Schema["x-kubernetes-validations"]), "message")
}

// rootSizes gives every identifier the size of the object that the vectors' rules are on: a schema takes any variable for the object
// (COST-011), and objects have size 0.
type rootSizes struct{}

// EstimateSize returns 0 for identifiers; the object has no fields.
func (rootSizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	if len(node.Path()) != 1 {
		return nil
	}
	return &checker.SizeEstimate{}
}

// TestVectors runs the CEL vectors that are bare expressions: whether they compile, what they are estimated to cost, what they cost and
// what their evaluation fails with.
func TestVectors(t *testing.T) {
	bare, err := base(t, library.StoredExpressions).Scope(nil)
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range readVectors(t) {
		if v.standsAlone() {
			ran++
			t.Run(v.ID, func(t *testing.T) { v.check(t, bare) })
		}
	}
	if ran < 100 {
		t.Errorf("only %d vectors are bare expressions", ran)
	}
	t.Logf("%d vectors", ran)
}

func readVectors(t *testing.T) []vector {
	file, err := os.Open(filepath.Join("..", "..", "..", "conformance", "vectors", "stages", "cel.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func (v vector) check(t *testing.T, bare *env.Scope) {
	checked, issues := bare.Compile(v.Rule)
	if err := issues.Err(); err != nil {
		v.recorded(t, "rule compile error: compilation failed: "+err.Error())
		return
	}
	if checked.GetType(checked.Expr().ID()) != types.BoolType {
		v.recorded(t, "rule compile error: cel expression must evaluate to a bool")
		return
	}
	program, err := bare.Env().Plan(checked)
	if err != nil {
		v.recorded(t, "rule compile error: program instantiation failed: "+err.Error())
		return
	}
	estimate, err := bare.Env().EstimateCost(checked, rootSizes{})
	if err != nil || v.EstimatedCost == nil || estimate.Max != *v.EstimatedCost {
		t.Errorf("estimate %d, %v", estimate.Max, err)
	}
	value, cost, err := program.Eval(context.Background(), interpreter.EmptyActivation(), env.PerCallLimit)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "no such overload"):
		v.recorded(t, "'"+err.Error()+"': call arguments did not match")
	case err != nil && strings.HasPrefix(err.Error(), "operation cancelled: "):
		v.recorded(t, "'"+err.Error()+"': no further validation rules will be run")
		return // it stops the object's validation, which has no cost to tell then
	case err != nil:
		v.recorded(t, err.Error()+" evaluating rule: ")
	case value == types.False:
		v.recorded(t, "failed rule: ")
	case len(v.Errors) > 0:
		t.Errorf("value %v, recorded %v", value, v.Errors)
	}
	if v.RuntimeCost == nil || cost != *v.RuntimeCost {
		t.Errorf("cost %d", cost)
	}
}

// recorded tells whether an error was recorded that starts with the text.
func (v vector) recorded(t *testing.T, detail string) {
	t.Helper()
	if len(v.Errors) != 1 || !strings.HasPrefix(v.Errors[0].Detail, detail) {
		t.Errorf("got %q, recorded %q", detail, v.Errors)
	}
}
