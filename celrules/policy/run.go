package policy

import (
	"context"
	"errors"
	"fmt"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/base/saturate"
)

// Budgets of runs (k8s.io/apiserver/pkg/apis/cel).
const (
	// Budget is that of the expressions of a policy.
	Budget uint64 = 10_000_000
	// ConditionsBudget is that of match conditions.
	ConditionsBudget = Budget / 4
)

// ErrBudget is the error of an expression that exceeds the budget of its run.
var ErrBudget = errors.New("validation failed due to running out of cost budget, " +
	"no further validation rules will be run")

// Request is what expressions are about. What does not exist is nil.
type Request struct {
	Request, Object, OldObject, Params, Namespace map[string]any
	// WithoutAuthorizer reports that authorizer has no value, though it may be
	// declared. A server has none for messages and audit annotations.
	WithoutAuthorizer bool
}

// Run evaluates expressions about one request. Each variable is evaluated once
// at most. A Run is for one goroutine.
type Run struct {
	*Compiler
	given  map[string]any
	values map[string]ref.Val // of variables
	left   uint64
	// Of the expression that is being evaluated.
	ctx   context.Context
	spent uint64 // by variables
}

// Start begins a run with a budget.
func (c *Compiler) Start(r Request, budget uint64) *Run {
	run := &Run{Compiler: c, left: budget, values: map[string]ref.Val{}}
	run.given = map[string]any{
		"object": c.value(r.Object), "oldObject": c.value(r.OldObject),
		"params": c.value(r.Params), "request": c.value(r.Request),
		"namespaceObject": c.value(r.Namespace), "variables": &fields{run: run},
	}
	if !r.WithoutAuthorizer {
		run.given["authorizer"] = k8scel.NewCheck(k8scel.AuthorizerType)
		run.given["authorizer.requestResource"] = k8scel.NewCheck(k8scel.ResourceCheckType)
	}
	return run
}

// value returns an object as expressions see it. For cel-go, nil is null.
func (c *Compiler) value(object map[string]any) ref.Val {
	if object == nil {
		return nil
	}
	return c.env.Adapter().NativeToValue(object)
}

// Left returns what is left of the budget.
func (r *Run) Left() uint64 { return r.left }

// Eval evaluates an expression and returns its value as Go has it, e.g. a bool,
// and nil for null. The error is [ErrBudget], or says why this expression has
// no value.
func (r *Run) Eval(ctx context.Context, e *Expression) (any, error) {
	value, err := r.eval(ctx, e)
	if value == nil || value == types.NullValue {
		return nil, err
	}
	return value.Value(), nil
}

func (r *Run) eval(ctx context.Context, e *Expression) (ref.Val, error) {
	if e.err != nil {
		return nil, fmt.Errorf("compilation error: %w", e.err)
	}
	r.ctx, r.spent = ctx, 0
	value, cost, err := e.program.Eval(ctx, activation{r}, r.limits())
	if cost = saturate.Add(cost, r.spent); cost > r.left {
		return nil, ErrBudget
	}
	r.left -= cost
	if err != nil {
		return nil, fmt.Errorf("expression '%s' resulted in error: %w", e.text, err)
	}
	return value, nil
}

func (r *Run) limits() environment.Limits {
	return environment.Limits{Cost: environment.PerCallLimit, Profile: r.profile}
}

// Match reports whether all conditions are true. One that is false decides.
// Otherwise the error is [ErrBudget], or joins those of the conditions that
// have no value.
func (r *Run) Match(ctx context.Context, conditions []*Expression) (bool, error) {
	var errs []error
	for _, condition := range conditions {
		value, err := r.Eval(ctx, condition)
		switch {
		case err == ErrBudget:
			return false, err
		case err != nil:
			errs = append(errs, err)
		case value == false:
			return false, nil
		}
	}
	return len(errs) == 0, errors.Join(errs...)
}

// activation has the variables of a run.
type activation struct{ *Run }

// ResolveName implements cel.Activation.
func (a activation) ResolveName(name string) (any, bool) {
	value, ok := a.given[name]
	return value, ok
}

// Parent implements cel.Activation.
func (activation) Parent() cel.Activation { return nil }

// variable returns the value of a variable of the policy.
func (r *Run) variable(name string) ref.Val {
	value, ok := r.values[name]
	if !ok {
		value = r.evaluated(name, r.variables[name])
		r.values[name] = value
	}
	return value
}

func (r *Run) evaluated(name string, e *Expression) ref.Val {
	if e.err != nil {
		return types.NewErr("composited variable %q fails to compile: %v", name, e.err)
	}
	value, cost, err := e.program.Eval(r.ctx, activation{r}, r.limits())
	r.spent = saturate.Add(r.spent, cost)
	if err != nil {
		return types.NewErr("composited variable %q fails to evaluate: %v", name, err)
	}
	return value
}
