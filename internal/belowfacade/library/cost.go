package library

import "slices"

// Cost is a cost model: it says what a function call is charged. There are two
// charges. The estimate is computed before a rule runs, from the sizes that the
// schema allows. The run-time cost is computed from the actual sizes. The costs
// of the arguments are added to both.
//
// [Cost.Estimate] and [Cost.Runtime] return formulas, e.g. "⌈0.1n⌉". In them, n
// is the size of the receiver, or of the first argument of a global function:
// the code points of a string, the number of bytes, or the elements of a list
// or map. ⌈x⌉ rounds up and ⌊x⌋ truncates. All sums and products are at most
// 2^64-1. A value without a bound has that size too.
//
// The formulas come from k8s.io/apiserver/pkg/cel/library/cost.go, and those of
// lists, sets and strings from cel-go's package ext.
type Cost int

const (
	// CostDefault is cel-go's own charge: 1, or the charge of a standard
	// function.
	CostDefault Cost = iota
	// CostNominal is always 1.
	CostNominal
	// CostScan reads a string once.
	CostScan
	// CostTransform reads a string once and returns one that is not longer.
	CostTransform
	// CostScanTwice reads a string twice.
	CostScanTwice
	// CostReplace reads a string and builds the result.
	CostReplace
	// CostSplit reads a string and builds a list of its parts.
	CostSplit
	// CostJoin builds a string from a list's elements and separators.
	CostJoin
	// CostRegex matches a regular expression.
	CostRegex
	// CostTraverse compares all elements of a list.
	CostTraverse
	// CostContainsIP compares the bytes of a network and of an address.
	CostContainsIP
	// CostContainsIPText is CostContainsIP, and parses the address.
	CostContainsIPText
	// CostContainsCIDR compares and masks the bytes of two networks.
	CostContainsCIDR
	// CostContainsCIDRText is CostContainsCIDR, and parses the second network.
	CostContainsCIDRText
	// CostFormatValidate matches the regular expression of a named format.
	CostFormatValidate
	// CostAuthorizationCheck asks the authorizer. Three calls exceed the
	// per-call limit.
	CostAuthorizationCheck
	// CostSelector parses a field or label selector.
	CostSelector
	// CostListSlice copies a part of a list.
	CostListSlice
	// CostListFlatten copies nested lists.
	CostListFlatten
	// CostListRange builds a list of numbers.
	CostListRange
	// CostListReverse copies a list.
	CostListReverse
	// CostListDistinct compares each element with each other one.
	CostListDistinct
	// CostListSort compares each element with each other one.
	CostListSort
	// CostListSortBy compares each key with each other one.
	CostListSortBy
	// CostSetCompare compares each element of one list with each of another.
	CostSetCompare
	// CostSetCompareTwice compares in both directions.
	CostSetCompareTwice
	// CostFormatString reads the format string.
	CostFormatString
	// CostQuote reads a string and returns one of size 2n+2 at most.
	CostQuote
)

// costModel is the name of a cost model in functions.txt, and its two formulas.
type costModel struct{ name, estimate, runtime string }

// costModels has the cost models (COST-023, COST-100 to COST-112).
var costModels = [...]costModel{
	CostDefault:   {"default", "1", "1"},
	CostNominal:   {"nominal", "1", "1"},
	CostScan:      {"scan", "⌈0.1n⌉", "⌈0.1n⌉"},
	CostTransform: {"transform", "⌈0.1n⌉; result size n", "⌈0.1n⌉"},
	CostScanTwice: {"scan-twice", "⌈0.2n⌉", "⌈0.2n⌉"},
	CostReplace: {
		"replace",
		"⌈0.2n⌉; result size from the smallest searched and largest replacing string, at " +
			"most (n+1)·r+n",
		"⌈0.2n⌉",
	},
	CostSplit: {"split", "⌈0.2n⌉; result size 0 to n, or to a literal limit", "⌈0.2n⌉"},
	CostJoin: {
		"join",
		"⌈0.1s⌉, s = n·element + (n-1)·separator; result size s",
		"⌈0.2·size of the result⌉",
	},
	CostRegex: {
		"regex",
		"⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉; result size 0 to n",
		"⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉",
	},
	CostTraverse: {
		"traverse",
		"lists: n, or n·(1+⌈0.1·element⌉) for elements that are strings or bytes; " +
			"strings: ⌈0.1n⌉",
		"⌊0.1·bytes⌋ for each string or bytes, 1 for any other scalar, summed over all " +
			"values in the receiver",
	},
	CostContainsIP: {"contains-ip", "4", "⌈0.2c⌉, c = ⌈prefix bits/8⌉"},
	CostContainsIPText: {
		"contains-ip-text",
		"4+⌈0.1·argument⌉",
		"⌈0.2c⌉+⌈0.1·argument⌉, c = ⌈prefix bits/8⌉",
	},
	CostContainsCIDR: {"contains-cidr", "7", "⌈0.2c⌉+⌈0.1c⌉+1, c = ⌈prefix bits/8⌉"},
	CostContainsCIDRText: {
		"contains-cidr-text",
		"7+⌈0.1·argument⌉",
		"⌈0.2c⌉+⌈0.1c⌉+1+⌈0.1·argument⌉, c = ⌈prefix bits/8⌉",
	},
	CostFormatValidate: {
		"format-validate",
		"⌈0.1·argument⌉·32",
		"⌈0.1(argument+1)⌉·⌈0.25·size of the format's regular expression⌉",
	},
	CostAuthorizationCheck: {"authorization-check", "350000", "350000"},
	CostSelector: {
		"selector",
		"10+⌈0.1·argument⌉+50·⌈0.5·argument⌉",
		"10+⌈0.1·argument⌉+50·⌈0.5·argument⌉",
	},
	CostListSlice: {
		"list-slice",
		"end-start+11, where start counts as 0 and end as n if they are not literals; " +
			"result size end-start",
		"size of the result+11",
	},
	CostListFlatten: {
		"list-flatten",
		"depth·n+11, without a bound if depth is not a literal; result size n",
		"depth·n+11",
	},
	CostListRange: {
		"list-range",
		"argument+11, without a bound if it is not a literal; result size the argument",
		"size of the result+11",
	},
	CostListReverse: {"list-reverse", "n+11; result size n", "size of the result+11"},
	CostListDistinct: {
		"list-distinct",
		"2n²+11; result size n²",
		"2n²+11, or 2.1n²+11 if the first element is a string or bytes",
	},
	CostListSort: {
		"list-sort",
		"2n²+11, or 2.1n²+11 for strings and bytes; result size n²",
		"2n²+11, or 2.1n²+11 if the first element is a string or bytes",
	},
	CostListSortBy: {
		"list-sort-by",
		"2k²+11, or 2.1k²+11 for strings and bytes, k the number of keys; result size k²",
		"2k²+11, or 2.1k²+11 if the first key is a string or bytes",
	},
	CostSetCompare:      {"set-compare", "n·m+1, m the size of the second list", "n·m+1"},
	CostSetCompareTwice: {"set-compare-twice", "2·n·m+1, m the size of the second list", "2·n·m+1"},
	CostFormatString:    {"format-string", "⌈0.1n⌉", "⌈0.1n⌉"},
	CostQuote:           {"quote", "⌈0.1n⌉; result size 2n+2", "⌈0.1n⌉"},
}

// costNamed returns the cost model of a name.
func costNamed(name string) Cost {
	return Cost(slices.IndexFunc(costModels[:], func(m costModel) bool { return m.name == name }))
}

// model returns the description of the cost model. It is that of CostDefault
// for a value that is not one of the constants.
func (c Cost) model() costModel {
	if c < 0 || int(c) >= len(costModels) {
		c = CostDefault
	}
	return costModels[c]
}

// Estimate returns the formula of the estimate.
func (c Cost) Estimate() string { return c.model().estimate }

// Runtime returns the formula of the run-time cost.
func (c Cost) Runtime() string { return c.model().runtime }
