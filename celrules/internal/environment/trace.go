package environment

import (
	"context"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/functions"
)

// Trace evaluates a checked expression and returns the last value of each
// sub-expression that was evaluated, by its id. It counts no cost, so it is
// only for expressions whose evaluation is known to end.
func (e *Env) Trace(
	ctx context.Context, checked *ast.AST, variables cel.Activation,
) (map[int64]ref.Val, error) {
	root, err := e.planner.NewInterpretable(checked,
		functions.LazyOptionals(), interpreter.InterruptableEval(), interpreter.EvalStateObserver())
	if err != nil {
		return nil, err
	}
	frame, err := interpreter.NewExecutionFrame(variables)
	if err != nil {
		return nil, err
	}
	defer frame.Close()
	if err := frame.SetContext(ctx, interruptFrequency); err != nil {
		return nil, err
	}
	run := tracing{}
	run.eval(root.(*interpreter.ObservableInterpretable), frame)
	values := map[int64]ref.Val{}
	if run.state != nil {
		for _, id := range run.state.IDs() {
			if v, ok := run.state.Value(id); ok {
				values[id] = v
			}
		}
	}
	return values, nil
}

// tracing is one run that records values.
type tracing struct{ state interpreter.EvalState }

// eval runs the program. A panic ends it; the values so far are kept.
func (r *tracing) eval(
	root *interpreter.ObservableInterpretable, frame *interpreter.ExecutionFrame,
) {
	defer func() { _ = recover() }()
	root.ObserveExec(frame, func(state any) {
		if s, ok := state.(interpreter.EvalState); ok {
			r.state = s
		}
	})
}
