package generate

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/crdsem/crdsem/internal/kit/relang"
)

// Budget bounds the work of all searches that share it: the objects that they
// try, those with expensive rules more than once, and the steps of comparing
// patterns. It is safe for concurrent use; searches one after the other end at
// the same object each time.
type Budget struct {
	objects  atomic.Int64
	open     atomic.Int64
	patterns *relang.Budget
}

// NewBudget returns a budget of so many objects that are tried.
func NewBudget(objects int) *Budget {
	b := &Budget{patterns: relang.NewBudget()}
	b.objects.Store(int64(objects))
	return b
}

// LeftOpen returns how many searches ended without an object, and how many
// comparisons of patterns without an answer, because the budget was spent.
func (b *Budget) LeftOpen() (searches, patterns int) {
	return int(b.open.Load()), b.patterns.LeftOpen()
}

// Sharing returns Resources whose searches share a budget. The error of one
// that ends with it is an *[UnmadeError].
func (s *Resources) Sharing(b *Budget) *Resources {
	bounded := *s
	bounded.budget = b
	return &bounded
}

// errSpent says that a search met the budget that it shares.
var errSpent = errors.New("the budget of all searches is spent")

// costOfTry is how expensive the rules of an object can be, in the server's
// units, that counts as one.
const costOfTry = 10_000

// take counts an object that was tried, whose rules have a cost.
func (b *Budget) take(cost int64) {
	if b != nil {
		b.objects.Add(-1 - cost/costOfTry)
	}
}

// isSpent reports whether nothing is left.
func (b *Budget) isSpent() bool { return b != nil && b.objects.Load() <= 0 }

// context returns a context for the comparisons of patterns.
func (b *Budget) context(ctx context.Context) context.Context {
	if b == nil {
		return ctx
	}
	return relang.WithBudget(ctx, b.patterns)
}
