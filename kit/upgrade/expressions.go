package upgrade

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// expression is the syntax of a rule, without expanded macros. It is nil for a
// rule that does not parse; then everything may be.
type expression struct {
	root  ast.Expr
	info  *ast.SourceInfo
	reads []read
}

// read is a value that a rule looks at, by its path from the rule's node.
type read struct {
	path []string
	// isShallow is set if only the presence of the value matters, or how many
	// items it has. Then isCounted is set.
	isShallow, isCounted bool
}

// anyChild is the step to an item or to a value of a map.
const anyChild = "*"

// expressions parses rules, each once.
type expressions map[string]*expression

func (e expressions) parse(rule string) *expression {
	if known, ok := e[rule]; ok {
		return known
	}
	e[rule] = parseExpression(rule)
	return e[rule]
}

func parseExpression(rule string) *expression {
	parsed := celsyntax.Parse(rule)
	if parsed == nil {
		return nil
	}
	x := &expression{root: parsed.Expr(), info: parsed.SourceInfo()}
	x.read(x.root, variables{"self": {}, "oldSelf": {}})
	return x
}

// variables are the paths of the values of variables. A variable without one is
// not about the object, or about a value whose path is read already.
type variables map[string][]string

// read records what an expression reads whose value is used.
func (x *expression) read(e ast.Expr, in variables) {
	if path := x.path(e, in); path != nil {
		x.reads = append(x.reads, read{path: path})
	}
}

// path returns the path of a value that is only selected, and nil for a value
// that is computed. What is read on the way is recorded.
func (x *expression) path(e ast.Expr, in variables) []string {
	switch e.Kind() {
	case ast.IdentKind:
		return in[e.AsIdent()]
	case ast.SelectKind:
		if path := x.path(e.AsSelect().Operand(), in); path != nil {
			return below(path, celsyntax.Field(e.AsSelect().FieldName()))
		}
	case ast.CallKind:
		return x.call(e.AsCall(), in)
	case ast.ListKind:
		for _, element := range e.AsList().Elements() {
			x.read(element, in)
		}
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			x.read(entry.AsMapEntry().Key(), in)
			x.read(entry.AsMapEntry().Value(), in)
		}
	case ast.StructKind:
		for _, f := range e.AsStruct().Fields() {
			x.read(f.AsStructField().Value(), in)
		}
	}
	return nil
}

// call returns the path of a call that selects, and records what others read.
func (x *expression) call(call ast.CallExpr, in variables) []string {
	args := call.Args()
	switch call.FunctionName() {
	case operators.Index, operators.OptIndex:
		path := x.path(args[0], in)
		x.read(args[1], in)
		if path != nil {
			return below(path, anyChild)
		}
		return nil
	case operators.OptSelect:
		if path := x.path(args[0], in); path != nil {
			return below(path, celsyntax.Field(args[1].AsLiteral().Value().(string)))
		}
		return nil
	case "has", "size":
		for _, arg := range append(args[:len(args):len(args)], targetOf(call)...) {
			x.shallow(arg, in, call.FunctionName() == "size")
		}
		return nil
	}
	if call.IsMemberFunction() && x.macro(call, in) {
		return nil
	}
	for _, arg := range append(args[:len(args):len(args)], targetOf(call)...) {
		x.read(arg, in)
	}
	return nil
}

// shallow records what an expression reads of which only the presence or the
// size is used, also that of what it chooses.
func (x *expression) shallow(e ast.Expr, in variables, isCounted bool) {
	if isCallOf(e, operators.Conditional) {
		args := e.AsCall().Args()
		x.read(args[0], in)
		x.shallow(args[1], in, isCounted)
		x.shallow(args[2], in, isCounted)
		return
	}
	if path := x.path(e, in); path != nil {
		x.reads = append(x.reads, read{path, true, isCounted})
	}
}

func targetOf(call ast.CallExpr) []ast.Expr {
	if call.IsMemberFunction() {
		return []ast.Expr{call.Target()}
	}
	return nil
}

// macro reads a macro over a list or a map, e.g. self.names.all(n, n != ""). It
// reports whether the call is one whose result does not hold the items.
func (x *expression) macro(call ast.CallExpr, in variables) bool {
	if !slices.Contains([]string{"all", "exists", "exists_one", "existsOne"}, call.FunctionName()) {
		return false
	}
	path, args := x.path(call.Target(), in), call.Args()
	if path == nil || len(args) < 2 {
		return false
	}
	inner := variables{}
	for name, at := range in {
		inner[name] = at
	}
	for _, arg := range args[:len(args)-1] {
		if arg.Kind() != ast.IdentKind {
			return false
		}
		inner[arg.AsIdent()] = below(path, anyChild)
	}
	x.reads = append(x.reads, read{path, true, true})
	x.read(args[len(args)-1], inner)
	return true
}

func below(path []string, step string) []string { return append(path[:len(path):len(path)], step) }

// concerns reports whether the expression may look at a value at a path, or
// below it. The path is from the rule's node.
func (x *expression) concerns(path []string) bool {
	return x == nil || slices.ContainsFunc(x.reads, func(r read) bool {
		n := min(len(r.path), len(path))
		return slices.Equal(r.path[:n], path[:n]) && (!r.isShallow || len(path) <= len(r.path))
	})
}

// counts reports whether the expression looks at how many items a list or a map
// has, of which a path is one.
func (x *expression) counts(path []string) bool {
	last := len(path) - 1
	return x == nil || last >= 0 && path[last] == anyChild &&
		slices.ContainsFunc(x.reads, func(r read) bool {
			return r.isCounted && slices.Equal(r.path, path[:last])
		})
}

// seesNull reports whether the expression may tell a null at a path from a
// field that is not there: it looks at the value around it as a whole.
func (x *expression) seesNull(path []string) bool {
	last := len(path) - 1
	if x == nil || last < 0 || path[last] == anyChild || x.counts(path) {
		return true
	}
	return slices.ContainsFunc(x.reads, func(r read) bool {
		return len(r.path) < len(path) && !r.isShallow && slices.Equal(r.path, path[:len(r.path)])
	})
}

// conjuncts returns what && joins.
func conjuncts(e ast.Expr) []ast.Expr { return operands(e, operators.LogicalAnd) }

// disjuncts returns what || joins.
func disjuncts(e ast.Expr) []ast.Expr { return operands(e, operators.LogicalOr) }

func operands(e ast.Expr, operator string) []ast.Expr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operator {
		return []ast.Expr{e}
	}
	var list []ast.Expr
	for _, arg := range e.AsCall().Args() {
		list = append(list, operands(arg, operator)...)
	}
	return list
}

func (x *expression) text(e ast.Expr) string {
	text, err := parser.Unparse(e, x.info)
	if err != nil {
		return ""
	}
	return text
}

// isImplied reports whether some rules that hold make a rule hold: each of its
// conjuncts has the disjuncts of a conjunct of theirs.
func (e expressions) isImplied(rule *structural.Rule, by []structural.Rule) bool {
	x := e.parse(rule.Rule)
	if x == nil {
		return false
	}
	for _, part := range conjuncts(x.root) {
		if !slices.ContainsFunc(by, func(r structural.Rule) bool {
			return e.runsWhere(&r, rule) && e.implies(r.Rule, x, part)
		}) {
			return false
		}
	}
	return true
}

// runsWhere reports whether a rule runs wherever another one does.
func (e expressions) runsWhere(a, b *structural.Rule) bool {
	return !isTransition(a) || isTransition(b) && isOptional(*a) == isOptional(*b)
}

// isTransition reports whether a rule reads the old value. One that does not
// parse may.
func isTransition(rule *structural.Rule) bool {
	if !strings.Contains(rule.Rule, oldSelf) {
		return false
	}
	parsed := celsyntax.Parse(rule.Rule)
	isOne := parsed == nil
	if !isOne {
		ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			isOne = isOne || e.Kind() == ast.IdentKind && e.AsIdent() == oldSelf
		}))
	}
	return isOne
}

const oldSelf = "oldSelf"

// implies reports whether a conjunct of a rule has only disjuncts of part.
func (e expressions) implies(rule string, of *expression, part ast.Expr) bool {
	x := e.parse(rule)
	if x == nil {
		return false
	}
	allowed := map[string]bool{}
	for _, d := range disjuncts(part) {
		allowed[of.text(d)] = true
	}
	return slices.ContainsFunc(conjuncts(x.root), func(c ast.Expr) bool {
		return !slices.ContainsFunc(disjuncts(c), func(d ast.Expr) bool {
			text := x.text(d)
			return text == "" || !allowed[text]
		})
	})
}

// literals returns values that the expression may treat specially.
func (x *expression) literals() []any {
	values := []any{"", "x", int64(0), true}
	if x == nil {
		return values
	}
	ast.PostOrderVisit(x.root, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind {
			return
		}
		switch v := e.AsLiteral().Value().(type) {
		case string:
			values = append(values, v, v+"x")
			values = append(values, amountsNear(v)...)
		case int64:
			values = append(values, v, v-1, v+1)
			if v > 0 && v < 1<<10 {
				values = append(values,
					strings.Repeat("x", int(v)+1), strings.Repeat("x", int(v)-1))
			}
		}
	}))
	return values
}

// amountText matches quantities and durations, e.g. 1Gi or 30m.
var amountText = regexp.MustCompile(`^([0-9]+)([a-zA-Z]{1,2})$`)

// amountsNear returns a larger and a smaller amount than that of a text, if it
// is one.
func amountsNear(text string) []any {
	m := amountText.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	if err != nil {
		return nil
	}
	return []any{fmt.Sprintf("%d%s", n+1, m[2]), fmt.Sprintf("%d%s", n-1, m[2])}
}
