package cost

import (
	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// trackersByOverload returns the trackers of cel-go's list and set libraries,
// by overload id. They have precedence over the estimator, as on a server.
// cel-go adds its own trackers only to programs that a cel.Env makes.
// Estimates of these calls come from cel-go.
func trackersByOverload(p *profile.Profile) map[string]celcost.FunctionTracker {
	out := map[string]celcost.FunctionTracker{}
	for _, lib := range library.Libraries() {
		if lib.Name != library.ExtLists && lib.Name != library.ExtSets {
			continue
		}
		for _, f := range lib.Functions() {
			for _, o := range f.Overloads {
				out[o.ID] = extensionTracker(o.Cost, p)
			}
		}
	}
	return out
}

// extensionTracker returns the tracker of a cost model, nil if it has none.
// Where an argument is not of the declared type, the tracker panics, like that
// of cel-go; the evaluation then fails with the server's message.
//
// The trackers are those of ext/lists.go and ext/sets.go in cel-go v0.29.2.
func extensionTracker(c library.Cost, p *profile.Profile) celcost.FunctionTracker {
	switch c {
	case library.CostListRange:
		return func(args []ref.Val, result ref.Val) *uint64 {
			if n, ok := args[0].(types.Int); ok && result == nil { // the call is yet to be made
				return allocation(1, uint64(max(n, 0)))
			}
			return allocation(1, madeSize(p, result))
		}
	case library.CostListSlice, library.CostListReverse:
		return func(_ []ref.Val, result ref.Val) *uint64 {
			return allocation(1, madeSize(p, result))
		}
	case library.CostListFlatten:
		return func(args []ref.Val, _ ref.Val) *uint64 { return flattenCost(p, args) }
	case library.CostListDistinct, library.CostListSort:
		return func(args []ref.Val, _ ref.Val) *uint64 {
			return pairwiseCost(args[0].(traits.Lister))
		}
	case library.CostListSortBy:
		return func(args []ref.Val, _ ref.Val) *uint64 {
			return pairwiseCost(args[1].(traits.Lister))
		}
	case library.CostSetCompare:
		return setCost(1)
	case library.CostSetCompareTwice:
		return setCost(2)
	}
	return nil
}

// allocation charges a call that makes a list: factor for each element, 1 for
// the call, and the base cost of a list. A negative factor counts as 1.
func allocation(factor float64, size uint64) *uint64 {
	if factor < 0 {
		factor = 1
	}
	cost := saturate.Add(uint64(float64(size)*factor), 1+celcost.ListCreateBaseCost)
	return &cost
}

// madeSize returns the size of a list that a call made. An error has the size 1
// before Kubernetes 1.38.
func madeSize(p *profile.Profile, made ref.Val) uint64 {
	if p.ListErrors && types.IsError(made) {
		return 0
	}
	return actualSize(made)
}

// flattenCost charges the elements once for each level. A depth that is no
// integer panics before Kubernetes 1.38. A negative one counts as 0; in 1.37,
// as 1; before, it makes the cost smaller, and it may wrap.
func flattenCost(p *profile.Profile, args []ref.Val) *uint64 {
	depth := types.IntOne
	if len(args) == 2 {
		given, ok := args[1].(types.Int)
		switch {
		case ok:
			depth = given
		case !p.ListErrors:
			_ = args[1].(types.Int)
		}
	}
	if p.NoNegativeDepths {
		depth = max(depth, 0)
	}
	if depth < 0 && !p.NegativeFlattenDepths {
		levels := int64(float64(actualSize(args[0])) * float64(depth))
		cost := uint64(levels) + 1 + celcost.ListCreateBaseCost
		return &cost
	}
	return allocation(float64(depth), actualSize(args[0]))
}

// pairwiseCost charges a comparison of every element with every other one in
// both directions, and reading them if they are strings or bytes.
func pairwiseCost(list traits.Lister) *uint64 {
	size := actualSize(list)
	factor := 2.0
	if size > 0 {
		first := list.Get(types.IntZero).Type()
		if first == types.StringType || first == types.BytesType {
			factor += perCharacter
		}
	}
	return allocation(factor, saturate.Mul(size, size))
}

// setCost charges a comparison of every element of one list with every element
// of another, times times.
func setCost(times float64) celcost.FunctionTracker {
	return func(args []ref.Val, _ ref.Val) *uint64 {
		cost := saturate.Add(1, uint64(float64(actualSize(args[0])*actualSize(args[1]))*times))
		return &cost
	}
}
