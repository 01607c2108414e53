package environment

import (
	"fmt"
	"math"
	"sync"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
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
	root    interpreter.InterpretableV2
	limit   uint64
	tracker *celcost.Tracker
	charges celcost.ActualCostEstimator
	unpaid  uint64 // the cost of a call that was not made because of it
	// refunded is what cel-go charges and the minor does not.
	refunded uint64
	profile  *profile.Profile // of the minor that charges

	meter  meter.Meter
	within inEvaluation
}

// evaluations holds evaluations between their runs. They keep nothing of a run.
var evaluations = sync.Pool{New: func() any { return &evaluation{} }}

// newEvaluation takes an evaluation from the pool.
func newEvaluation(p *Program, limits Limits) *evaluation {
	r := evaluations.Get().(*evaluation)
	r.root, r.limit = p.root, limits.Cost
	r.tracker, _ = p.tracker.Clone() // never fails
	r.tracker.Limit = &r.limit
	r.charges, r.tracker.Estimator = r.tracker.Estimator, r
	r.meter.Limit = limits.Memory()
	r.profile = limits.minor()
	return r
}

// release puts the evaluation back into the pool. Its tracker, which refers to
// its limit, is not used after that.
func (r *evaluation) release() {
	r.root, r.tracker, r.charges, r.unpaid, r.refunded = nil, nil, nil, 0, 0
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
	frame.SetCostTracker(r.tracker)
	value = r.root.Exec(frame)
	if failure, ok := value.(*types.Err); ok {
		err = failure
	}
	return value, err
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
	return saturate.Add(r.tracker.ActualCost(), r.unpaid) - r.refunded
}

// refund takes 1 off the cost.
func (r *evaluation) refund() {
	r.refunded++
	if r.limit < math.MaxUint64 {
		r.limit++
	}
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
