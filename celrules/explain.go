package celrules

import (
	"cmp"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/celrules/internal/meter"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

// explain records the failed rule, and the values of its sub-expressions if
// they are asked for. A rule that was stopped at a limit or by the context is
// left out.
func (e *evaluation) explain() {
	if isOverCallLimit(e.err) || isOverMemory(e.err) || isInterrupted(e.err) {
		return
	}
	x := Explanation{
		Field: e.frame.path(e.options.Path).String(), Rule: e.program.Expression.Text,
	}
	if e.options.Explain == ruleoptions.Terms {
		x.Terms = e.terms()
	}
	if e.takes(x.length()) {
		e.result.Explanations = append(e.result.Explanations, x)
	}
}

// length returns the number of bytes that its texts and terms take.
func (x *Explanation) length() int {
	length := len(x.Field) + len(x.Rule)
	for _, t := range x.Terms {
		length += perFinding + len(t.Text) + len(t.Value)
	}
	return length
}

// terms evaluates the failed rule again and returns the values of its
// sub-expressions. A rule that was evaluated can be traced.
func (e *evaluation) terms() []Term {
	rule := e.program.Expression
	values, _ := rule.Trace(e.ctx, e.vars)
	x := explainer{source: []rune(rule.Text), info: rule.AST().SourceInfo(), values: values}
	x.visit(rule.AST().Expr())
	slices.SortStableFunc(x.terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(len(b.Text), len(a.Text)))
	})
	return x.terms
}

// explainer collects the terms of one expression. For `self.a < self.b` they
// are the comparison, self.a and self.b; literals are left out.
type explainer struct {
	source []rune
	info   *ast.SourceInfo
	values map[int64]ref.Val
	terms  []Term
}

// visit adds the terms of a sub-expression and returns its span in the source.
func (x *explainer) visit(e ast.Expr) span {
	at, _ := x.info.GetOffsetRange(e.ID()) // every sub-expression has one
	own := span{int(at.Start), int(at.Stop)}
	if e.Kind() != ast.ListKind { // a list there is made by the macro map
		own.from = x.nameBefore(own.from)
	}
	switch e.Kind() {
	case ast.CallKind:
		call := e.AsCall()
		if call.IsMemberFunction() {
			own = own.with(x.visit(call.Target()))
		}
		for _, arg := range call.Args() {
			own = own.with(x.visit(arg))
		}
	case ast.SelectKind:
		own = own.with(x.visit(e.AsSelect().Operand()))
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			own = own.with(x.visit(item))
		}
	case ast.ComprehensionKind:
		return x.comprehension(e, own)
	}
	if e.Kind() != ast.LiteralKind {
		x.add(e, own)
	}
	return own
}

// nameBefore returns where the name of a function begins, if its parenthesis is
// at a place: there begins cel-go's range of a call such as size(self).
func (x *explainer) nameBefore(at int) int {
	if x.source[at] != '(' {
		return at
	}
	for at > 0 && isInName(x.source[at-1]) {
		at--
	}
	return at
}

func isInName(c rune) bool {
	return c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' ||
		'A' <= c && c <= 'Z'
}

// comprehension visits the parts of a macro that stand in the source: the range
// and the body. The other parts of the loop are made by the macro.
func (x *explainer) comprehension(e ast.Expr, own span) span {
	fold := e.AsComprehension()
	own = own.with(x.visit(fold.IterRange()))
	own = own.with(x.body(fold.LoopStep(), fold.AccuVar()))
	x.add(e, own)
	return own
}

// body visits the parts of a loop's step that do not mention the accumulator.
func (x *explainer) body(e ast.Expr, accumulator string) span {
	if !mentions(e, accumulator) {
		return x.visit(e)
	}
	inside := span{from: -1}
	for _, arg := range e.AsCall().Args() { // none of the accumulator
		inside = inside.with(x.body(arg, accumulator))
	}
	return inside
}

// mentions reports whether an expression refers to a variable.
func mentions(e ast.Expr, name string) bool {
	found := false
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.IdentKind && e.AsIdent() == name
	}))
	return found
}

// add records a sub-expression that has a value.
func (x *explainer) add(e ast.Expr, at span) {
	v := x.values[e.ID()]
	if v == nil {
		return
	}
	term := Term{Text: x.text(e, at), Offset: at.from}
	before := string(x.source[:at.from])
	term.Line = 1 + strings.Count(before, "\n")
	term.Column = 1 + at.from - len([]rune(before[:strings.LastIndexByte(before, '\n')+1]))
	term.Value, term.Failed = written(v)
	x.terms = append(x.terms, term)
}

// text returns the sub-expression as CEL. A macro is returned as it stands in
// the source, since its expansion cannot be written as CEL.
func (x *explainer) text(e ast.Expr, at span) string {
	if text, err := parser.Unparse(e, x.info); err == nil {
		return text
	}
	end := min(max(at.to, at.from), len(x.source))
	// cel-go's range of a call ends before its closing parentheses.
	for end < len(x.source) && unclosed(x.source[at.from:end]) {
		end++
	}
	return string(x.source[at.from:end])
}

// unclosed reports whether a text has more opening than closing parentheses.
func unclosed(text []rune) bool {
	return strings.Count(string(text), "(") > strings.Count(string(text), ")")
}

// span is a range of the source in code points. from is -1 if it is unknown.
type span struct{ from, to int }

// with returns the smallest span that holds both spans.
func (s span) with(other span) span {
	switch {
	case other.from < 0:
		return s
	case s.from < 0:
		return other
	}
	return span{min(s.from, other.from), max(s.to, other.to)}
}

// maxWritten is the number of code points after which a value is cut off.
const maxWritten = 200

// maxNodes is the number of items in a value at which it is not written at all.
const maxNodes = 1 << 18

// written returns a value as CEL, cut off after maxWritten, or the text of an
// error.
func written(v ref.Val) (text string, failed bool) {
	if err, ok := v.(*types.Err); ok {
		return err.Error(), true
	}
	left := maxNodes
	if new(meter.Meter).Count(v, &left); left <= 0 {
		return "…", false
	}
	text = types.Format(v)
	if runes := []rune(text); len(runes) > maxWritten {
		text = string(runes[:maxWritten]) + "…"
	}
	return text, false
}
