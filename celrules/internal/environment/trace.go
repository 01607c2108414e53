package environment

import (
	"context"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/functions"
)

// Trace evaluates a checked expression and returns the last value of each
// sub-expression that was evaluated, by its id. It counts no cost, so it is
// only for expressions whose evaluation is known to end.
func (e *Env) Trace(
	ctx context.Context, checked *ast.AST, variables cel.Activation,
) (map[int64]ref.Val, error) {
	values := map[int64]ref.Val{}
	err := e.Watch(ctx, checked, variables, func(id int64, v ref.Val) { values[id] = v })
	if err != nil {
		return nil, err
	}
	return values, nil
}

// Watch is like Trace but calls a function for each value of a sub-expression
// when it is known. A sub-expression of a comprehension has one for each step.
func (e *Env) Watch(
	ctx context.Context, checked *ast.AST, variables cel.Activation,
	watch func(id int64, value ref.Val),
) error {
	observer := interpreter.EvalStateObserver(
		interpreter.EvalStateFactory(func() interpreter.EvalState { return watcher(watch) }))
	root, err := e.planner.NewInterpretable(checked,
		functions.LazyOptionals(e.profile), interpreter.InterruptableEval(), observer)
	if err != nil {
		return err
	}
	frame, _ := interpreter.NewExecutionFrame(variables) // fails only for other types
	defer frame.Close()
	_ = frame.SetContext(ctx, interruptFrequency) // fails only if called twice
	run(root.(*interpreter.ObservableInterpretable), frame)
	return nil
}

// run runs the program. A panic ends it; the values so far were seen.
func run(root *interpreter.ObservableInterpretable, frame *interpreter.ExecutionFrame) {
	defer func() { _ = recover() }()
	root.ObserveExec(frame, func(any) {})
}

// watcher is the state of an evaluation that passes values on and keeps none.
type watcher func(id int64, value ref.Val)

// SetValue is called with each value.
func (w watcher) SetValue(id int64, value ref.Val) { w(id, value) }

// IDs returns nil: nothing is kept.
func (watcher) IDs() []int64 { return nil }

// Value reports false: nothing is kept.
func (watcher) Value(int64) (ref.Val, bool) { return nil, false }

// Reset does nothing.
func (watcher) Reset() {}
