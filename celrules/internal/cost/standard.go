package cost

import (
	"math"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types/ref"
)

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
