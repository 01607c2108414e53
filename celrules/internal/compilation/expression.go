package compilation

import (
	"context"
	"sync"
	"sync/atomic"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Expression is one compiled rule or messageExpression. It is immutable and
// safe for concurrent use.
type Expression struct {
	// Text is the source, e.g. "self.min <= self.max".
	Text string
	// UsesOldSelf reports whether the expression refers to oldSelf.
	UsesOldSelf bool
	// Direct evaluates the expression without cel-go. It is nil if that is not
	// possible.
	Direct *fasteval.Program

	scope   *Scope
	checked *ast.AST

	planning sync.Once
	planned  *environment.Program
	planErr  error

	estimates atomic.Pointer[estimate]
	changes   atomic.Pointer[environment.Minors]
}

// estimate is the estimated cost for the sizes of one variant, in the minors
// that estimate alike.
type estimate struct {
	variant decl.Variant
	walk    [4]bool // what the minor does with sizes
	maxCost uint64
	next    *estimate
}

// program plans the expression for cel-go when it is first needed.
func (e *Expression) program() (*environment.Program, error) {
	e.planning.Do(func() { e.planned, e.planErr = e.scope.env.Env().Plan(e.checked) })
	return e.planned, e.planErr
}

// Eval evaluates the expression with cel-go. It returns the value and its cost.
func (e *Expression) Eval(
	ctx context.Context, vars cel.Activation, limits environment.Limits,
) (ref.Val, uint64, error) {
	program, err := e.program()
	if err != nil {
		return nil, 0, err
	}
	return program.Eval(ctx, vars, limits)
}

// Trace evaluates the expression and returns the value of each sub-expression,
// by its id in AST.
func (e *Expression) Trace(ctx context.Context, vars cel.Activation) (map[int64]ref.Val, error) {
	return e.scope.env.Env().Trace(ctx, e.checked, vars)
}

// Watch is like Trace but calls a function for each value when it is known.
func (e *Expression) Watch(
	ctx context.Context, vars cel.Activation, watch func(id int64, value ref.Val),
) error {
	return e.scope.env.Env().Watch(ctx, e.checked, vars, watch)
}

// AST returns the checked expression, which must not be changed.
func (e *Expression) AST() *ast.AST { return e.checked }

// MaxCost returns the estimated cost: the maximum that one evaluation can cost
// for a self that the node declares, in a minor (COST-010). Expressions compile
// the same for all nodes that have the same sizes.
func (e *Expression) MaxCost(p *profile.Profile, n *decl.Node) uint64 {
	first, walk := e.estimates.Load(), walkOf(p)
	for known := first; known != nil; known = known.next {
		if known.variant == n.Variant() && known.walk == walk {
			return known.maxCost
		}
	}
	added := &estimate{n.Variant(), walk, e.EstimateWith(p, n), first}
	e.estimates.CompareAndSwap(first, added) // else it is computed again
	return added.maxCost
}

// walkOf returns what a minor does with sizes.
func walkOf(p *profile.Profile) [4]bool {
	return [...]bool{
		p.KeptSizes, p.UnsizedMessages, p.ComputedSizes, p.URLSizes,
	}
}

// Sizes knows the sizes of values, e.g. that self.name has at most 20
// characters.
type Sizes interface {
	EstimateSize(element celcost.AstNode) *celcost.SizeEstimate
}

// EstimateWith returns the maximum that one evaluation can cost in a minor, for
// values of given sizes. Its error is that of an option of cel-go's, and no
// option has one.
func (e *Expression) EstimateWith(p *profile.Profile, sizes Sizes) uint64 {
	cost, _ := e.scope.env.Env().EstimateCost(p, e.checked, sizes)
	return cost.Max
}

// minors returns the minors that change what the expression means or costs.
func (e *Expression) minors() environment.Minors {
	if known := e.changes.Load(); known != nil {
		return *known
	}
	m := e.scope.env.Env().ChangesOf(e.checked, e.Text)
	e.changes.Store(&m)
	return m
}
