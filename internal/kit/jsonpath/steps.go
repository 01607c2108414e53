package jsonpath

// step is one step of an action, or a root of a template. The types of this
// file implement it.
type step interface{}

type (
	// list is an action: steps that run one after the other.
	list []step
	// text is a literal: text between actions, or a quoted string.
	text string
	// field is a member of a map, e.g. .spec.
	field string
	// keyword is a bare word: range, end, or a word that fails.
	keyword string
	// constant is a number or a bool: int, float64 or bool.
	constant struct{ value any }
	// wildcard is .*, all members.
	wildcard struct{}
	// descent is .., the value and everything below it.
	descent struct{}
	// union is a comma-separated list of subscripts, e.g. [0,2].
	union []list
	// slice is an index or a range of a list, e.g. [0], [1:3] or [*].
	slice struct{ start, end, step bound }
	// filter selects elements of a list, e.g. [?(@.type=="Ready")].
	filter struct {
		left, right list
		operator    string // exists, if it only asks for results
	}
)

// exists is the operator of a filter without a comparison.
const exists = "exists"

// bound is one number of a slice.
type bound struct {
	value int
	known bool
	// derived bounds end a slice of one element: they are one more than the
	// start.
	derived bool
}
