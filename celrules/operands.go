package celrules

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// watch reports the evaluation of a rule, which is run again for its operands.
// A rule that was stopped at a limit or by the context is not reported.
func (e *evaluation) watch(holds bool) {
	if isOverCallLimit(e.err) || isOverMemory(e.err) || isInterrupted(e.err) {
		return
	}
	expression := e.program.Expression
	found := operandsOf(expression.Text, expression.AST())
	if len(found) > 0 {
		counters := map[int64]*operand{}
		for i := range found {
			counters[found[i].id] = &found[i]
		}
		_ = expression.Watch(e.ctx, e.vars, func(id int64, value ref.Val) {
			counters[id].count(value)
		}) // a rule that was evaluated can be watched
	}
	e.options.Watch(ruleoptions.Observation{
		Path: e.frame.schemaPath(), Index: e.index, Holds: holds, Operands: plain(found),
	})
}

// listOperands calls a function for each rule that compiles, with its operands
// and no evaluation. It compiles all rules.
func (p *plan) listOperands(r *Rules, path string, list func(ruleoptions.Observation)) {
	if p == nil {
		return
	}
	if p.decl != nil {
		compiled, _ := p.compile(context.Background(), r) // its error is the context's
		for i, program := range compiled.programs {
			if expression := program.Expression; expression != nil {
				found := operandsOf(expression.Text, expression.AST())
				list(ruleoptions.Observation{Path: path, Index: i, Operands: plain(found)})
			}
		}
	}
	for i, branch := range p.allOf {
		branch.listOperands(r, path+".allOf["+strconv.Itoa(i)+"]", list)
	}
	p.items.listOperands(r, path+".items", list)
	p.additional.listOperands(r, path+".additionalProperties", list)
	for _, property := range p.properties {
		property.plan.listOperands(r, path+".properties["+property.name+"]", list)
	}
}

// count counts a value. A nil operand counts nothing.
func (o *operand) count(value ref.Val) {
	switch {
	case o == nil:
	case value == types.True:
		o.True++
	case value == types.False:
		o.False++
	default:
		o.Other++
	}
}

// operand is an operand with its id in the rule.
type operand struct {
	ruleoptions.Operand
	id int64
}

// plain returns operands without their ids.
func plain(found []operand) []ruleoptions.Operand {
	var out []ruleoptions.Operand
	for _, o := range found {
		out = append(out, o.Operand)
	}
	return out
}

// operandsOf returns the operands of a rule, without values.
func operandsOf(text string, rule *ast.AST) []operand {
	x := &explainer{source: []rune(text), info: rule.SourceInfo()}
	var found []operand
	ast.PostOrderVisit(rule.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		for _, arg := range logicalArgs(e) {
			at := x.visit(arg)
			found = append(found, operand{id: arg.ID(), Operand: ruleoptions.Operand{
				Text: x.text(arg, at), Offset: at.from,
				Boolean: arg.Kind() != ast.LiteralKind &&
					rule.GetType(arg.ID()).Kind() == types.BoolKind,
			}})
		}
	}))
	slices.SortStableFunc(found, func(a, b operand) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(len(b.Text), len(a.Text)))
	})
	return found
}

// logicalArgs returns the operands of &&, || or ? :, nil for any other
// expression and for an operator that a macro made. An operand with the same
// operator is left out, because its own operands stand for it.
func logicalArgs(e ast.Expr) []ast.Expr {
	if e.Kind() != ast.CallKind {
		return nil
	}
	name := e.AsCall().FunctionName()
	switch name {
	case operators.LogicalAnd, operators.LogicalOr, operators.Conditional:
	default:
		return nil
	}
	var args []ast.Expr
	for _, arg := range e.AsCall().Args() {
		if isAccumulator(arg) {
			return nil
		}
		same := arg.Kind() == ast.CallKind && arg.AsCall().FunctionName() == name
		if !same || name == operators.Conditional {
			args = append(args, arg)
		}
	}
	return args
}

// isAccumulator reports whether an expression is the variable in which a macro
// collects its result.
func isAccumulator(e ast.Expr) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == parser.HiddenAccumulatorName
}
