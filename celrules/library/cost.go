package library

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

// costWords are the two formulas of one cost model.
type costWords struct{ estimate, runtime string }

// words returns the formulas (COST-023, COST-100 to COST-112).
func (c Cost) words() costWords {
	switch c {
	case CostNominal:
		return costWords{"1", "1"}
	case CostScan:
		return costWords{"⌈0.1n⌉", "⌈0.1n⌉"}
	case CostTransform:
		return costWords{"⌈0.1n⌉; result size n", "⌈0.1n⌉"}
	case CostScanTwice:
		return costWords{"⌈0.2n⌉", "⌈0.2n⌉"}
	case CostReplace:
		return costWords{
			"⌈0.2n⌉; result size from the smallest searched and largest replacing string, " +
				"at most (n+1)·r+n",
			"⌈0.2n⌉",
		}
	case CostSplit:
		return costWords{"⌈0.2n⌉; result size 0 to n, or to a literal limit", "⌈0.2n⌉"}
	case CostJoin:
		return costWords{
			"⌈0.1s⌉, s = n·element + (n-1)·separator; result size s",
			"⌈0.2·size of the result⌉",
		}
	case CostRegex:
		const match = "⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉"
		return costWords{match + "; result size 0 to n", match}
	case CostTraverse:
		return costWords{
			"lists: n, or n·(1+⌈0.1·element⌉) for elements that are strings or bytes; " +
				"strings: ⌈0.1n⌉",
			"⌊0.1·bytes⌋ for each string or bytes, 1 for any other scalar, " +
				"summed over all values in the receiver",
		}
	default:
		return c.moreWords()
	}
}

// moreWords continues words with networks, formats and authorization.
func (c Cost) moreWords() costWords {
	switch c {
	case CostContainsIP:
		return costWords{"4", "⌈0.2c⌉, c = ⌈prefix bits/8⌉"}
	case CostContainsIPText:
		return costWords{"4+⌈0.1·argument⌉", "⌈0.2c⌉+⌈0.1·argument⌉, c = ⌈prefix bits/8⌉"}
	case CostContainsCIDR:
		return costWords{"7", "⌈0.2c⌉+⌈0.1c⌉+1, c = ⌈prefix bits/8⌉"}
	case CostContainsCIDRText:
		return costWords{"7+⌈0.1·argument⌉", "⌈0.2c⌉+⌈0.1c⌉+1+⌈0.1·argument⌉, c = ⌈prefix bits/8⌉"}
	case CostFormatValidate:
		return costWords{
			"⌈0.1·argument⌉·32",
			"⌈0.1(argument+1)⌉·⌈0.25·size of the format's regular expression⌉",
		}
	case CostAuthorizationCheck:
		return costWords{"350000", "350000"}
	case CostSelector:
		const parse = "10+⌈0.1·argument⌉+50·⌈0.5·argument⌉"
		return costWords{parse, parse}
	case CostFormatString:
		return costWords{"⌈0.1n⌉", "⌈0.1n⌉"}
	case CostQuote:
		return costWords{"⌈0.1n⌉; result size 2n+2", "⌈0.1n⌉"}
	default:
		return c.listWords()
	}
}

// listWords continues moreWords with the list and set libraries.
func (c Cost) listWords() costWords {
	const pairs = "2n²+11, or 2.1n²+11 if the first element is a string or bytes"
	switch c {
	case CostListSlice:
		return costWords{
			"end-start+11, where start counts as 0 and end as n if they are not literals; " +
				"result size end-start",
			"size of the result+11",
		}
	case CostListFlatten:
		return costWords{
			"depth·n+11, without a bound if depth is not a literal; result size n",
			"depth·n+11",
		}
	case CostListRange:
		return costWords{
			"argument+11, without a bound if it is not a literal; result size the argument",
			"size of the result+11",
		}
	case CostListReverse:
		return costWords{"n+11; result size n", "size of the result+11"}
	case CostListDistinct:
		return costWords{"2n²+11; result size n²", pairs}
	case CostListSort:
		return costWords{"2n²+11, or 2.1n²+11 for strings and bytes; result size n²", pairs}
	case CostListSortBy:
		return costWords{
			"2k²+11, or 2.1k²+11 for strings and bytes, k the number of keys; result size k²",
			"2k²+11, or 2.1k²+11 if the first key is a string or bytes",
		}
	case CostSetCompare:
		return costWords{"n·m+1, m the size of the second list", "n·m+1"}
	case CostSetCompareTwice:
		return costWords{"2·n·m+1, m the size of the second list", "2·n·m+1"}
	default:
		return costWords{"1", "1"}
	}
}

// Estimate returns the formula of the estimate.
func (c Cost) Estimate() string { return c.words().estimate }

// Runtime returns the formula of the run-time cost.
func (c Cost) Runtime() string { return c.words().runtime }
