package celrules

import (
	"context"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
)

// An expression is evaluated directly if it can be, which allocates nothing.
// Direct evaluation gives up on anything unusual, e.g. an error, a wrong type
// or a cost over the limit. The expression is then evaluated again by cel-go,
// whose result counts.

// variables are self and oldSelf of the rules of one frame. They implement
// cel-go's activation.
type variables struct {
	node     *decl.Node
	raw      any
	old      any     // nil if no rule of the frame uses oldSelf
	optional bool    // the current rule sees oldSelf as an optional
	self     ref.Val // nil until it is needed
	oldSelf  ref.Val // nil until it is needed
	machine  fasteval.Machine
}

// ResolveName returns the value of self or oldSelf.
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case compilation.Self:
		if v.self == nil {
			v.self = common.Of(v.raw, v.node)
		}
		return v.self, true
	case compilation.OldSelf:
		old, known := v.resolveOld()
		return old, known
	}
	return nil, false
}

// Parent returns nil: there are no other variables.
func (v *variables) Parent() interpreter.Activation { return nil }

// directInput returns the variables in the form for direct evaluation.
func (v *variables) directInput() fasteval.Input {
	in := fasteval.Input{Self: v.raw, Node: v.node, HasOld: v.old != nil, Old: v.old}
	if v.optional {
		in.OldValue, in.HasOld = v.resolveOld()
	}
	return in
}

// evalBool evaluates a rule. It returns the result and its cost.
func (v *variables) evalBool(
	ctx context.Context, e *compilation.Expression, limits environment.Limits,
) (bool, uint64, error) {
	if e.Direct != nil {
		if result, cost, ok := e.Direct.Bool(ctx, &v.machine, v.directInput(), limits); ok {
			return result, cost, nil
		}
	}
	result, cost, err := e.Eval(ctx, v, limits)
	return result == types.True, cost, err
}

// evalString evaluates a messageExpression. It returns the result and its cost.
// The result is empty if it is not a string.
func (v *variables) evalString(
	ctx context.Context, e *compilation.Expression, limits environment.Limits,
) (string, uint64, error) {
	if e.Direct != nil {
		if text, cost, ok := e.Direct.Text(ctx, &v.machine, v.directInput(), limits); ok {
			return text, cost, nil
		}
	}
	result, cost, err := e.Eval(ctx, v, limits)
	if err != nil {
		return "", cost, err
	}
	text, _ := result.Value().(string)
	return text, cost, nil
}
