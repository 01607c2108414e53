package cost

import (
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types/ref"
)

// standardCost returns the charge for a function of CEL's standard library. It
// is the switch of CostTracker.costCall in interpreter/runtimecost.go, cel-go
// v0.29.2.
func standardCost(overload string, args []ref.Val) uint64 {
	scan := func(size uint64) uint64 { return perUnit(size, perCharacter) }
	switch overload {
	case overloads.StartsWithString, overloads.EndsWithString:
		return scan(actualSize(args[1]))
	case overloads.StringToBytes, overloads.BytesToString,
		overloads.ExtQuoteString, overloads.ExtFormatString:
		return scan(actualSize(args[0]))
	case overloads.InList:
		return actualSize(args[1])
	case overloads.AddString, overloads.AddBytes:
		return scan(actualSize(args[0]) + actualSize(args[1]))
	case overloads.Matches, overloads.MatchesString:
		return regexCost(actualSize(args[0]), actualSize(args[1]))
	case overloads.ContainsString:
		return scan(actualSize(args[0])) * scan(actualSize(args[1]))
	}
	if readsBoth(overload) {
		return scan(min(actualSize(args[0]), actualSize(args[1])))
	}
	return 1
}

// readsBoth reports whether an overload reads both arguments up to the end of
// the shorter one.
func readsBoth(overload string) bool {
	switch overload {
	case overloads.LessString, overloads.LessEqualsString,
		overloads.GreaterString, overloads.GreaterEqualsString,
		overloads.LessBytes, overloads.LessEqualsBytes,
		overloads.GreaterBytes, overloads.GreaterEqualsBytes,
		overloads.Equals, overloads.NotEquals:
		return true
	}
	return false
}
