package celfunctions

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"k8s.io/apiserver/pkg/cel/environment"
	celapi "k8s.io/apiserver/pkg/cel/library"

	"github.com/crdsem/crdsem/internal/test/celcases"
)

var (
	seed   = flag.Uint64("seed", 1, "seed of the generated expressions")
	count  = flag.Int("cases", 12000, "how many expressions to generate")
	record = flag.String("record", "", "write the cases to this file as well")
)

// perCallLimit and interruptFrequency have the values for CRD rules.
const (
	perCallLimit       = 1_000_000
	interruptFrequency = 100
)

// server is the real environment with the variables of the cases.
type server struct{ added, stored *cel.Env }

func newServer(t testing.TB) server {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	var options []cel.EnvOption
	for _, v := range celcases.Variables() {
		options = append(options, cel.Variable(v.Name, v.Type))
	}
	added, err := base.NewExpressionsEnv().Extend(options...)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := base.StoredExpressionsEnv().Extend(options...)
	if err != nil {
		t.Fatal(err)
	}
	return server{added, stored}
}

// ask runs an expression through both real environments as a CRD rule.
func (s server) ask(t testing.TB, text string) celcases.Case {
	return celcases.MakeCase(text, outcome(t, s.stored, text), outcome(t, s.added, text))
}

func outcome(t testing.TB, env *cel.Env, text string) (out celcases.Outcome) {
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		out.Compile = issues.Err().Error()
		return out
	}
	out.Type = ast.OutputType().String()
	estimator := &celapi.CostEstimator{SizeEstimator: &sizes{}}
	estimate, err := env.EstimateCost(ast, estimator)
	if err != nil {
		t.Fatal(err)
	}
	out.Estimate = [2]uint64{estimate.Min, estimate.Max}
	program, err := plan(env, ast, estimator)
	if err != nil {
		out.Plan = err.Error()
		return out
	}
	out.Evaluate(program)
	return out
}

// plan makes a program. The real code panics on literal maps with keys that Go
// cannot hash. This library returns an error instead.
func plan(
	env *cel.Env, ast *cel.Ast, estimator *celapi.CostEstimator,
) (program cel.Program, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("internal error: %v", cause)
		}
	}()
	return env.Program(ast, cel.CostLimit(perCallLimit), cel.CostTracking(estimator),
		cel.InterruptCheckFrequency(interruptFrequency))
}

// sizes gives the cases' sizes to the real estimator. It implements the whole
// interface, of which only EstimateSize is called.
type sizes struct {
	celapi.CostEstimator
	celcases.Sizes
}

// EstimateSize returns the size of a variable.
func (s *sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	return s.Sizes.EstimateSize(node)
}

// TestExpressions generates expressions and asks the real environment for their
// outcomes. This library's tests then compare.
func TestExpressions(t *testing.T) {
	if testing.Short() && *record == "" {
		*count = 2000
	}
	s := newServer(t)
	t.Logf("seed %d, %d expressions", *seed, *count)
	cases := generate(t, s)
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	write(t, path, cases)
	if *record != "" {
		write(t, *record, cases)
	}
	replay(t, path)
}

// TestRecordedExpressions asks the real environment again for the recorded
// outcomes that this library's own tests compare with.
func TestRecordedExpressions(t *testing.T) {
	cases, err := celcases.Read(
		filepath.Join("..", "..", "..", "celrules", "internal", "environment", "testdata",
			"cases.jsonl"),
	)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	for _, c := range cases {
		if real := s.ask(t, c.Expression); !reflect.DeepEqual(real, c) {
			t.Errorf("%s:\nrecorded %+v %+v\nreal     %+v %+v", c.Expression, c.Outcome, c.New,
				real.Outcome, real.New)
		}
	}
	if len(cases) < 2000 {
		t.Errorf("only %d cases", len(cases))
	}
}

// generate makes cases: first the directed ones, then every overload in turn.
func generate(t *testing.T, s server) []celcases.Case {
	g := newGenerator(*seed, s.stored)
	texts := directed()
	for i := 0; len(texts) < *count; i++ {
		text := g.call(g.overloads[i%len(g.overloads)], 1+g.IntN(3))
		if len(text) <= 2000 {
			texts = append(texts, text)
		}
	}
	cases := make([]celcases.Case, len(texts))
	tally := map[string]int{}
	for i, text := range texts {
		cases[i] = s.ask(t, text)
		tally[kindOf(cases[i].Outcome)]++
	}
	t.Logf("outcomes: %v", tally)
	return cases
}

func kindOf(o celcases.Outcome) string {
	switch {
	case o.Compile != "":
		return "compile error"
	case o.Plan != "":
		return "plan error"
	case o.Error != "":
		return "error"
	}
	return "value"
}

func write(t *testing.T, path string, cases []celcases.Case) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, c := range cases {
		if err := encoder.Encode(c); err != nil {
			t.Fatal(err)
		}
	}
}

// replay runs this library's test of recorded cases on a file of cases. Its
// environment is internal to celrules and cannot be imported here.
func replay(t *testing.T, path string) {
	t.Helper()
	command := exec.Command("go", "test", "-count=1", "-v", "-run", "^TestCases$",
		"./celrules/internal/environment")
	command.Dir = filepath.Join("..", "..", "..")
	command.Env = append(os.Environ(), "CRDSEM_CEL_CASES="+path)
	out, err := command.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
