package cost

import (
	"math"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/celrules/library"
)

// CallCost returns what a call costs that was made with these arguments (the receiver first) and had this result, nil to leave it to
// cel-go.
func (e *Estimator) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if function == equalsOperator {
		return e.equalityCost(args)
	}
	model := e.model(function, overload)
	switch model {
	case library.CostDefault:
		return nil
	case library.CostNominal:
		return e.one
	}
	if len(args) < leastArguments(model) {
		return nil
	}
	if cost, known := runtimeCost(model, args, result); known {
		return &cost
	}
	return nil
}

// equalityCost charges 1 for comparing values of Kubernetes types (LIB-032, COST-103 … COST-106).
func (e *Estimator) equalityCost(args []ref.Val) *uint64 {
	if len(args) != 2 {
		return nil
	}
	switch args[0].(type) {
	case k8scel.URL, k8scel.Quantity, *k8scel.Quantity, k8scel.Semver, k8scel.IP, k8scel.CIDR, k8scel.Format:
		return e.one
	}
	return nil
}

// leastArguments is how many arguments a cost model looks at.
func leastArguments(c library.Cost) int {
	switch c {
	case library.CostTraverse, library.CostAuthorizationCheck:
		return 0
	case library.CostRegex, library.CostFormatValidate, library.CostSelector,
		library.CostContainsIP, library.CostContainsIPText, library.CostContainsCIDR, library.CostContainsCIDRText:
		return 2
	}
	return 1
}

// runtimeCost charges a call by its cost model, where this package has the model's charge.
func runtimeCost(c library.Cost, args []ref.Val, result ref.Val) (cost uint64, known bool) {
	switch c {
	case library.CostScan, library.CostTransform:
		return perUnit(actualSize(args[0]), common.StringTraversalCostFactor), true
	case library.CostScanTwice, library.CostReplace, library.CostSplit:
		return perUnit(actualSize(args[0]), 2*common.StringTraversalCostFactor), true
	case library.CostJoin:
		return perUnit(actualSize(result), 2*common.StringTraversalCostFactor), true
	case library.CostRegex:
		return regexCost(actualSize(args[0]), actualSize(args[1])), true
	case library.CostTraverse:
		if len(args) == 0 {
			return 0, true
		}
		return traversal(args[0]), true
	case library.CostContainsIP, library.CostContainsIPText, library.CostContainsCIDR, library.CostContainsCIDRText:
		return networkCost(c, args), true
	case library.CostFormatValidate:
		format, ok := args[0].(k8scel.Format)
		if !ok {
			return 0, false
		}
		return regexCost(actualSize(args[1]), format.RegexSize), true
	case library.CostAuthorizationCheck:
		return authorizationCheck, true
	case library.CostSelector:
		size := actualSize(args[1])
		return selectorCost(checker.SizeEstimate{Min: size, Max: size}).Max, true
	}
	return 0, false
}

// authorizationCheck is what one check costs: two fit into an evaluation.
const authorizationCheck = 350_000

// perUnit charges a factor for each unit of a size, rounded up.
func perUnit(size uint64, factor float64) uint64 {
	return uint64(math.Ceil(float64(size) * factor))
}

// regexCost charges a match; the empty string counts as one character so that matching is never free (COST-101).
func regexCost(subject, pattern uint64) uint64 {
	characters := uint64(math.Ceil((1 + float64(subject)) * common.StringTraversalCostFactor))
	return characters * perUnit(pattern, common.RegexStringLengthCostFactor)
}

// networkCost charges comparing the bytes of the receiver with those of the argument (COST-104).
func networkCost(c library.Cost, args []ref.Val) uint64 {
	bytes := actualSize(args[0])
	cost := perUnit(bytes+bytes, common.StringTraversalCostFactor)
	if c == library.CostContainsCIDR || c == library.CostContainsCIDRText {
		cost += perUnit(bytes, common.StringTraversalCostFactor) + 1
	}
	if c == library.CostContainsIPText || c == library.CostContainsCIDRText {
		cost += perUnit(actualSize(args[1]), common.StringTraversalCostFactor)
	}
	return cost
}

// actualSize is the size of what has one: code points, bytes, elements; 1 for the rest (COST-112).
func actualSize(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		size, _ := sizer.Size().(types.Int)
		return uint64(size)
	}
	return 1
}

// traversal charges reading a value to its leaves. Short strings are free: the charge is rounded down, per string (COST-100).
func traversal(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(float64(len(v)) * common.StringTraversalCostFactor)
	case types.Bytes:
		return uint64(float64(len(v)) * common.StringTraversalCostFactor)
	case traits.Lister:
		cost := uint64(0)
		for it := v.Iterator(); it.HasNext() == types.True; {
			cost += traversal(it.Next())
		}
		return cost
	case traits.Mapper:
		cost := uint64(0)
		for it := v.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			cost += traversal(key) + traversal(v.Get(key))
		}
		return cost
	}
	return 1
}
