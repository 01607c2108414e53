package celrules

import (
	"context"
	"errors"

	"cel.dev/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/meter"
)

// Limits of actual cost (COST-001). Their source is
// k8s.io/apiserver/pkg/apis/cel/config.go.
const (
	// PerCallLimit is the cost at which the evaluation of one expression is
	// stopped: 1,000,000. It is the server's PerCallLimit.
	PerCallLimit uint64 = environment.PerCallLimit
	// Budget is the maximum cost of all rules of one object together. It is the
	// server's RuntimeCELCostBudget.
	Budget int64 = 10_000_000
)

// MemoryLimit is the number of bytes of the values that functions may make in
// one evaluation of one expression, e.g. of the results of `replace`, `join`
// and `+`: 64 MiB. A server has no such limit. See the documentation of the
// package.
const MemoryLimit = int64(meter.DefaultLimit)

// outOfBudget is the server's message for a rule that the budget does not pay
// for, and for rules after it.
const outOfBudget = "validation failed due to running out of cost budget, " +
	"no further validation rules will be run"

// pay takes a cost from the budget, which is never negative when a rule runs.
// It reports false if the budget is too small and then takes nothing.
func (e *evaluation) pay(cost uint64) bool {
	if cost > uint64(e.remaining) {
		return false
	}
	e.remaining -= int64(cost)
	if e.options.Costs {
		e.observed().Cost += cost
	}
	return true
}

// stop reports why no further rule runs. It returns false.
func (w *walker) stop(err *field.Error) bool {
	w.keep(&w.result.Errors, err)
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

// isInterrupted reports whether the end of the context stopped an evaluation.
func isInterrupted(err error) bool {
	return err != nil && errors.Is(err, interpreter.InterruptError{})
}

// isOverMemory reports whether an evaluation was stopped for its memory.
func isOverMemory(err error) bool {
	var exceeded *meter.ExceededError
	return errors.As(err, &exceeded)
}

// A done context does not end short rules, as on a server (CEL-097). These are
// how much of them runs before a look at the context.
const (
	// lookInterval is the number of evaluations between looks.
	lookInterval = 64
	// interruptedShare is what an interrupted evaluation counts for.
	interruptedShare = lookInterval / 8
)

// interrupt records that the context ended. It returns false.
func (w *walker) interrupt(cause error) bool {
	w.result.Err = cause
	return false
}

// goesOn looks at the context from time to time. It reports false once the
// context has ended, or the failures take too much memory.
func (w *walker) goesOn() bool {
	if w.used > FindingsMemory {
		return false
	}
	if w.unlooked++; w.unlooked < lookInterval {
		return true
	}
	w.unlooked = 0
	return w.ctx.Err() == nil || w.interrupt(context.Cause(w.ctx))
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
