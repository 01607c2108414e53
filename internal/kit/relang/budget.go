package relang

import (
	"context"
	"sync/atomic"
)

// Budget bounds the steps of all comparisons whose context has it. It is safe
// for concurrent use.
type Budget struct {
	left atomic.Int64
	open atomic.Int64
}

// enough is how many comparisons to the end of their own bound a budget has.
const enough = 16

// NewBudget returns the budget of one run of a program.
func NewBudget() *Budget {
	b := &Budget{}
	b.left.Store(enough * maxSteps)
	return b
}

// LeftOpen returns how many comparisons the budget left undecided.
func (b *Budget) LeftOpen() int { return int(b.open.Load()) }

type budgetKey struct{}

// WithBudget returns a context whose comparisons share a budget.
func WithBudget(ctx context.Context, b *Budget) context.Context {
	return context.WithValue(ctx, budgetKey{}, b)
}

// begin returns a comparison with the steps that it may take.
func begin(ctx context.Context) *comparison {
	c := &comparison{ctx: ctx, left: maxSteps}
	if c.budget, _ = ctx.Value(budgetKey{}).(*Budget); c.budget != nil {
		c.left = int(max(0, min(maxSteps, c.budget.left.Load())))
	}
	c.given = c.left
	return c
}

// end takes the steps out of the budget.
func (c *comparison) end() {
	if c.budget == nil {
		return
	}
	if c.left <= 0 && c.given < maxSteps {
		c.budget.open.Add(1)
	}
	c.budget.left.Add(int64(max(0, c.left) - c.given))
}
