package upgrade

// target says where objects are looked for that show a change.
type target struct {
	// node leads to the node of the change, a step to each child: ".name" to a
	// property, "[]" to items, "{}" to the values of a map.
	node  []string
	hints []any
	rule  string // of a change of rules
	// expression is that of the rule, nil if it does not parse.
	expression *expression
	// examples are objects that may show the change.
	examples []example
	// isTotal is set if the rule never ends with an error and never refuses a
	// value because of an equal old one.
	isTotal bool
	// others are the other keywords of the node that refuses. A witness breaks
	// none of them. It may be nil.
	others *node
	// isIndirect is set if something else refuses the objects: a rule that
	// meets other values.
	isIndirect bool
	// isUncomparable is set if the server takes the values as changed in each
	// update.
	isUncomparable bool
	// isStatus is set if only controllers write the node: it is of the status,
	// which has a subresource.
	isStatus bool
	// isOfParent is set if the object around the node is what is refused: the
	// field is missing there, or it counts.
	isOfParent bool
}

// Hints that are no values: the value is removed, or has an unknown field.
type (
	removed      struct{}
	unknownField struct{}
	duplicate    struct{}
)
