package environment

import (
	"math"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Function returns what a call runs: the overload of that id, or else, where the overload is found at run time, the function of that
// name. It returns nil if there is neither.
func (e *Env) Function(function, overload string) *functions.Overload {
	if overload != "" {
		if f, ok := e.functions.FindOverload(overload); ok {
			return f
		}
	}
	f, _ := e.functions.FindOverload(function)
	return f
}

// CallCost returns what a call costs that was made with these arguments (the receiver first) and had this result: what the trackers of the
// overload or the libraries charge, otherwise what cel-go does (COST-023).
func (e *Env) CallCost(function, overload string, args []ref.Val, result ref.Val) uint64 {
	if tracker, ok := e.trackers[overload]; ok {
		if cost := tracker(args, result); cost != nil {
			return *cost
		}
	}
	if cost := e.estimator.CallCost(function, overload, args, result); cost != nil {
		return *cost
	}
	return standardCost(overload, args)
}

// trackersByOverload returns what extensionTrackers gives to cel-go, by overload.
func trackersByOverload() map[string]interpreter.FunctionTracker {
	out := map[string]interpreter.FunctionTracker{}
	eachTracker(func(overload string, t interpreter.FunctionTracker) { out[overload] = t })
	return out
}

// standardCost is cel-go's charge for the functions of its standard library.
func standardCost(overload string, args []ref.Val) uint64 {
	scan := func(size uint64) uint64 { return perUnit(size, common.StringTraversalCostFactor) }
	switch overload {
	case overloads.StartsWithString, overloads.EndsWithString:
		return scan(actualSize(args[1]))
	case overloads.StringToBytes, overloads.BytesToString, overloads.ExtQuoteString, overloads.ExtFormatString:
		return scan(actualSize(args[0]))
	case overloads.InList:
		return actualSize(args[1])
	case overloads.AddString, overloads.AddBytes:
		return scan(actualSize(args[0]) + actualSize(args[1]))
	case overloads.Matches, overloads.MatchesString:
		text := uint64(math.Ceil((1 + float64(actualSize(args[0]))) * common.StringTraversalCostFactor))
		return text * perUnit(actualSize(args[1]), common.RegexStringLengthCostFactor)
	case overloads.ContainsString:
		return scan(actualSize(args[0])) * scan(actualSize(args[1]))
	}
	if comparesTexts(overload) {
		return scan(min(actualSize(args[0]), actualSize(args[1])))
	}
	return 1
}

// comparesTexts tells the overloads that read both arguments up to the end of the shorter one.
func comparesTexts(overload string) bool {
	switch overload {
	case overloads.LessString, overloads.GreaterString, overloads.LessEqualsString, overloads.GreaterEqualsString,
		overloads.LessBytes, overloads.GreaterBytes, overloads.LessEqualsBytes, overloads.GreaterEqualsBytes,
		overloads.Equals, overloads.NotEquals:
		return true
	}
	return false
}
