package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Result is the outcome of [Rules.Validate] for one object.
type Result struct {
	// Errors are the failures, in the order in which the rules ran.
	Errors field.ErrorList
	// Ratcheted are the failures on values that the update does not change. A
	// server sends them as warnings (CEL-110).
	Ratcheted field.ErrorList
	// Err is the cause of the context, if that ended before all rules had run.
	// The result is no verdict then. Its last error may be that of the
	// interrupted rule, in the words of a server, which takes it for a failure.
	Err error
	// Cost is the actual cost of all evaluations.
	Cost int64
	// OutOfBudget reports whether validation was stopped for its cost: by the
	// budget or by the per-call limit. Later rules did not run. Cost does not
	// include the evaluation that was too expensive.
	OutOfBudget bool
	// Costs has the cost of each rule, in the order of first evaluation. It is
	// filled in on request; see [ObserveCosts].
	Costs []ObservedCost
	// Explanations says how the rules in Errors and Ratcheted failed. It is
	// filled in on request; see [ExplainFailures].
	Explanations []Explanation
}

// ObservedCost is the actual cost of one rule in one validation.
type ObservedCost struct {
	// Path is the path of the rule's schema node, e.g.
	// "openAPIV3Schema.properties[spec]". Index is the index of the rule there.
	Path  string
	Index int
	// Rule is the text of the rule, e.g. "self.min <= self.max".
	Rule string
	// Evaluations is how often the rule ran. Cost is the sum of its costs,
	// including those of its messageExpression.
	Evaluations int
	Cost        uint64
}

// Explanation says how one rule failed on one value.
type Explanation struct {
	// Field is the path of the value in the object, e.g. "spec.ports[0]".
	Field string
	// Rule is the text of the rule.
	Rule string
	// Terms are the sub-expressions that were evaluated, in the order of the
	// text. Inside a comprehension, they have the values of its last step.
	Terms []Term
}

// Term is one sub-expression of a rule with its value.
type Term struct {
	// Text is the sub-expression as CEL, e.g. "self.min".
	Text string
	// Offset is its position in the text of the rule, in code points from 0.
	// Line and Column are the same position, counted from 1 as in the errors of
	// rules that do not compile.
	Offset, Line, Column int
	// Value is its value as CEL, e.g. `[1, 2]`, or the text of an error.
	Value string
	// Failed reports whether Value is an error.
	Failed bool
}
