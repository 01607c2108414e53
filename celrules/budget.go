package celrules

import (
	"errors"

	"github.com/google/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
)

// Limits of actual cost (COST-001). Their source is
// k8s.io/apiserver/pkg/apis/cel/config.go.
const (
	// PerCallLimit is the cost at which the evaluation of one expression is
	// stopped. It is the server's PerCallLimit.
	PerCallLimit uint64 = environment.PerCallLimit
	// Budget is the maximum cost of all rules of one object together. It is the
	// server's RuntimeCELCostBudget.
	Budget int64 = 10_000_000
)

// outOfBudget is the server's message for a rule that the budget does not pay
// for, and for rules after it.
const outOfBudget = "validation failed due to running out of cost budget, " +
	"no further validation rules will be run"

// pay takes a cost from the budget. It reports false if the budget is too small
// and then takes nothing.
func (e *evaluation) pay(cost uint64) bool {
	if int64(cost) < 0 || int64(cost) > e.remaining {
		return false
	}
	e.remaining -= int64(cost)
	if e.options.observe {
		e.observed().Cost += cost
	}
	return true
}

// stop reports why no further rule runs. It returns false.
func (w *walker) stop(err *field.Error) bool {
	w.result.Errors = append(w.result.Errors, err)
	w.result.OutOfBudget = true
	return false
}

// isOverCallLimit reports whether cel-go stopped an evaluation at the per-call
// limit. The server recognizes the same error by its text, "operation
// cancelled: actual cost limit exceeded".
func isOverCallLimit(err error) bool {
	var cancelled interpreter.EvalCancelledError
	return errors.As(err, &cancelled) && cancelled.Cause == interpreter.CostLimitExceeded
}

// costKey identifies a rule by the path of its schema node and its index there.
type costKey struct {
	path  string
	index int
}

// observed returns the entry of [Result.Costs] for the current rule.
func (e *evaluation) observed() *ObservedCost {
	key := costKey{e.frame.schemaPath(), e.index}
	i, ok := e.costs[key]
	if !ok {
		if e.costs == nil {
			e.costs = map[costKey]int{}
		}
		i = len(e.result.Costs)
		e.costs[key] = i
		e.result.Costs = append(e.result.Costs,
			ObservedCost{Path: key.path, Index: key.index, Rule: e.rule.Rule})
	}
	return &e.result.Costs[i]
}
