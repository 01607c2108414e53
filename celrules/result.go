package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Result is what the rules say of one object.
type Result struct {
	// Errors are the failures, in the order in which the rules ran.
	Errors field.ErrorList
	// Ratcheted are the failures that the update need not answer for; a server sends them as warnings (CEL-110).
	Ratcheted field.ErrorList
	// Cost is the actual cost of all evaluations.
	Cost int64
	// OutOfBudget tells that evaluation was stopped for its cost: by the budget or by the per-call limit. Rules that would have
	// come later did not run, and Cost does not hold what could not be paid for.
	OutOfBudget bool
	// Costs tells, if asked for, what each rule cost, in the order of first evaluation.
	Costs []ObservedCost
	// Explanations tell, if asked for, how the rules of Errors and Ratcheted came to fail.
	Explanations []Explanation
}

// ObservedCost is what one rule cost in one validation.
type ObservedCost struct {
	// Path is the schema node of the rule, below openAPIV3Schema, and Index the rule's place in its list.
	Path  string
	Index int
	// Rule is the rule's text.
	Rule string
	// Evaluations counts how often the rule ran, and Cost what that took, messages included.
	Evaluations int
	Cost        uint64
}

// Explanation is how one rule came to fail at one value.
type Explanation struct {
	// Field is the path of the value in the object.
	Field string
	// Rule is the rule's text.
	Rule string
	// Terms are the sub-expressions that were evaluated, in the order of their place in the text. A sub-expression inside a
	// comprehension has the value of its last step.
	Terms []Term
}

// Term is one sub-expression with its value.
type Term struct {
	// Text is the sub-expression, as it reads when written out.
	Text string
	// Offset is its place in the rule's text, in code points; Line and Column are the same, both from 1, as in the errors of rules that do
	// not compile.
	Offset, Line, Column int
	// Value is what it came to, written as in CEL; an error is its text.
	Value string
	// Failed tells that it is an error.
	Failed bool
}
