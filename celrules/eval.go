package celrules

import (
	"context"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
)

// variables are the values that the rules of one place see. They resolve names for cel-go.
type variables struct {
	node     *decl.Node
	raw      any
	old      any
	hasOld   bool    // some rule of the place uses oldSelf
	optional bool    // the rule at hand sees oldSelf as an optional
	self     ref.Val // nil until asked for
	oldSelf  ref.Val // nil until asked for
	input    fasteval.Input
}

func (v *variables) setOld(old any) { v.old, v.hasOld = old, true }

// ResolveName implements cel-go's activation (CEL-096, CEL-100).
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case selfVariable:
		if v.self == nil {
			v.self = common.Of(v.raw, v.node)
		}
		return v.self, true
	case oldSelfVariable:
		old, known := v.resolveOld()
		return old, known
	}
	return nil, false
}

func (v *variables) resolveOld() (ref.Val, bool) {
	if !v.hasOld {
		return nil, false
	}
	if v.old == nil {
		return types.OptionalNone, v.optional
	}
	if v.oldSelf == nil {
		v.oldSelf = common.Of(v.old, v.node)
	}
	if v.optional {
		return types.OptionalOf(v.oldSelf), true
	}
	return v.oldSelf, true
}

// Parent implements cel-go's activation.
func (v *variables) Parent() interpreter.Activation { return nil }

// directInput returns the variables for direct evaluation of an expression.
func (v *variables) directInput(e *expression) *fasteval.Input {
	v.input = fasteval.Input{Self: v.raw, Node: v.node, HasOld: v.hasOld && (v.old != nil || v.optional), Old: v.old}
	if e.usesOldSelf && v.optional {
		v.input.OldValue, v.input.HasOld = v.resolveOld()
	}
	return &v.input
}

// truth evaluates an expression of type bool and counts what it costs: directly, or by cel-go if anything is out of the ordinary.
func (e *expression) truth(ctx context.Context, vars *variables, limit uint64) (bool, uint64, error) {
	if e.direct != nil {
		if result, cost, ok := e.direct.Bool(ctx, vars.directInput(e), limit); ok {
			return result, cost, nil
		}
	}
	result, cost, err := e.eval(ctx, vars, limit)
	return result == types.True, cost, err
}

// message is truth for an expression of type string. ok is false if the result is no string after all.
func (e *expression) message(ctx context.Context, vars *variables, limit uint64) (text string, ok bool, cost uint64, err error) {
	if e.direct != nil {
		if text, cost, ok = e.direct.Text(ctx, vars.directInput(e), limit); ok {
			return text, true, cost, nil
		}
	}
	result, cost, err := e.eval(ctx, vars, limit)
	if err == nil {
		text, ok = result.Value().(string)
	}
	return text, ok, cost, err
}

// eval evaluates the expression by cel-go.
func (e *expression) eval(ctx context.Context, vars *variables, limit uint64) (ref.Val, uint64, error) {
	program, err := e.program()
	if err != nil {
		return nil, 0, err
	}
	return program.Eval(ctx, vars, limit)
}
