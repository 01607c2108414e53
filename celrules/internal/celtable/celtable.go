// Package celtable runs the recorded cases of expressions through this
// library's environments. The packages behind an environment each test that
// they have the outcomes of the real code.
package celtable

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/internal/test/celcases"
	"github.com/crdsem/crdsem/internal/test/checkout"
)

// Folder is where the files of cases are, from the root of the repository.
const Folder = "celrules/internal/celtable/testdata/"

// Check runs the cases in the default minor and in the older ones that have a
// file. That has the cases with another outcome than in the newest. The others
// run where estimates are other ones.
func Check(t *testing.T) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	cases := read(t, checkout.File(t, Folder+"cases.jsonl"))
	check(t, profile.Default, cases)
	for _, minor := range Former() {
		different := read(t, checkout.File(t, Folder+minor.String()+".jsonl"))
		if profile.Of(minor).KeptSizes {
			check(t, minor, different)
			continue
		}
		differs := map[string]celcases.Case{}
		for _, c := range different {
			differs[c.Expression] = c
		}
		older := slices.Clone(cases)
		for i, c := range cases {
			if other, ok := differs[c.Expression]; ok {
				older[i] = other
			}
		}
		check(t, minor, older)
	}
}

// hasAddress is in errors that print an address of memory. No case is recorded
// for them.
const hasAddress = "incompatible type already exists"

// Former returns the older minors that have a file of cases. Functions, their
// costs or their estimates change behind each of them.
func Former() []profile.Minor { return []profile.Minor{32, 36} }

// CheckFile runs the cases of a file.
func CheckFile(t *testing.T, minor profile.Minor, path string) {
	t.Helper()
	check(t, minor, read(t, path))
}

func read(t *testing.T, path string) []celcases.Case {
	t.Helper()
	cases, err := celcases.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatalf("%s has no cases", path)
	}
	return cases
}

func check(t *testing.T, minor profile.Minor, cases []celcases.Case) {
	t.Helper()
	run := NewRunner(t, minor)
	differences := 0
	for _, c := range cases {
		got := celcases.Case{Expression: c.Expression, Outcome: run.Stored(c.Expression)}
		if strings.Contains(got.Compile, hasAddress) {
			continue
		}
		if minor == profile.Default || c.New != nil { // in older ones, for the sake of time
			got = celcases.MakeCase(c.Expression, got.Outcome, run.outcome(run.added, c.Expression))
		}
		if minor < profile.Default {
			c, got = plain(c), plain(got)
		}
		if diff := cmp.Diff(c, got); diff != "" {
			if differences++; differences <= 25 {
				t.Errorf("%s in %s: recorded -, got +\n%s", c.Expression, minor, diff)
			}
		}
	}
	t.Logf("%s: %d cases, %d differences", minor, len(cases), differences)
}

// plain returns a case without what only the default minor has at once: the
// least cost, which is not used, and the name of the type of optional values,
// which the packages above the environment write as the minor does.
func plain(c celcases.Case) celcases.Case {
	c.Outcome = plainOutcome(c.Outcome)
	if c.New != nil {
		added := plainOutcome(*c.New)
		c.New = &added
	}
	return c
}

func plainOutcome(o celcases.Outcome) celcases.Outcome {
	o.Estimate[0] = 0
	for _, text := range []*string{&o.Compile, &o.Type, &o.Error} {
		*text = strings.ReplaceAll(*text, "optional_type", "optional")
	}
	return o
}

// Runner runs expressions in the environments of a minor for stored and new
// expressions.
type Runner struct {
	t             testing.TB
	profile       *profile.Profile
	stored, added *environment.Scope
}

// NewRunner returns the runner of a minor.
func NewRunner(t testing.TB, minor profile.Minor) Runner {
	t.Helper()
	var variables []environment.Variable
	for _, v := range celcases.Variables() {
		variables = append(variables, environment.Variable{Name: v.Name, Type: v.Type})
	}
	variables = append(variables,
		environment.Variable{Name: celcases.Authorizer, Type: k8scel.AuthorizerType})
	p := profile.Of(minor)
	scope := func(kind library.Expressions) *environment.Scope {
		base, err := environment.For(p, kind)
		if err != nil {
			t.Fatal(err)
		}
		out, err := base.Scope(nil, variables...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	return Runner{t, p, scope(library.StoredExpressions), scope(library.NewExpressions)}
}

// Allowing returns the authorizer of the cases.
func Allowing() ref.Val { return k8scel.NewCheck(k8scel.AuthorizerType) }

// Case returns the case of an expression, with its outcomes here.
func (r Runner) Case(text string) celcases.Case {
	return celcases.MakeCase(text, r.Stored(text), r.outcome(r.added, text))
}

// Stored returns the outcome of an expression in the environment for stored
// expressions.
func (r Runner) Stored(text string) celcases.Outcome { return r.outcome(r.stored, text) }

// outcome compiles, estimates and evaluates an expression.
func (r Runner) outcome(scope *environment.Scope, text string) (out celcases.Outcome) {
	checked, issues := scope.Compile(text)
	if err := issues.Err(); err != nil {
		out.Compile = err.Error()
		return out
	}
	out.Type = checked.GetType(checked.Expr().ID()).String()
	estimate, err := scope.Env().EstimateCost(r.profile, checked, celcases.Sizes{})
	if err != nil {
		r.t.Fatal(err)
	}
	out.Estimate = [2]uint64{estimate.Min, estimate.Max}
	program, err := scope.Env().Plan(checked)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	variables, err := interpreter.NewActivation(celcases.Activation(Allowing()))
	if err != nil {
		r.t.Fatal(err)
	}
	limits := environment.Limits{Cost: environment.PerCallLimit, Profile: r.profile}
	value, cost, err := program.Eval(context.Background(), variables, limits)
	out.Cost = cost
	if err != nil {
		out.Error = err.Error()
		return out
	}
	out.Value = celcases.Text(value)
	return out
}
