package objectgen

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// compare makes two terms compare as an operator says: one of them is given a
// value that suits the other.
func (s *solver) compare(a term, operator string, b term) bool {
	if Chance(s.m.Rand, 0.5) {
		a, operator, b = b, mirrored(operator), a
	}
	return s.impose(a, operator, b) || s.impose(b, mirrored(operator), a)
}

// impose gives a term a value that suits another one.
func (s *solver) impose(a term, operator string, b term) bool {
	if c := s.cell(a); c != nil && s.reads(b, c) {
		pattern, ok := unchanged[b.resolved().function()]
		return ok && s.text(a, pattern, operator == operators.Equals)
	}
	v, ok := s.known(b)
	return ok && s.assign(a, operator, v)
}

// unchanged has patterns of the strings that a function returns as they are.
var unchanged = map[string]string{
	"lowerAscii": `[^A-Z]*`, "upperAscii": `[^a-z]*`, "trim": `(?:\S(?:(?s:.*)\S)?)?`,
}

// reads reports whether a term reads a cell.
func (s *solver) reads(t term, c *cell) bool {
	if s.isSpent() || s.cell(t) == c {
		return true
	}
	return slices.ContainsFunc(t.resolved().args(), func(arg term) bool { return s.reads(arg, c) })
}

// assign gives a term a value that compares with another value as an operator
// says.
func (s *solver) assign(a term, operator string, v any) bool {
	if s.isSpent() {
		return false
	}
	a = a.resolved()
	if want, isBool := v.(bool); isBool {
		return s.satisfy(a, want == (operator == operators.Equals))
	}
	if a.function() == operators.Conditional {
		return s.conditional(a.args(), func(branch term) bool {
			if v, ok := binaryOf(s, operator, branch, v); ok && v == true {
				return true
			}
			return s.assign(branch, operator, v)
		})
	}
	if c := s.cell(a); c != nil {
		return s.wishFor(c, operator, v)
	}
	switch v := v.(type) {
	case int64, float64:
		n, _ := toFloat(v)
		return s.number(a, operator, n)
	case string:
		if of, ok := components[a.function()]; ok {
			return s.component(a, of, []any{v})
		}
		if operator == operators.Equals || operator == operators.NotEquals {
			return s.text(a, regexp.QuoteMeta(v), operator == operators.Equals)
		}
	case special:
		switch a.function() {
		case v.function:
			return s.oneOf(a.args()[0], suitable(operator, v))
		case operators.Add, operators.Subtract:
			return s.shift(a, operator, v)
		}
	}
	return false
}

func binaryOf(s *solver, operator string, t term, v any) (any, bool) {
	value, ok := s.eval(t)
	if !ok {
		return nil, false
	}
	return binary(operator, value, v)
}

// suitable returns texts near to that of a value that compare with it as an
// operator says, or all of them if they cannot be compared.
func suitable(operator string, v special) (texts []any) {
	for _, text := range nearTo(v.function, v.text) {
		if sign, ok := order(special{v.function, text}, v); !ok || holds(operator, sign) {
			texts = append(texts, text)
		}
	}
	return texts
}

// wishFor asks a cell for a value that compares with another one as an operator
// says.
func (s *solver) wishFor(c *cell, operator string, v any) bool {
	switch v := v.(type) {
	case string:
		switch operator {
		case operators.Equals:
			return s.wishText(c, regexp.QuoteMeta(v), true, v)
		case operators.NotEquals:
			return s.wishText(c, regexp.QuoteMeta(v), false)
		}
		return s.candidates(c, []any{v, v + "a", v[:len(v)/2]})
	case int64, float64:
		n, _ := toFloat(v)
		if c.node.typ() == "string" {
			return false
		}
		if !s.wish(c) {
			return false
		}
		c.wish.relations = append(c.wish.relations, relation{operator, n})
		return true
	case special:
		return s.candidates(c, suitable(operator, v))
	}
	if operator == operators.Equals {
		return s.put(c, v)
	}
	return operator == operators.NotEquals && !s.keeping && s.put(c, s.fresh(c))
}

// oneOf gives a term one of some values.
func (s *solver) oneOf(t term, values []any) bool {
	if len(values) == 0 || s.isSpent() {
		return false
	}
	t = t.resolved()
	if c := s.cell(t); c != nil {
		return s.candidates(c, values)
	}
	return s.assign(t, operators.Equals, Pick(s.m.Rand, values...))
}

// number makes a term a number that compares with another one as an operator
// says.
func (s *solver) number(t term, operator string, n float64) bool {
	args := t.args()
	if c, ok := components[t.function()]; ok {
		return s.component(t, c, []any{n, n + 1, n - 1})
	}
	switch t.function() {
	case operators.Add, operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo:
		return s.arithmetic(t, operator, n)
	case operators.Negate:
		return s.assign(args[0], mirrored(operator), -n)
	case "size":
		return s.size(args[0].resolved(), operator, int(n))
	case "int", "double":
		if v, ok := s.eval(args[0]); ok {
			if _, isNumber := toFloat(v); isNumber {
				return s.assign(args[0], operator, n)
			}
		}
		return s.oneOf(args[0], numerals(operator, n))
	case "compareTo":
		return n == 0 && s.compare(args[0], operator, args[1])
	case "indexOf":
		if v, ok := s.eval(args[1]); ok && len(args) == 2 {
			found := anything + regexp.QuoteMeta(fmt.Sprint(v)) + anything
			if operator == operators.Equals && n > 0 && n < 1000 {
				first := regexp.QuoteMeta(fmt.Sprintf("%.1s", v))
				return s.text(args[0], fmt.Sprintf("[^%s]{%d}%s", first, int(n),
					strings.TrimPrefix(found, anything)), true)
			}
			isAbsent := n < 0 && holds(operator, int(-1-n)) || n == 0 && operator == operators.Less
			return s.text(args[0], found, !isAbsent)
		}
	case "sum", "min", "max":
		return s.aggregate(t, operator, n)
	}
	return s.sample(t)
}

// numerals returns numerals that compare with a number as an operator says.
func numerals(operator string, n float64) (texts []any) {
	for _, by := range []float64{0, 1, -1, 10, -10} {
		if holds(operator, int(by)) {
			texts = append(texts, strconv.FormatFloat(n+by, 'f', -1, 64))
		}
	}
	return texts
}

// component makes the target of a method a text with a component.
func (s *solver) component(t term, c component, values []any) bool {
	target := t.args()[0].resolved()
	if _, ok := samplesOf[target.function()]; ok && s.cell(target) == nil {
		target = target.args()[0]
	}
	current, _ := s.eval(target)
	text, _ := current.(string)
	var texts []any
	for _, v := range values {
		texts = append(texts, c.with(text, v), c.with(c.text, v))
	}
	return s.oneOf(target, texts)
}

// arithmetic solves an operator for one of its operands.
func (s *solver) arithmetic(t term, operator string, n float64) bool {
	args := t.args()
	first := s.m.Rand.IntN(2)
	for _, i := range []int{first, 1 - first} {
		v, ok := s.eval(args[1-i])
		k, isNumber := toFloat(v)
		if !ok || !isNumber {
			continue
		}
		of, to := operator, n
		switch t.function() {
		case operators.Add:
			to = n - k
		case operators.Subtract:
			if to = n + k; i == 1 {
				of, to = mirrored(operator), k-n
			}
		case operators.Multiply:
			if k == 0 {
				continue
			}
			if to = n / k; k < 0 {
				of = mirrored(operator)
			}
		case operators.Divide:
			to = n * k
		case operators.Modulo:
			c := s.cell(args[0])
			if i == 1 || c == nil || operator != operators.Equals || k <= 0 || !s.wish(c) {
				continue
			}
			c.wish.step, c.wish.rest = k, n
			return true
		}
		if s.assign(args[i], of, to) {
			return true
		}
	}
	return false
}

// aggregate solves the sum, least or greatest of a list for its items.
func (s *solver) aggregate(t term, operator string, n float64) bool {
	args := t.args()
	list := args[0].resolved()
	item := func(in binding) term { return term{variable, scope{variable.AsIdent(): in}} }
	if list.function() == "map" && len(list.args()) == 3 {
		mapped := list.args()
		item = func(in binding) term {
			return term{mapped[2].Expr, list.in.with(mapped[1].AsIdent(), in)}
		}
		list = mapped[0]
	}
	elements, _, ok := s.elements(list)
	if !ok || len(elements) == 0 {
		return false
	}
	if t.function() == "sum" {
		chosen, rest := s.m.Rand.IntN(len(elements)), 0.0
		for i, e := range elements {
			if v, ok := s.eval(item(e)); ok && i != chosen {
				other, _ := toFloat(v)
				rest += other
			}
		}
		return s.assign(item(elements[chosen]), operator, n-rest)
	}
	for _, e := range elements {
		ok = s.assign(item(e), operator, n) && ok
	}
	return ok
}

// size makes a string, list or map of a size that compares with a number as an
// operator says.
func (s *solver) size(of term, operator string, n int) bool {
	args := of.args()
	switch of.function() {
	case "filter":
		return s.filtered(of, operator, n)
	case "map":
		return s.size(args[0].resolved(), operator, n)
	case "split":
		if v, ok := s.eval(args[1]); ok && n >= 1 && n < 100 {
			parts, sep := sizeFor(operator, n, 1), regexp.QuoteMeta(fmt.Sprint(v))
			part := "[^" + sep[:min(len(sep), 2)] + "]+"
			return s.text(args[0], part+strings.Repeat(sep+part, max(0, parts-1)), true)
		}
	case operators.Add:
		return s.arithmetic(sizesOf(of), operator, float64(n))
	}
	c := s.cell(of)
	if c == nil {
		exact := fmt.Sprintf("(?s:.{%d})", sizeFor(operator, n, 0))
		return n >= 0 && n < 1000 && s.text(of, exact, true)
	}
	v, ok := c.value()
	if !ok {
		v = s.fresh(c)
	}
	if _, isText := v.(string); isText {
		return s.wish(c) && c.wish.length(operator, n)
	}
	count, _ := unary("size", v)
	if have, _ := count.(int64); ok && holds(operator, int(have)-n) {
		return true
	}
	return !s.keeping && s.resize(c, sizeFor(operator, n, 0))
}

// The terms that are not in the rule itself.
var (
	factory  = ast.NewExprFactory()
	variable = factory.NewIdent(0, "x")
)

// sizesOf returns the sum of the sizes of what a term joins.
func sizesOf(t term) term {
	args := t.args()
	size := func(of term) ast.Expr { return factory.NewCall(0, "size", of.Expr) }
	return term{factory.NewCall(0, operators.Add, size(args[0]), size(args[1])), t.in}
}

// sizeFor returns a size that compares with a number as an operator says.
func sizeFor(operator string, n, least int) int {
	for _, size := range []int{n, n + 1, n - 1} {
		if size >= least && holds(operator, size-n) {
			return size
		}
	}
	return -1
}

// filtered makes a condition true of a number of items.
func (s *solver) filtered(of term, operator string, n int) bool {
	args := of.args()
	elements, list, ok := s.elements(args[0])
	if !ok || len(args) != 3 {
		return false
	}
	wanted := sizeFor(operator, n, 0)
	if len(elements) < wanted && list != nil && !s.keeping && s.resize(list, wanted) {
		elements, _, _ = s.elements(args[0])
	}
	conditions := make([]term, len(elements))
	for i, e := range elements {
		conditions[i] = term{args[2].Expr, of.in.with(args[1].AsIdent(), e)}
	}
	slices.SortStableFunc(conditions, func(a, b term) int {
		return s.distance(a, true) - s.distance(b, true)
	})
	count := len(slices.DeleteFunc(slices.Clone(conditions), func(c term) bool {
		return s.distance(c, true) > 0
	}))
	if holds(operator, count-n) {
		wanted = count
	}
	for i, c := range conditions {
		ok = s.satisfy(c, i < wanted) && ok
	}
	return ok
}
