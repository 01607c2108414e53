package suite

import "slices"

// Level says how deep two answers differ.
type Level string

// The levels, from no difference to the deepest.
const (
	Same Level = ""
	// Text: other words in errors, or other warnings.
	Text Level = "text"
	// Cost: other costs or estimates.
	Cost Level = "cost"
	// Verdict: another set of errors by type and field, another object, or
	// anything else.
	Verdict Level = "verdict"
)

// Deeper reports whether a level is deeper than another.
func (l Level) Deeper(than Level) bool {
	order := []Level{Same, Text, Cost, Verdict}
	return slices.Index(order, l) > slices.Index(order, than)
}

// The members that a level alone compares.
var (
	textMembers = []string{"detail", "text", "warnings"}
	costMembers = []string{"cost", "maxCost", "cardinality", "total", "messageCost"}
)

// Depth returns the deepest level at which an answer differs from the one
// wanted.
func Depth(want, got []byte) (Level, error) {
	wanted, err := canonical(want)
	if err != nil {
		return Same, err
	}
	answered, err := canonical(got)
	if err != nil {
		return Same, err
	}
	if text(wanted) == text(answered) {
		return Same, nil
	}
	wanted, answered = without(wanted, textMembers), without(answered, textMembers)
	if text(wanted) == text(answered) {
		return Text, nil
	}
	if text(without(wanted, costMembers)) == text(without(answered, costMembers)) {
		return Cost, nil
	}
	return Verdict, nil
}

// without removes members from an answer, its errors and its rules. It changes
// the answer and returns it, with its sets as sets again.
func without(answer map[string]any, names []string) map[string]any {
	for _, name := range names {
		delete(answer, name)
	}
	if errs, ok := answer["errors"].([]any); ok {
		for _, e := range errs {
			if members, ok := e.(map[string]any); ok {
				without(members, names)
			}
		}
		answer["errors"] = sortedSet(errs)
	}
	rules, _ := answer["rules"].([]any)
	for _, r := range rules {
		if members, ok := r.(map[string]any); ok {
			without(members, names)
		}
	}
	return answer
}
