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
)

// TestCases runs expressions whose results in the real environment of an API
// server are recorded. CRDSEM_CEL_CASES names another file of such cases.
func TestCases(t *testing.T) {
	path := os.Getenv("CRDSEM_CEL_CASES")
	if path == "" {
		path = filepath.Join("testdata", "cases.jsonl")
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
		if diff := cmp.Diff(c.Outcome, run.outcome(c)); diff != "" {
			if differences++; differences <= 25 {
				t.Errorf("%s (new %v): recorded -, got +\n%s", c.Expression, c.New, diff)
			}
		}
	}
	t.Logf("%d cases, %d differences", len(cases), differences)
}

// runner runs cases.
type runner struct {
	t      testing.TB
	scopes map[bool]*environment.Scope
}

func newRunner(t testing.TB) runner {
	out := runner{t: t, scopes: map[bool]*environment.Scope{}}
	var variables []environment.Variable
	for _, v := range celcases.Variables() {
		variables = append(variables, environment.Variable{Name: v.Name, Type: v.Type})
	}
	for _, kind := range []library.Expressions{library.NewExpressions, library.StoredExpressions} {
		base, err := environment.For(profile.Latest(), kind)
		if err != nil {
			t.Fatal(err)
		}
		scope, err := base.Scope(nil, variables...)
		if err != nil {
			t.Fatal(err)
		}
		out.scopes[kind == library.NewExpressions] = scope
	}
	return out
}

// outcome compiles, estimates and evaluates the expression of a case.
func (r runner) outcome(c celcases.Case) (out celcases.Outcome) {
	scope := r.scopes[c.New]
	checked, issues := scope.Compile(c.Expression)
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
