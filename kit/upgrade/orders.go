package upgrade

import (
	"slices"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/structural"
)

// CEL compares lists of the types set and map without regard to the order of
// their items, and joins them by what is equal. Another list type gives a rule
// that compares a whole list another meaning.

// comparedLists says how a rule compares a list: whether it asks for equal
// ones, or for others.
type comparedLists struct{ equal, unequal bool }

// comparedWhole returns a rule of the new definition that may refuse what it
// took, because the list of the node is compared in another way. It is empty if
// there is none.
func (c *schemaComparison) comparedWhole(was, is structural.ListType) string {
	for i := range c.levels {
		path := rulePath(c.levels[i+1:])
		for _, rule := range c.levels[i].new.Rules() {
			x := c.expressions.parse(rule.Rule)
			if x == nil {
				continue
			}
			var found comparedLists
			x.compared(x.root, variables{"self": {}, "oldSelf": {}}, path, true, &found)
			if found.equal && was != structural.ListAtomic ||
				found.unequal && is != structural.ListAtomic {
				return rule.Rule
			}
		}
	}
	return ""
}

// compared notes how an expression compares what is at a path, or around it.
// isPositive is false within a negation.
func (x *expression) compared(
	e ast.Expr, in variables, path []string, isPositive bool, found *comparedLists,
) {
	if e.Kind() != ast.CallKind {
		return
	}
	call := e.AsCall()
	isOf := func(e ast.Expr) bool {
		at, ok := selected(e, in)
		return ok && len(at) <= len(path) && slices.Equal(at, path[:len(at)])
	}
	all := append(targetOf(call), call.Args()...)
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot:
		isPositive = !isPositive
	case name == operators.LogicalAnd, name == operators.LogicalOr:
	case name == operators.Conditional:
		x.compared(all[0], in, path, !isPositive, found)
	case name == operators.Equals, name == operators.NotEquals:
		if slices.ContainsFunc(all, isOf) {
			isEqual := isPositive == (name == operators.Equals)
			found.equal, found.unequal = found.equal || isEqual, found.unequal || !isEqual
		}
	case slices.ContainsFunc(all, isOf) && (name == operators.In || name == operators.Add):
		found.equal, found.unequal = true, true
	}
	if inner, _, ok := ofItems(call, in); ok {
		x.compared(call.Args()[1], inner, path, isPositive, found)
		if !slices.Contains([]string{"all", "exists"}, call.FunctionName()) {
			x.compared(call.Args()[1], inner, path, !isPositive, found)
		}
		return
	}
	for _, part := range all {
		x.compared(part, in, path, isPositive, found)
	}
}
