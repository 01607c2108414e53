package upgrade

import (
	"context"
	"sync/atomic"

	"github.com/crdsem/crdsem/internal/kit/relang"
)

// Budget bounds the work of all comparisons that share it: the objects that are
// tried, and the steps of comparing patterns. What it leaves open is undecided.
// It is safe for concurrent use; comparisons one after the other leave the same
// open each time.
type Budget struct {
	objects  atomic.Int64
	patterns *relang.Budget
	open     atomic.Int64
}

// NewBudget returns a budget of so many objects.
func NewBudget(objects int) *Budget {
	b := &Budget{patterns: relang.NewBudget()}
	b.objects.Store(int64(objects))
	return b
}

// LeftOpen returns how many searches for an object, and how many comparisons of
// patterns, were left open because the budget was spent.
func (b *Budget) LeftOpen() (searches, patterns int) {
	return int(b.open.Load()), b.patterns.LeftOpen()
}

// Within bounds the work of a comparison by a budget, which it may share with
// others. Without this option, or with nil, only [Tries] bounds it.
func Within(b *Budget) Option { return optionOf(func(o *options) { o.budget = b }) }

// context returns a context for the comparisons of patterns.
func (b *Budget) context(ctx context.Context) context.Context {
	if b == nil {
		return ctx
	}
	return relang.WithBudget(ctx, b.patterns)
}

// take takes the objects of one search, and returns how many there are.
func (b *Budget) take(tries int) int {
	if b == nil {
		return tries
	}
	left := b.objects.Add(int64(-tries)) + int64(tries)
	if left >= int64(tries) {
		return tries
	}
	b.open.Add(1)
	return int(max(0, left))
}
