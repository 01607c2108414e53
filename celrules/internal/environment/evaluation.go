package environment

import (
	"fmt"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/base/saturate"
)

// evaluationName is the name of the evaluation among its variables, which no
// expression can have.
const evaluationName = "@evaluation"

// inEvaluation are the variables of an evaluation, and the evaluation itself.
type inEvaluation struct {
	cel.Activation
	of *evaluation
}

// ResolveName returns the value of a variable.
func (v *inEvaluation) ResolveName(name string) (any, bool) {
	if name == evaluationName {
		return v.of, true
	}
	return v.Activation.ResolveName(name)
}

// evaluationOf returns the evaluation of a frame. Plans only reduce calls that
// have no bound.
func evaluationOf(frame *interpreter.ExecutionFrame) *evaluation {
	found, _ := frame.ResolveName(evaluationName)
	return found.(*evaluation)
}

// evaluation is one run of a program.
type evaluation struct {
	root    *interpreter.ObservableInterpretable
	limit   uint64
	tracker *interpreter.CostTracker
	charges interpreter.ActualCostEstimator
	unpaid  uint64 // the cost of a call that was not made because of it
	// selectsFromErrors: the first selection from an error is charged.
	selectsFromErrors bool

	meter    meter.Meter
	within   inEvaluation
	observer func(any) // observe, bound once
}

// evaluations holds evaluations between their runs. They keep nothing of a run.
var evaluations = sync.Pool{New: func() any {
	r := &evaluation{}
	r.observer = r.observe
	return r
}}

// newEvaluation takes an evaluation from the pool.
func newEvaluation(root *interpreter.ObservableInterpretable, limits Limits) *evaluation {
	r := evaluations.Get().(*evaluation)
	r.root, r.limit = root, limits.Cost
	r.meter.Limit = limits.Memory()
	r.selectsFromErrors = limits.selectsFromErrors()
	return r
}

// release puts the evaluation back into the pool. Its tracker, which refers to
// its limit, is not used after that.
func (r *evaluation) release() {
	r.root, r.tracker, r.charges, r.unpaid = nil, nil, nil, 0
	r.meter, r.within = meter.Meter{}, inEvaluation{}
	evaluations.Put(r)
}

// eval runs the program. A panic becomes an error.
func (r *evaluation) eval(frame *interpreter.ExecutionFrame) (value ref.Val, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case interpreter.EvalCancelledError:
			err = cause
		case *meter.ExceededError:
			err = cause
		default:
			err = fmt.Errorf("internal error: %v", cause)
		}
	}()
	value = r.root.ObserveExec(frame, r.observer)
	if failure, ok := value.(*types.Err); ok {
		err = failure
	}
	return value, err
}

// observe remembers the run's cost tracker before the first step and sets its
// limit.
func (r *evaluation) observe(state any) {
	if tracker, ok := state.(*interpreter.CostTracker); ok && r.tracker == nil {
		tracker.Limit = &r.limit
		r.charges, tracker.Estimator = tracker.Estimator, r
		r.tracker = tracker
	}
}

// CallCost returns the charge for a call that was made. It counts what the call
// has read, so that the context ends calls that read long strings.
func (r *evaluation) CallCost(
	function, overload string, args []ref.Val, result ref.Val,
) *uint64 {
	r.meter.ReadStrings(args)
	return r.charges.CallCost(function, overload, args, result)
}

// cost returns the cost of the run so far.
func (r *evaluation) cost() uint64 {
	return saturate.Add(r.tracker.ActualCost(), r.unpaid)
}

// checkCost stops the run before a call that its cost would stop after it.
func (r *evaluation) checkCost(cost uint64) {
	if saturate.Add(r.tracker.ActualCost(), cost) <= r.limit {
		return
	}
	r.unpaid = cost
	panic(interpreter.EvalCancelledError{
		Cause:   interpreter.CostLimitExceeded,
		Message: "operation cancelled: actual cost limit exceeded",
	})
}
