package library

// Cost names how a function call is charged: before a rule runs, from the sizes its schema allows (the estimate), and when it ran, from
// the sizes there were. Estimate and Runtime say it in words. Arguments are charged for themselves, in addition.
//
// In the words, n is the size of the receiver, or of the first argument of a global function: code points of a string, bytes, elements
// of a list or map. ⌈x⌉ rounds up, ⌊x⌋ truncates. All sums and products saturate at 2^64-1, which is also the size of what has no bound.
type Cost int

const (
	// CostDefault is CEL's own rule: 1, unless CEL's standard table knows the overload.
	CostDefault Cost = iota
	// CostNominal is 1.
	CostNominal
	// CostScan reads a string once.
	CostScan
	// CostTransform reads a string once and returns one of at most its size.
	CostTransform
	// CostScanTwice reads a string twice.
	CostScanTwice
	// CostReplace reads a string and builds the replaced one.
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
	// CostContainsIPText is CostContainsIP and reads the address.
	CostContainsIPText
	// CostContainsCIDR compares and masks the bytes of two networks.
	CostContainsCIDR
	// CostContainsCIDRText is CostContainsCIDR and reads the second network.
	CostContainsCIDRText
	// CostFormatValidate matches the regular expression that stands for a named format.
	CostFormatValidate
	// CostAuthorizationCheck is what asking the authorizer costs: two of them fill a rule's run-time limit.
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
	// CostListDistinct compares every element with every other.
	CostListDistinct
	// CostListSort compares every element with every other.
	CostListSort
	// CostListSortBy compares every key with every other.
	CostListSortBy
	// CostSetCompare compares every element of one list with every element of another.
	CostSetCompare
	// CostSetCompareTwice does so in both directions.
	CostSetCompareTwice
	// CostFormatString reads the format string.
	CostFormatString
	// CostQuote reads a string and returns one of at most twice its size and two.
	CostQuote
)

// costWords are the words of one cost model.
type costWords struct{ estimate, runtime string }

// words returns the text of every cost model. Rules COST-023 and COST-100 … COST-112.
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
		return costWords{"⌈0.2n⌉; result size from the smallest searched and largest replacing string, at most (n+1)·r+n", "⌈0.2n⌉"}
	case CostSplit:
		return costWords{"⌈0.2n⌉; result size 0 to n, or to a literal limit", "⌈0.2n⌉"}
	case CostJoin:
		return costWords{"⌈0.1s⌉, s = n·element + (n-1)·separator; result size s", "⌈0.2·size of the result⌉"}
	case CostRegex:
		return costWords{"⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉; result size 0 to n", "⌈0.1(n+1)⌉·⌈0.25·size of the regular expression⌉"}
	case CostTraverse:
		return costWords{
			"lists: n, or n·(1+⌈0.1·element⌉) for elements that are strings or bytes; strings: ⌈0.1n⌉",
			"⌊0.1·bytes⌋ for each string or bytes, 1 for any other scalar, summed over all that the receiver holds",
		}
	default:
		return c.moreWords()
	}
}

// moreWords continues words: networks, formats, authorization, extension libraries.
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
		return costWords{"⌈0.1·argument⌉·32", "⌈0.1(argument+1)⌉·⌈0.25·size of the format's regular expression⌉"}
	case CostAuthorizationCheck:
		return costWords{"350000", "350000"}
	case CostSelector:
		return costWords{"10+⌈0.1·argument⌉+50·⌈0.5·argument⌉", "10+⌈0.1·argument⌉+50·⌈0.5·argument⌉"}
	case CostListSlice:
		return costWords{"end-start+11, a start that is no literal counting 0 and an end that is none n; result size end-start", "size of the result+11"}
	case CostListFlatten:
		return costWords{"depth·n+11, a depth that is no literal being unbounded; result size n", "depth·n+11"}
	case CostListRange:
		return costWords{"argument+11, an argument that is no literal being unbounded; result size the argument", "size of the result+11"}
	case CostListReverse:
		return costWords{"n+11; result size n", "size of the result+11"}
	case CostListDistinct:
		return costWords{"2n²+11; result size n²", "2n²+11, or 2.1n²+11 if the first element is a string or bytes"}
	case CostListSort:
		return costWords{"2n²+11, or 2.1n²+11 for strings and bytes; result size n²", "2n²+11, or 2.1n²+11 if the first element is a string or bytes"}
	case CostListSortBy:
		return costWords{"2k²+11, or 2.1k²+11 for strings and bytes, k the number of keys; result size k²", "2k²+11, or 2.1k²+11 if the first key is a string or bytes"}
	case CostSetCompare:
		return costWords{"n·m+1, m the size of the second list", "n·m+1"}
	case CostSetCompareTwice:
		return costWords{"2·n·m+1, m the size of the second list", "2·n·m+1"}
	case CostFormatString:
		return costWords{"⌈0.1n⌉", "⌈0.1n⌉"}
	case CostQuote:
		return costWords{"⌈0.1n⌉; result size 2n+2", "⌈0.1n⌉"}
	default:
		return costWords{"1", "1"}
	}
}

// Estimate says what the static estimate charges a call.
func (c Cost) Estimate() string { return c.words().estimate }

// Runtime says what a call is charged when it runs.
func (c Cost) Runtime() string { return c.words().runtime }
