package fastparse

import (
	"errors"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/parser"
)

// Implementation notes:
//
// lexer.go cuts the text into tokens. It has no state: scan returns the token
// after an offset.
//
// parser.go and member.go are a recursive-descent parser, one method of run for
// each rule of the grammar, in the order of precedence:
//
//	expression, or, and, relation, sum, product, unary, member, primary
//
// macro.go expands macros. A call goes through run.call, which asks the macros
// of its name; a macro builds its expansion with a helper.
//
// Invariants:
//   - run.token is the next token that is not yet part of an expression.
//   - Where run.failed is set, the expressions are not used: the text is left
//     to cel-go's parser. Loops end then.
//   - Ids are given in the order in which cel-go's parser gives them. A method
//     must not ask for an id earlier or later than the rule of cel-go's grammar
//     visitor does (parser/parser.go). FuzzParse compares them.
//   - Calls of expression are at most maxHeight deep.
//   - The parts are at most as many as the caller of Parse allows.

// maxHeight is the greatest height of an expression. cel-go's parser gives up
// at a depth of 250.
const maxHeight = 100

// Parser parses expressions with a set of macros. It is immutable and safe for
// concurrent use.
type Parser struct {
	macros map[string][]parser.Macro
	none   bool // every text is left to cel-go's parser
}

// New returns a parser with these macros. If one of them takes any number of
// arguments, the parser leaves every text to cel-go's parser.
func New(macros []parser.Macro) *Parser {
	p := &Parser{macros: map[string][]parser.Macro{}}
	for _, m := range slices.Backward(macros) { // the last one for a call counts
		p.macros[m.Function()] = append(p.macros[m.Function()], m)
		p.none = p.none || strings.Contains(m.MacroKey(), "*")
	}
	return p
}

// ErrTooManyParts says that an expression has more parts, after the expansion
// of its macros, than the caller of Parse allows.
var ErrTooManyParts = errors.New("the expression has too many parts")

// Parse returns the expression of a source, nil if it is left to cel-go's
// parser. It fails with ErrTooManyParts if the expression has more parts than
// maxParts.
func (p *Parser) Parse(source common.Source, maxParts int) (*ast.AST, error) {
	content := source.Content()
	if p.none || !plain(content) {
		return nil, nil
	}
	r := &run{
		parser: p, content: content, info: ast.NewSourceInfo(source),
		nextID: 1, most: int64(maxParts),
		factory: ast.NewExprFactoryWithAccumulator(parser.HiddenAccumulatorName),
	}
	r.advance()
	root := r.expression()
	switch {
	case r.nextID > r.most:
		return nil, ErrTooManyParts
	case r.failed || r.token.kind != tokEnd || root.height > maxHeight:
		return nil, nil
	}
	return ast.NewAST(root.expr, r.info), nil
}

// plain reports whether a text is ASCII, so that offsets in bytes are offsets
// in characters.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// tree is a parsed expression with its height.
type tree struct {
	expr   ast.Expr
	height int
}

// run is the parsing of one text.
type run struct {
	parser  *Parser
	content string
	info    *ast.SourceInfo
	factory ast.ExprFactory
	nextID  int64
	most    int64 // the greatest id that is allowed
	depth   int   // of calls of expression that are not over
	token   token
	failed  bool
}

// advance moves to the next token and returns the current one.
func (r *run) advance() token {
	left := r.token
	r.token = scan(r.content, left.end)
	return left
}

// take returns the current token and moves on if the token is of a kind.
func (r *run) take(k kind) (token, bool) {
	if r.token.kind != k {
		return token{}, false
	}
	return r.advance(), true
}

// fail leaves the text to cel-go's parser.
func (r *run) fail() tree {
	r.failed = true
	return tree{expr: r.factory.NewUnspecifiedExpr(0)}
}

// expect is like take but leaves the text to cel-go's parser if the token is of
// another kind.
func (r *run) expect(k kind) token {
	t, ok := r.take(k)
	if !ok {
		r.failed = true
	}
	return t
}

// reserve returns a new id whose offset is not known yet.
func (r *run) reserve() int64 {
	r.nextID++
	r.failed = r.failed || r.nextID > r.most
	return r.nextID - 1
}

// id returns a new id for an expression at a token.
func (r *run) id(t token) int64 {
	id := r.reserve()
	r.place(id, t)
	return id
}

// place sets the offsets of an id.
func (r *run) place(id int64, t token) {
	r.info.SetOffsetRange(id, ast.OffsetRange{Start: int32(t.start), Stop: int32(t.end)})
}

// expression parses `or`, or `or ? or : expression`.
func (r *run) expression() tree {
	if r.depth++; r.depth > maxHeight || r.failed {
		return r.fail()
	}
	defer func() { r.depth-- }()
	condition := r.or()
	question, ok := r.take('?')
	if !ok {
		return condition
	}
	id := r.id(question)
	then := r.or()
	r.expect(':')
	otherwise := r.expression()
	return r.operation(id, operators.Conditional, condition, then, otherwise)
}

// operation returns a call of an operator.
func (r *run) operation(id int64, operator string, operands ...tree) tree {
	args, height := unwrap(operands)
	return tree{r.factory.NewCall(id, operator, args...), height + 1}
}

// unwrap returns expressions and the greatest height.
func unwrap(trees []tree) (exprs []ast.Expr, height int) {
	exprs = make([]ast.Expr, len(trees))
	for i, t := range trees {
		exprs[i] = t.expr
		height = max(height, t.height)
	}
	return exprs, height
}

// or parses `a || b || c`.
func (r *run) or() tree { return r.logic(tokOr, operators.LogicalOr, (*run).and) }

// and parses `a && b && c`.
func (r *run) and() tree { return r.logic(tokAnd, operators.LogicalAnd, (*run).relation) }

// logic parses terms with a logical operator between them. Their tree is
// balanced, like that of cel-go.
func (r *run) logic(sign kind, operator string, term func(*run) tree) tree {
	first := term(r)
	if r.token.kind != sign {
		return first
	}
	terms, ids := []tree{first}, []int64(nil)
	for {
		at, ok := r.take(sign)
		if !ok || r.failed {
			break
		}
		terms = append(terms, term(r))
		ids = append(ids, r.id(at))
	}
	exprs, height := unwrap(terms)
	return tree{r.balance(operator, exprs, ids), height + 1}
}

// balance returns a tree of n+1 terms and n operators. Its root is the middle
// operator, or the second of two middle ones.
func (r *run) balance(operator string, terms []ast.Expr, ids []int64) ast.Expr {
	if len(ids) == 0 {
		return terms[0]
	}
	middle := len(ids) / 2
	left := r.balance(operator, terms[:middle+1], ids[:middle])
	right := r.balance(operator, terms[middle+1:], ids[middle+1:])
	return r.factory.NewCall(ids[middle], operator, left, right)
}

// relation parses sums with comparisons between them, from left to right.
func (r *run) relation() tree { return r.binary(relationOperator, (*run).sum) }

// sum parses products with + and - between them.
func (r *run) sum() tree { return r.binary(sumOperator, (*run).product) }

// product parses unary expressions with *, / and % between them.
func (r *run) product() tree { return r.binary(productOperator, (*run).unary) }

// binary parses operands with operators of one level between them, from left to
// right.
func (r *run) binary(operator func(kind) string, operand func(*run) tree) tree {
	left := operand(r)
	for !r.failed {
		function := operator(r.token.kind)
		if function == "" {
			break
		}
		id := r.id(r.advance())
		left = r.operation(id, function, left, operand(r))
	}
	return left
}

// relationOperator returns the function of a comparison, "" for other tokens.
func relationOperator(k kind) string {
	switch k {
	case '<':
		return operators.Less
	case '>':
		return operators.Greater
	case tokLessEqual:
		return operators.LessEquals
	case tokGreaterEqual:
		return operators.GreaterEquals
	case tokEqual:
		return operators.Equals
	case tokNotEqual:
		return operators.NotEquals
	case tokIn:
		return operators.In
	}
	return ""
}

// sumOperator returns the function of + and -, "" for other tokens.
func sumOperator(k kind) string {
	switch k {
	case '+':
		return operators.Add
	case '-':
		return operators.Subtract
	}
	return ""
}

// productOperator returns the function of *, / and %, "" for other tokens.
func productOperator(k kind) string {
	switch k {
	case '*':
		return operators.Multiply
	case '/':
		return operators.Divide
	case '%':
		return operators.Modulo
	}
	return ""
}

// unary parses a member, or one with a sign before it. Several signs are left
// to cel-go's parser.
func (r *run) unary() tree {
	sign := r.token
	switch sign.kind {
	case '!':
		r.advance()
		return r.operation(r.id(sign), operators.LogicalNot, r.member())
	case '-':
		switch next := scan(r.content, sign.end); next.kind {
		case tokInt, tokFloat:
			return r.member() // the sign belongs to the number
		case '-':
			return r.fail()
		}
		r.advance()
		return r.operation(r.id(sign), operators.Negate, r.member())
	}
	return r.member()
}
