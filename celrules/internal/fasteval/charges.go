package fasteval

import (
	"math"
	"unicode/utf8"

	celcost "cel.dev/cel-go/common/cost"
)

// The charges of this package and where they come from in cel-go v0.29.2.
//
// costTrackerFactory.Observe (interpreter/runtimecost.go) sees each planned
// node after its execution and charges by its kind:
//
//	constant                               0  InterpretableConst
//	attribute, e.g. `self.a[0]`            1  InterpretableAttribute
//	each field, key or index of it         1  ConstantQualifier, Qualifier
//	presence test, e.g. `has(self.a)`      0  evalTestOnly; its fields 1 each
//	conditional                            0  conditionalAttribute
//	&&, ||                                 0  evalAnd, evalOr
//	`in` a constant list                   0  evalSetMembership
//	comprehension                          0  evalFold
//	list, unless it is constant           10  ListCreateBaseCost
//	call                                      CostTracker.costCall
//
// An attribute that is a branch of a conditional or an index is resolved rather
// than executed. The observer sees its fields, but not the attribute, so the
// first 1 is not charged (mode resolved).
//
// CostTracker.costCall charges a call by its overload; package cost has it
// whole. The charges that are added up here without it are:
//
//	!                        1                            default
//	<, <=, >, >= of numbers  1                            default
//	size                     1                            default
//	== and != of strings     scan(shorter)                Equals, NotEquals
//	== of other scalars      1 = scan(1)                  Equals, NotEquals
//	+ of strings             scan(first + second)         AddString
//	startsWith, endsWith     scan(second)                 StartsWithString, …
//	contains                 scan(first) * scan(second)   ContainsString
//	matches                  see matchCost                MatchesString
//	`in` any other list      number of items              InList

// Charges by kind of node.
const (
	identCost  = celcost.SelectAndIdentCost // an executed attribute
	selectCost = 1                          // each field, key or index of one
	callCost   = 1                          // a call of constant cost
	listCost   = celcost.ListCreateBaseCost // making a list
)

// The charges for what a macro adds around its body. makeQuantifier and MakeMap
// (parser/macro.go) expand a macro to a comprehension, whose condition runs
// before each round, step in each round and result once at the end:
//
//	             condition                     step
//	all          @not_strictly_false(accu)     accu && body
//	exists       @not_strictly_false(!accu)    accu || body
//	exists_one   true                          body ? accu + 1 : accu
//	map          true                          accu + [item]
//	map, filter  true                          filter ? accu + [item] : accu
//
// The result is `accu`, of exists_one `accu == 1`.
const (
	// allCondition is for accu and @not_strictly_false.
	allCondition = identCost + callCost
	// allRound is for the condition and accu in the step.
	allRound = allCondition + identCost
	// existsCondition is for accu, ! and @not_strictly_false.
	existsCondition = identCost + callCost + callCost
	// existsRound is for the condition and accu in the step.
	existsRound = existsCondition + identCost
	// oneFound is for accu and + of `accu + 1`. The other branch, accu, is
	// resolved and free.
	oneFound = identCost + callCost
	// itemKept is for accu, + and the list of `accu + [item]`.
	itemKept = identCost + callCost + listCost
	// constantKept is itemKept for a constant item: `[item]` is a constant
	// then, which decOptimize (interpreter/decorators.go) makes when planning.
	constantKept = itemKept - listCost
	// loopEnd is for the result accu.
	loopEnd = identCost
	// oneEnd is for accu and == of `accu == 1`.
	oneEnd = identCost + callCost
)

// scan returns the charge for reading so many characters or bytes once.
func scan(size uint64) uint64 {
	return uint64(math.Ceil(float64(size) * celcost.StringTraversalCostFactor))
}

// length returns the size of a string: its number of code points.
func length(s string) uint64 { return uint64(utf8.RuneCountInString(s)) }

// matchCost returns the charge for matching a string of a size with a regular
// expression whose own charge is pattern. An empty string counts as one
// character.
func matchCost(size, pattern uint64) uint64 {
	return uint64(math.Ceil((1+float64(size))*celcost.StringTraversalCostFactor)) * pattern
}

// patternCost returns the charge for a regular expression of a size.
func patternCost(size uint64) uint64 {
	return uint64(math.Ceil(float64(size) * celcost.RegexStringLengthCostFactor))
}
