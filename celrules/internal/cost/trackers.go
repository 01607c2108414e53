package cost

import (
	"math"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/library"
)

// trackersByOverload returns the trackers of cel-go's list and set libraries,
// by overload id. They have precedence over the estimator, as on a server.
// cel-go adds its own trackers only to programs that a cel.Env makes.
// Estimates of these calls come from cel-go.
func trackersByOverload() map[string]interpreter.FunctionTracker {
	out := map[string]interpreter.FunctionTracker{}
	for _, lib := range library.Libraries() {
		if lib.Name != library.ExtLists && lib.Name != library.ExtSets {
			continue
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				if t := extensionTracker(o.Cost); t != nil {
					out[o.ID] = t
				}
			}
		}
	}
	return out
}

// extensionTracker returns the tracker of a cost model. Where an argument is not of the type that the overload declares, a tracker panics
// just as cel-go's does; the evaluation fails with the server's text then.
func extensionTracker(c library.Cost) interpreter.FunctionTracker {
	switch c {
	case library.CostListSlice, library.CostListRange, library.CostListReverse:
		return func(_ []ref.Val, result ref.Val) *uint64 { return allocation(1, actualSize(result)) }
	case library.CostListFlatten:
		return flattenCost
	case library.CostListDistinct, library.CostListSort:
		return func(args []ref.Val, _ ref.Val) *uint64 { return pairwiseCost(args[0].(traits.Lister)) }
	case library.CostListSortBy:
		return func(args []ref.Val, _ ref.Val) *uint64 { return pairwiseCost(args[1].(traits.Lister)) }
	case library.CostSetCompare:
		return setCost(1)
	case library.CostSetCompareTwice:
		return setCost(2)
	}
	return nil
}

// allocation charges a call that makes a list: a factor for each element, the call, and the list. A negative factor counts as 1.
func allocation(factor float64, size uint64) *uint64 {
	if factor < 0 {
		factor = 1
	}
	cost := addCosts(uint64(float64(size)*factor), 1+common.ListCreateBaseCost)
	return &cost
}

// flattenCost charges the elements once per level.
func flattenCost(args []ref.Val, _ ref.Val) *uint64 {
	depth := 1.0
	if len(args) == 2 {
		depth = float64(args[1].(types.Int))
	}
	return allocation(depth, actualSize(args[0]))
}

// pairwiseCost charges comparing every element with every other in both directions, and reading strings and bytes.
func pairwiseCost(list traits.Lister) *uint64 {
	size := actualSize(list)
	factor := 2.0
	if size > 0 {
		if first := list.Get(types.IntZero).Type(); first == types.StringType || first == types.BytesType {
			factor += common.StringTraversalCostFactor
		}
	}
	return allocation(factor, multiplyCosts(size, size))
}

// setCost charges comparing every element of one list with every one of another, as often as times says.
func setCost(times float64) interpreter.FunctionTracker {
	return func(args []ref.Val, _ ref.Val) *uint64 {
		cost := addCosts(1, uint64(float64(actualSize(args[0])*actualSize(args[1]))*times))
		return &cost
	}
}

// addCosts adds and saturates.
func addCosts(a, b uint64) uint64 {
	if b > math.MaxUint64-a {
		return math.MaxUint64
	}
	return a + b
}

// multiplyCosts multiplies and saturates.
func multiplyCosts(a, b uint64) uint64 {
	if b != 0 && a > math.MaxUint64/b {
		return math.MaxUint64
	}
	return a * b
}
