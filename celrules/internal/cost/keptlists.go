package cost

import (
	"math"
	"strings"

	"cel.dev/cel-go/common/ast"
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"

	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// Estimates of cel-go's library of lists from Kubernetes 1.33 to 1.37, as
// ext/lists.go of cel-go v0.29.2 has them.

// estimateList estimates a call of the library of lists, nil for other calls.
// The arguments are not part of it.
func (e *Estimator) estimateList(c *formerCall) *celcost.CallEstimate {
	switch e.model(c.function, c.overload) {
	case library.CostListRange:
		return newList(1, celcost.FixedSizeEstimate(literalInt(c.args[0], math.MaxUint64)))
	case library.CostListSlice:
		size := e.sizeOf(*c.receiver)
		start, end := literalInt(c.args[0], 0), literalInt(c.args[1], size.Max)
		return newList(1, celcost.FixedSizeEstimate(end-start)) // it wraps
	case library.CostListReverse:
		return newList(1, e.sizeOf(*c.receiver))
	case library.CostListFlatten:
		depth := uint64(1)
		if len(c.args) == 1 {
			depth = literalInt(c.args[0], math.MaxUint64)
		}
		return newList(float64(depth), e.sizeOf(*c.receiver))
	case library.CostListDistinct:
		return newList(2, squared(e.sizeOf(*c.receiver)))
	case library.CostListSort:
		return newList(sortFactor(c.overload), squared(e.sizeOf(*c.receiver)))
	case library.CostListSortBy:
		return newList(sortFactor(c.overload), squared(e.sizeOf(c.args[0])))
	}
	return nil
}

// newList estimates a call that makes a list.
func newList(factor float64, size celcost.SizeEstimate) *celcost.CallEstimate {
	cost := size.MultiplyByCostFactor(factor).Add(fixedCost(1 + celcost.ListCreateBaseCost))
	return sized(cost, size)
}

func squared(size celcost.SizeEstimate) celcost.SizeEstimate { return size.Multiply(size) }

// sortFactor returns the charge for comparing two items of a list that an
// overload sorts, e.g. list_string_sort.
func sortFactor(overload string) float64 {
	if strings.HasPrefix(overload, "list_string_") || strings.HasPrefix(overload, "list_bytes_") {
		return 2 + perCharacter
	}
	return 2
}

// literalInt returns the value of a literal, 0 if it is negative, and the
// default if an argument is no literal integer.
func literalInt(n celcost.AstNode, otherwise uint64) uint64 {
	if n.Expr().Kind() != ast.LiteralKind {
		return otherwise
	}
	value, ok := n.Expr().AsLiteral().(types.Int)
	if !ok {
		return otherwise
	}
	return uint64(max(value, 0))
}
