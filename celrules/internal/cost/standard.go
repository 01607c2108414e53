package cost

import (
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// sizeWithin is actualSize as cel-go's own charges have it: an optional value
// has the size of its value from Kubernetes 1.33 to 1.37 (COST-112).
func sizeWithin(p *profile.Profile, v ref.Val) uint64 {
	sized := p.OptionalSizes && !p.UnsizedOptionals
	if optional, ok := v.(*types.Optional); ok && sized && optional.HasValue() {
		return sizeWithin(p, optional.GetValue())
	}
	return actualSize(v)
}

// standardCost returns the charge for a function of CEL's standard library. It
// is the switch of CostTracker.costCall in interpreter/runtimecost.go, cel-go
// v0.29.2.
func standardCost(p *profile.Profile, overload string, args []ref.Val) uint64 {
	size := func(i int) uint64 { return sizeWithin(p, args[i]) }
	scan := func(size uint64) uint64 { return perUnit(size, perCharacter) }
	switch overload {
	case overloads.StartsWithString, overloads.EndsWithString:
		return scan(size(1))
	case overloads.StringToBytes, overloads.BytesToString,
		overloads.ExtQuoteString, overloads.ExtFormatString:
		return scan(size(0))
	case overloads.InList:
		return size(1)
	case overloads.AddString, overloads.AddBytes:
		return scan(size(0) + size(1))
	case overloads.Matches, overloads.MatchesString:
		return regexCost(size(0), size(1))
	case overloads.ContainsString:
		return scan(size(0)) * scan(size(1))
	}
	if readsBoth(overload) {
		return scan(min(size(0), size(1)))
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
