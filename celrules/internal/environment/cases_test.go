package environment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/internal/test/celcases"
	"github.com/crdsem/crdsem/internal/test/checkout"
)

// TestCases runs expressions whose results in the real environment of an API
// server are recorded. CRDSEM_CEL_CASES names another file of such cases.
func TestCases(t *testing.T) {
	path := os.Getenv("CRDSEM_CEL_CASES")
	if path == "" {
		path = checkout.File(t, filepath.Join("testdata", "cases.jsonl"))
	}
	cases, err := celcases.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	run := newRunner(t)
	differences := 0
	for _, c := range cases {
		got := celcases.MakeCase(c.Expression, run.outcome(run.stored, c.Expression),
			run.outcome(run.added, c.Expression))
		if diff := cmp.Diff(c, got); diff != "" {
			if differences++; differences <= 25 {
				t.Errorf("%s: recorded -, got +\n%s", c.Expression, diff)
			}
		}
	}
	t.Logf("%d cases, %d differences", len(cases), differences)
}

// runner runs expressions in the environments for stored and new expressions.
type runner struct {
	t             testing.TB
	stored, added *environment.Scope
}

func newRunner(t testing.TB) runner {
	var variables []environment.Variable
	for _, v := range celcases.Variables() {
		variables = append(variables, environment.Variable{Name: v.Name, Type: v.Type})
	}
	scope := func(kind library.Expressions) *environment.Scope {
		base, err := environment.For(profile.Latest(), kind)
		if err != nil {
			t.Fatal(err)
		}
		out, err := base.Scope(nil, variables...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return runner{t, scope(library.StoredExpressions), scope(library.NewExpressions)}
}

// outcome compiles, estimates and evaluates an expression.
func (r runner) outcome(scope *environment.Scope, text string) (out celcases.Outcome) {
	checked, issues := scope.Compile(text)
	if err := issues.Err(); err != nil {
		out.Compile = err.Error()
		return out
	}
	out.Type = checked.GetType(checked.Expr().ID()).String()
	estimate, err := scope.Env().EstimateCost(profile.Latest(), checked, celcases.Sizes{})
	if err != nil {
		r.t.Fatal(err)
	}
	out.Estimate = [2]uint64{estimate.Min, estimate.Max}
	program, err := scope.Env().Plan(checked)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	variables, err := interpreter.NewActivation(celcases.Activation())
	if err != nil {
		r.t.Fatal(err)
	}
	value, cost, err := program.Eval(context.Background(), variables, serverLimits)
	out.Cost = cost
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Value = celcases.Text(value)
	return out
}
