package upgrade

import (
	"math"
)

// width returns the integers of the node's format.
func (n *node) width() (low, high float64) {
	if n.values.Format == "int32" {
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// isFloat reports whether all numbers of the node are in the range of the
// format float. A multiple is an integer of 64 bits times the factor.
func (n *node) isFloat() bool {
	low, high := n.interval()
	most := math.Inf(1)
	if factor := n.values.MultipleOf; factor != nil {
		most = *factor * (1 << 63)
	}
	return max(low, -most) >= -math.MaxFloat32 && min(high, most) <= math.MaxFloat32
}

// interval returns bounds of the numbers that the node accepts.
func (n *node) interval() (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	if n.Type() == "integer" {
		low, high = n.width()
	}
	if bound := n.values.Minimum; bound != nil {
		low = max(low, *bound)
	}
	if bound := n.values.Maximum; bound != nil {
		high = min(high, *bound)
	}
	return low, high
}

// isWhole reports whether bounds of the node are sound: a bound of integers
// that is no integer refuses all of them.
func (n *node) isSound(bounds ...*float64) bool {
	for _, bound := range bounds {
		if bound != nil && n.Type() != "number" && (*bound != math.Trunc(*bound) ||
			math.Abs(*bound) >= 1<<53) {
			return false
		}
	}
	return true
}

// numbers returns the numbers at limits of some nodes, and next to them.
func numbers(nodes ...*node) []any {
	list := []any{int64(0), int64(1), int64(-1)}
	var limits []float64
	for _, n := range nodes {
		for _, limit := range []*float64{n.values.Minimum, n.values.Maximum, n.values.MultipleOf} {
			if limit != nil {
				limits = append(limits, *limit)
			}
		}
	}
	list = append(list, multiples(limits, nodes)...)
	for _, limit := range append(limits, math.MinInt32, math.MaxInt32) {
		whole := math.Trunc(limit)
		if math.Abs(whole) < 1<<53 {
			list = append(list, int64(whole), int64(whole)-1, int64(whole)+1)
			for _, factor := range limits {
				if step := int64(math.Abs(factor)); step > 1 && step < 1<<20 {
					list = append(list, (int64(whole)/step+1)*step, int64(whole)/step*step,
						(int64(whole)/step-1)*step)
				}
			}
		}
		if whole != limit { // an integer is compared with the whole part
			list = append(list, limit, limit-0.125, limit+0.125)
		}
	}
	return append(list, int64(math.MaxInt64), int64(math.MinInt64), 0.5, -0.5, 1.5, 1e300, -1e300)
}

// multiples returns the multiples of the nodes' broken factors around limits.
func multiples(limits []float64, nodes []*node) (list []any) {
	const near, exact = 4, 1 << 53
	for _, n := range nodes {
		factor := valueOf(n.values.MultipleOf)
		if factor, has := factor.(float64); has && factor > 0 && factor != math.Trunc(factor) {
			for _, limit := range limits {
				at := math.Round(limit / factor)
				for i := at - near; i <= at+near && math.Abs(at) < exact; i++ {
					list = append(list, i*factor)
				}
			}
		}
	}
	return list
}

// refusesNumbers answers by the numbers at limits. Without one that shows it,
// isWithin reports whether the restriction accepts every number.
func refusesNumbers(from, restriction *node, isWithin func() bool) answer {
	if !from.admits("integer") && !from.admits("number") {
		return answer{verdict: no}
	}
	if a, ok := from.members(restriction); ok {
		return a
	}
	a := from.shownBy(restriction, numbers(from, restriction))
	if a.verdict == open && isWithin() {
		return answer{verdict: no}
	}
	return a
}

func refusesByMaximum(from, to *node) answer {
	bound, exclusive := to.values.Maximum, to.values.ExclusiveMaximum
	restriction := to.restricted(map[string]any{
		"maximum": *bound, "exclusiveMaximum": exclusive,
	})
	return refusesNumbers(from, restriction, func() bool {
		_, high := from.interval()
		return to.isSound(bound) && (high < *bound || high == *bound &&
			(!exclusive || from.values.Maximum != nil && *from.values.Maximum == high &&
				from.values.ExclusiveMaximum))
	})
}

func refusesByMinimum(from, to *node) answer {
	bound, exclusive := to.values.Minimum, to.values.ExclusiveMinimum
	restriction := to.restricted(map[string]any{
		"minimum": *bound, "exclusiveMinimum": exclusive,
	})
	return refusesNumbers(from, restriction, func() bool {
		low, _ := from.interval()
		return to.isSound(bound) && (low > *bound || low == *bound &&
			(!exclusive || from.values.Minimum != nil && *from.values.Minimum == low &&
				from.values.ExclusiveMinimum))
	})
}

func refusesByMultipleOf(from, to *node) answer {
	factor := to.values.MultipleOf
	restriction := to.restricted(map[string]any{"multipleOf": *factor})
	return refusesNumbers(from, restriction, func() bool {
		old := from.values.MultipleOf
		return old != nil && from.Type() == "integer" && to.isSound(old, factor) &&
			*factor > 0 && math.Mod(*old, *factor) == 0
	})
}
