package celrules

import (
	"context"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/value"
)

// variables are the values that the rules of one place see. They resolve names for cel-go.
type variables struct {
	node     *decl.Node
	raw      any
	old      any
	self     ref.Val // nil until asked for
	oldSelf  ref.Val // nil until asked for
	hasOld   bool    // some rule of the place uses oldSelf
	optional bool    // the rule at hand sees oldSelf as an optional
}

func (v *variables) setOld(old any) { v.old, v.hasOld = old, true }

// ResolveName implements cel-go's activation (CEL-096, CEL-100).
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case selfVariable:
		if v.self == nil {
			v.self = value.Of(v.raw, v.node)
		}
		return v.self, true
	case oldSelfVariable:
		return v.resolveOld()
	}
	return nil, false
}

func (v *variables) resolveOld() (any, bool) {
	if !v.hasOld {
		return nil, false
	}
	if v.old == nil {
		return types.OptionalNone, v.optional
	}
	if v.oldSelf == nil {
		v.oldSelf = value.Of(v.old, v.node)
	}
	if v.optional {
		return types.OptionalOf(v.oldSelf), true
	}
	return v.oldSelf, true
}

// Parent implements cel-go's activation.
func (v *variables) Parent() interpreter.Activation { return nil }

// eval evaluates the expression and counts what it costs.
func (e *expression) eval(ctx context.Context, vars *variables, limit uint64) (ref.Val, uint64, error) {
	program, err := e.program()
	if err != nil {
		return nil, 0, err
	}
	return program.Eval(ctx, vars, limit)
}
