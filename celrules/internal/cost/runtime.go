package cost

import (
	"math"
	"slices"

	celcost "cel.dev/cel-go/common/cost"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"

	k8scel "github.com/crdsem/crdsem/celrules/internal/cel"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
)

// CallCost returns the cost of a call with these arguments (the receiver first)
// and this result. It is never nil, because cel-go's own charges depend on its
// version. It implements interpreter.ActualCostEstimator.
func (e *Estimator) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if cost := e.ownCost(function, overload, args, result); cost != nil {
		return cost
	}
	cost := standardCost(e.profile, overload, args)
	if cost == 1 {
		return e.one
	}
	return &cost
}

// ownCost returns the cost of a call that Kubernetes or a minor charges in its
// own way, nil for other calls.
func (e *Estimator) ownCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	switch {
	case !e.profile.OptionalSizes && hasOptional(function, args):
		// An optional value has the size of a number.
		cost := perUnit(min(actualSize(args[0]), actualSize(args[1])), perCharacter)
		return &cost
	case function == equalsOperator:
		return e.equalityCost(args)
	case overload == overloads.Matches && !e.profile.MatchesFunction:
		return e.one
	case isPrefixTest(overload) && !e.profile.PrefixLengths:
		cost := perUnit(actualSize(args[0]), perCharacter)
		return &cost
	}
	model := e.model(function, overload)
	switch model {
	case library.CostDefault:
		return nil
	case library.CostNominal:
		return e.one
	}
	if cost, known := runtimeCost(model, args, result); known {
		return &cost
	}
	return nil
}

// hasOptional reports whether a call is a comparison with an optional value.
func hasOptional(function string, args []ref.Val) bool {
	return (function == operators.Equals || function == operators.NotEquals) &&
		slices.ContainsFunc(args, func(v ref.Val) bool {
			_, ok := v.(*types.Optional)
			return ok
		})
}

// isPrefixTest reports whether an overload is startsWith or endsWith.
func isPrefixTest(overload string) bool {
	return overload == overloads.StartsWithString || overload == overloads.EndsWithString
}

// equalityCost charges 1 for a comparison of values of Kubernetes types
// (LIB-032, COST-103 to COST-106).
func (e *Estimator) equalityCost(args []ref.Val) *uint64 {
	if len(args) != 2 || !e.profile.OpaqueEquality {
		return nil
	}
	switch args[0].(type) {
	case k8scel.URL, k8scel.Quantity, *k8scel.Quantity, k8scel.Semver,
		k8scel.IP, k8scel.CIDR, k8scel.Format:
		return e.one
	}
	return nil
}

// runtimeCost returns the charge of a cost model. It returns false for a model
// that trackers charge, or if the model does not apply to the arguments.
func runtimeCost(c library.Cost, args []ref.Val, result ref.Val) (cost uint64, known bool) {
	switch c {
	case library.CostScan, library.CostTransform:
		return perUnit(actualSize(args[0]), perCharacter), true
	case library.CostScanTwice, library.CostReplace, library.CostSplit:
		return perUnit(actualSize(args[0]), 2*perCharacter), true
	case library.CostJoin:
		return perUnit(actualSize(result), 2*perCharacter), true
	case library.CostRegex:
		return regexCost(actualSize(args[0]), actualSize(args[1])), true
	case library.CostTraverse:
		return traversal(args[0]), true
	case library.CostContainsIP, library.CostContainsIPText,
		library.CostContainsCIDR, library.CostContainsCIDRText:
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
		return selectorCost(celcost.SizeEstimate{Min: size, Max: size}).Max, true
	}
	return 0, false
}

// perCharacter is the charge for reading a character of a string once, and for
// other units of data.
const perCharacter = celcost.StringTraversalCostFactor

// authorizationCheck is the cost of one check: two fit into an evaluation. The
// server has it in k8s.io/apiserver/pkg/cel/library/cost.go.
const authorizationCheck = 350_000

// perUnit charges a factor for each unit of a size. The sum is rounded up.
func perUnit(size uint64, factor float64) uint64 {
	return uint64(math.Ceil(float64(size) * factor))
}

// regexCost charges a match. The empty string counts as one character, so that
// matching is never free (COST-101).
func regexCost(subject, pattern uint64) uint64 {
	characters := uint64(math.Ceil((1 + float64(subject)) * perCharacter))
	return characters * perUnit(pattern, celcost.RegexStringLengthCostFactor)
}

// networkCost charges a comparison of the bytes of the receiver with those of
// the argument (COST-104).
func networkCost(c library.Cost, args []ref.Val) uint64 {
	bytes := actualSize(args[0])
	cost := perUnit(bytes+bytes, perCharacter)
	if c == library.CostContainsCIDR || c == library.CostContainsCIDRText {
		cost += perUnit(bytes, perCharacter) + 1
	}
	if c == library.CostContainsIPText || c == library.CostContainsCIDRText {
		cost += perUnit(actualSize(args[1]), perCharacter)
	}
	return cost
}

// actualSize returns the size of a value: code points, bytes, items, entries,
// and 1 for a value without a size (COST-112).
func actualSize(v ref.Val) uint64 {
	if sizer, ok := v.(traits.Sizer); ok {
		size, _ := sizer.Size().(types.Int)
		return uint64(size)
	}
	return 1
}

// traversal charges reading a value down to its leaves. The charge of each
// string is rounded down, so strings of less than ten bytes are free
// (COST-100).
func traversal(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(float64(len(v)) * perCharacter)
	case types.Bytes:
		return uint64(float64(len(v)) * perCharacter)
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
