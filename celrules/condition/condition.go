package condition

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/minors"
)

// budget is what the conditions of one webhook may cost together
// (RuntimeCELCostBudgetMatchConditions of k8s.io/apiserver/pkg/apis/cel).
const budget uint64 = 2_500_000

var errBudget = errors.New("validation failed due to running out of cost budget, " +
	"no further validation rules will be run")

// Condition is an expression with its name.
type Condition struct{ Name, Expression string }

// Conditions are the match conditions of one webhook, ready to run. They are
// immutable and safe for concurrent use. The zero value has none.
type Conditions struct {
	all     []program
	env     *environment.Env
	profile *profile.Profile
}

// program is a condition, or the error of one that does not compile.
type program struct {
	expression string
	run        *environment.Program
	err        error
}

// Compile prepares conditions for the server of a minor. A condition that does
// not compile is an error of [Conditions.Match], as on a server.
func Compile(kubernetes minors.Minor, conditions ...Condition) (*Conditions, error) {
	p := profile.Named(string(kubernetes))
	env, err := environment.For(p, library.StoredExpressions)
	if err != nil {
		return nil, err
	}
	scope, err := env.Scope(requestTypes{env.Provider()},
		environment.Variable{Name: "object", Type: cel.DynType},
		environment.Variable{Name: "oldObject", Type: cel.DynType},
		environment.Variable{Name: "request", Type: cel.ObjectType(requestType)},
		environment.Variable{Name: "namespaceObject", Type: cel.DynType},
		environment.Variable{Name: "authorizer", Type: k8scel.AuthorizerType},
		environment.Variable{
			Name: "authorizer.requestResource", Type: k8scel.ResourceCheckType,
		},
	)
	if err != nil {
		return nil, err
	}
	c := &Conditions{env: env, profile: p}
	for _, condition := range conditions {
		compiled := program{expression: condition.Expression}
		if compiled.run, err = compile(scope, condition.Expression); err != nil {
			compiled.err = fmt.Errorf("compilation error: %w", err)
		}
		c.all = append(c.all, compiled)
	}
	return c, nil
}

func compile(scope *environment.Scope, text string) (*environment.Program, error) {
	checked, issues := scope.Compile(text)
	if err := issues.Err(); err != nil {
		return nil, fmt.Errorf("compilation failed: %w", err)
	}
	if of := checked.GetType(checked.Expr().ID()); !of.IsExactType(cel.BoolType) {
		return nil, fmt.Errorf("must evaluate to bool but got %v", of)
	}
	run, err := scope.Env().Plan(checked)
	if err != nil {
		return nil, fmt.Errorf("program instantiation failed: %w", err)
	}
	return run, nil
}

// Request is what conditions are about. The objects are nil if there are none.
type Request struct{ Request, Object, OldObject map[string]any }

// Match reports whether a request matches all conditions. One that is false
// decides. Otherwise the error says which of them could not be evaluated.
func (c *Conditions) Match(ctx context.Context, r Request) (matches bool, err error) {
	variables, err := cel.NewActivation(map[string]any{
		"object": c.value(r.Object), "oldObject": c.value(r.OldObject),
		"request": c.value(r.Request), "namespaceObject": types.NullValue,
	})
	if err != nil {
		return false, err
	}
	left := budget
	var errs []error
	for _, condition := range c.all {
		if condition.err != nil {
			errs = append(errs, condition.err)
			continue
		}
		value, cost, err := condition.run.Eval(ctx, variables, environment.Limits{
			Cost: environment.PerCallLimit, Profile: c.profile,
		})
		if cost > left {
			return false, errBudget
		}
		left -= cost
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("expression '%s' resulted in error: %w",
				condition.expression, err))
		case value == types.False:
			return false, nil
		}
	}
	return len(errs) == 0, errors.Join(errs...)
}

// value returns an object as expressions see it.
func (c *Conditions) value(object map[string]any) any {
	if object == nil {
		return types.NullValue
	}
	return c.env.Adapter().NativeToValue(object)
}
