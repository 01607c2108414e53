package environment

import (
	"context"
	"errors"
	"fmt"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/cost"
	"github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

const (
	// PerCallLimit is the cost at which a server stops one evaluation of one
	// expression (COST-001, COST-003).
	PerCallLimit uint64 = 1_000_000
	// interruptFrequency is the number of steps of a comprehension between
	// looks at the context (CEL-013).
	interruptFrequency = 100
)

// Limits are what one evaluation may take, and whose charges count.
type Limits struct {
	// Cost is the limit of the actual cost.
	Cost uint64
	// Bytes is the limit of what functions make (see package meter); 0 is that
	// package's DefaultLimit.
	Bytes uint64
	// Profile is that of the minor that charges, nil for the default. A program
	// serves all minors in which its expression means the same.
	Profile *profile.Profile
}

// Memory returns the limit in bytes.
func (l Limits) Memory() uint64 {
	if l.Bytes == 0 {
		return meter.DefaultLimit
	}
	return l.Bytes
}

// minor returns the profile of the minor that charges.
func (l Limits) minor() *profile.Profile {
	if l.Profile == nil {
		return profile.Latest()
	}
	return l.Profile
}

// Program is an expression ready to run. It is immutable and safe for
// concurrent use.
type Program struct {
	root    interpreter.InterpretableV2
	tracker *celcost.Tracker // without a limit; each evaluation clones it
}

// planOptions returns the options of every plan: constants are folded, constant
// regular expressions compiled, and comprehensions interruptible (CEL-009,
// CEL-013).
func (e *Env) planOptions() []interpreter.PlannerOption {
	return []interpreter.PlannerOption{
		functions.LazyOptionals(e.profile),
		interpreter.InterruptableEval(),
		interpreter.Optimize(),
		interpreter.CompileRegexConstants(functions.RegexOptimizations()...),
		interpreter.CustomDecoratorV2(e.charged),
	}
}

// Plan returns the program of a checked expression. It fails if a constant is
// invalid, e.g. the regular expression of `self.matches('[')` or the conversion
// `int('x')` (CEL-009); a server reports that as "program instantiation failed:
// ". On a literal map with bytes as keys a server panics; that is an error
// here.
func (e *Env) Plan(checked *ast.AST) (program *Program, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			program, err = nil, fmt.Errorf("internal error: %v", cause)
		}
	}()
	root, err := e.planner.NewInterpretable(checked, e.eager(checked)...)
	if err != nil {
		return nil, err
	}
	return &Program{root: root, tracker: e.tracker}, nil
}

// Eval runs the program and returns its value and its cost.
//
// It stops with an error when the cost is over the limit (COST-003), or when
// the context is done while a comprehension runs (CEL-097) or functions do long
// work, or with a *meter.ExceededError. Other errors are
// those of the evaluation; a panic inside a function is one, as on a server.
// The value is nil if the evaluation was stopped.
func (p *Program) Eval(
	ctx context.Context, variables cel.Activation, limits Limits,
) (value ref.Val, cost uint64, err error) {
	run := newEvaluation(p, limits)
	defer run.release()
	run.meter.Done = ctx.Done()
	run.within = inEvaluation{Activation: variables, of: run}
	frame, _ := interpreter.NewExecutionFrame(&run.within) // fails only for other types
	defer frame.Close()
	if ctx.Done() != nil {
		_ = frame.SetContext(ctx, interruptFrequency) // fails only if called twice
	}
	value, err = run.eval(frame)
	if err != nil && errors.Is(err, interpreter.InterruptError{}) {
		err = fmt.Errorf("%w: %w", err, context.Cause(ctx))
	}
	return value, run.cost(), err
}

// EstimateCost returns the least and the most that an evaluation of a checked
// expression can cost in a minor, based on sizes. With nil sizes no size is
// known (COST-010, COST-011).
func (e *Env) EstimateCost(
	p *profile.Profile, checked *ast.AST, sizes cost.SizeEstimator,
) (celcost.Estimate, error) {
	estimator := e.costs.Estimator(p, sizes)
	if !p.ComputedSizes {
		return estimator.EstimateFormerly(checked), nil
	}
	return e.base.EstimateCost(withSource(checked, nil), estimator)
}
