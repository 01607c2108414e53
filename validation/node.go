package validation

import (
	"slices"
	"strings"
)

// node is a compiled schema node: its checks, by the kind of the value. Nodes
// are immutable and shared: two schema nodes with the same checks are one node.
//
// Two walks use nodes, and each checks every keyword:
//
//   - Method valid (valid.go) reports whether a value is valid, without an
//     allocation. Nearly all values end there.
//   - The collector (collect.go) runs only on values that are not valid. It has
//     the errors, their order and the match counts.
//
// The two agree: an error is collected if and only if valid is false, except
// for errors that the server reports twice. Fuzz tests hold them together.
type node struct {
	checks
	// kinds are the kinds of values that pass the type check.
	kinds kinds
	// tautology: every value passes here and below, so that there is nothing
	// to do.
	tautology bool
	// repeats: errors here or below may be reported twice, because of a
	// property whose name begins with IMPORTANT! (VAL-100).
	repeats bool
}

// findRepeats computes the field repeats.
func (n *node) findRepeats() bool {
	if n.lists != nil && n.lists.items.mayRepeat() {
		return true
	}
	if o := n.objects; o != nil {
		if o.additional.mayRepeat() {
			return true
		}
		for i := range o.fields {
			if f := &o.fields[i]; strings.HasPrefix(f.name, importantPrefix) || f.node.repeats {
				return true
			}
		}
	}
	if j := n.junctors; j != nil {
		return j.not.mayRepeat() ||
			slices.ContainsFunc(slices.Concat(j.anyOf, j.oneOf, j.allOf), (*node).mayRepeat)
	}
	return false
}

func (n *node) mayRepeat() bool { return n != nil && n.repeats }

// checks has a node's checks. Each part is shared, so that checks compare by
// pointers. A part is nil if it checks nothing.
type checks struct {
	types    *types // never nil
	strings  *stringRule
	numbers  *numberRule
	lists    *listRule
	objects  *objectRule
	enum     *enumRule
	junctors *junctorRule
}

// listRule checks lists.
type listRule struct {
	items  *node // nil accepts all
	min    int64
	max    int64
	unique bool
}

// objectRule checks objects.
type objectRule struct {
	min, max int64
	required []string
	// closed: additionalProperties is false.
	closed bool
	// additional checks the fields that are not declared; nil accepts them.
	additional *node
	// fields are the declared properties by name. They are complete if
	// additional or closed need them, or if matches are counted. Otherwise only
	// those that can fail are here.
	fields []fieldRule
	byName map[string]*node // of fields, if they are many
	// fallible is the number of fields that can fail.
	fallible int
}

type fieldRule struct {
	name string
	node *node
}

// junctorRule checks allOf, anyOf, oneOf and not.
type junctorRule struct {
	anyOf, oneOf, allOf []*node
	not                 *node
}

// scannedFields is the number of properties up to which a property is searched
// in the list. More are looked up in a map.
const scannedFields = 8

// field returns the node of a declared property.
func (o *objectRule) field(name string) (*node, bool) {
	if o.byName != nil {
		n, ok := o.byName[name]
		return n, ok
	}
	for i := range o.fields {
		if o.fields[i].name == name {
			return o.fields[i].node, true
		}
	}
	return nil, false
}
