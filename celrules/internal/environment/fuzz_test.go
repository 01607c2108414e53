package environment_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/celtable"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/internal/test/celcases"
	"github.com/crdsem/crdsem/internal/test/checkout"
)

// FuzzExpression compiles, costs, plans and evaluates any text twice: with
// scopes and plans, and with their plain twin, a cel.Env and its programs.
func FuzzExpression(f *testing.F) {
	cases, err := celcases.Read(checkout.File(f, celtable.Folder+"cases.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(cases); i += 10 {
		f.Add(cases[i].Expression)
	}
	for _, text := range []string{
		"", "(", "1 +", "{b'a': 1}", "dyn(1).sort()", "[1].flatten(dyn('a'))", "text.`a`", "'\\q'",
		"[?optional.none()]", "a.b.c", "[1, ?dyn(2)]",
	} {
		f.Add(text)
	}
	run := celtable.NewRunner(f, profile.Newest)
	twin := newTwin(f)
	f.Fuzz(func(t *testing.T, text string) {
		got := run.Stored(text)
		if strings.Contains(got.Compile, environment.ErrTooLarge.Error()) {
			return // the twin would not end
		}
		if want := twin.outcome(t, text); got != want {
			t.Errorf("%q\nhere %+v\ntwin %+v", text, got, want)
		}
	})
}

// twin runs expressions with a cel.Env that has the functions of the base
// environment.
type twin struct{ env *cel.Env }

func newTwin(t testing.TB) twin {
	var variables []cel.EnvOption
	for _, v := range celcases.Variables() {
		variables = append(variables, cel.Variable(v.Name, v.Type))
	}
	variables = append(variables, cel.Variable(celcases.Authorizer, k8scel.AuthorizerType))
	extended, err := base(t, library.StoredExpressions).CEL().Extend(variables...)
	if err != nil {
		t.Fatal(err)
	}
	return twin{extended}
}

func (w twin) outcome(t testing.TB, text string) (out celcases.Outcome) {
	ast, err := w.compile(text)
	if err != nil {
		out.Compile = err.Error()
		return out
	}
	out.Type = ast.OutputType().String()
	estimator := environment.CostEstimator(base(t, library.StoredExpressions), celcases.Sizes{})
	estimate, err := w.env.EstimateCost(ast, estimator)
	if err != nil {
		t.Fatal(err)
	}
	out.Estimate = [2]uint64{estimate.Min, estimate.Max}
	program, err := w.plan(ast, estimator)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	out.Evaluate(program, celtable.Allowing())
	return out
}

// compile checks an expression. The error of a panic, which cel-go has no place
// for, is the one that a scope returns.
func (w twin) compile(text string) (ast *cel.Ast, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			parsed, _ := w.env.Parse(text)
			impl, errs := parsed.NativeRep(), common.NewErrors(parsed.Source())
			issues := cel.NewIssuesWithSourceInfo(errs, impl.SourceInfo())
			issues.ReportErrorAtID(impl.Expr().ID(), "internal error: %v", cause)
			err = issues.Err()
		}
	}()
	ast, issues := w.env.Compile(text)
	return ast, issues.Err()
}

// plan returns a program with the options of CRD rules.
func (w twin) plan(
	ast *cel.Ast, estimator celcost.ActualCostEstimator,
) (program cel.Program, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v", cause)
		}
	}()
	return w.env.Program(
		ast,
		cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost),
		cel.OptimizeRegex(functions.RegexOptimizations()...),
		cel.CostTrackerOptions(celcost.TrackerPresenceTestHasCost(false)),
		cel.CostTracking(estimator),
		cel.CostLimit(environment.PerCallLimit),
		cel.InterruptCheckFrequency(100),
	)
}

// FuzzType parses types as the catalogue writes them. The name of a parsed type
// is in the text.
func FuzzType(f *testing.F) {
	for _, fn := range library.Functions(library.Latest, library.StoredExpressions) {
		for _, o := range fn.Overloads {
			f.Add(o.Result)
			for _, p := range o.Params {
				f.Add(p)
			}
		}
	}
	f.Add("list(")
	f.Add("map(string,)")
	f.Add("list(int))")
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := environment.ParseType(text)
		if err != nil {
			return
		}
		if !bytes.Contains([]byte(text), []byte(parsed.TypeName())) && parsed != cel.DurationType &&
			parsed != cel.TimestampType {
			t.Errorf("%q is read as %v", text, parsed)
		}
	})
}
