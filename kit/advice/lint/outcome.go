package lint

import (
	"math"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// outcome is a set of what an expression can come to.
type outcome uint8

const (
	yes   outcome = 1 << iota // true
	no                        // false
	other                     // a value that is no boolean
	fails                     // an error, because a field is absent

	either   = yes | no
	anything = yes | no | other
)

// not swaps true and false.
func (o outcome) not() outcome {
	return o&(other|fails) | o&yes<<1 | o&no>>1
}

// value is what is known about the value of an expression.
type value struct {
	can outcome
	// node is the place of the schema that the value is selected from, and path
	// its path from self. It is nil for a value that is computed.
	node  *node
	path  string
	isOld bool
	// is has the strings that the value can be; nil for any. low and high bound
	// numbers.
	is        []string
	isNumber  bool
	low, high float64
}

// assumptions say what the object is like that a rule is evaluated on. All else
// is unknown.
type assumptions struct {
	// absent is a field that does not exist, and present one that does.
	absent, present string
	// isStrict lets reading an optional field fail.
	isStrict bool
	// withDefaults gives all fields their defaults.
	withDefaults bool
	// pins are the values that places have, e.g. a string, missing or present.
	pins map[place]any
	// reads collects the optional fields, with an expression that reads each of
	// them, if it is not nil.
	reads map[string]ast.Expr
}

// evaluation evaluates an expression on all objects at once that the schema and
// the assumptions allow. What it does not know can be anything.
type evaluation struct {
	assumptions

	rule *rule
	vars map[string]value
}

func unknown(inherited outcome) value { return value{can: anything | inherited&fails} }

func (e *evaluation) value(x ast.Expr) value {
	if e.rule.w.steps--; e.rule.w.steps < 0 {
		return unknown(fails)
	}
	switch x.Kind() {
	case ast.LiteralKind:
		return literal(x.AsLiteral().Value())
	case ast.IdentKind:
		if v, ok := e.vars[x.AsIdent()]; ok {
			return e.at(v)
		}
	case ast.SelectKind:
		s := x.AsSelect()
		return e.field(e.value(s.Operand()), celsyntax.Field(s.FieldName()), x)
	case ast.CallKind:
		return e.call(x.AsCall())
	case ast.ListKind:
		return e.strict(other, x.AsList().Elements()...)
	}
	return unknown(e.mayFail())
}

// mayFail is the outcome of what is not understood, next to values.
func (e *evaluation) mayFail() outcome {
	if e.isStrict {
		return fails
	}
	return 0
}

func literal(v any) value {
	switch v := v.(type) {
	case bool:
		if v {
			return value{can: yes}
		}
		return value{can: no}
	case string:
		return value{can: other, is: []string{v}}
	}
	const exact = 1 << 53 // beyond it a float64 is no longer a whole number
	n := number(v, math.NaN())
	return value{can: other, isNumber: math.Abs(n) <= exact, low: n, high: n}
}

// at adds to a place what its schema says about the values there.
func (e *evaluation) at(v value) value {
	if pinned, ok := e.pin(v); ok {
		return pinned
	}
	doc := v.node.doc
	v.can |= other
	switch {
	case v.isOld, doc["nullable"] == true, doc["type"] == nil:
		v.can |= anything
		return v
	case doc["type"] == "boolean":
		v.can = v.can&fails | either
	case doc["type"] == "integer", doc["type"] == "number":
		v.isNumber = true
		v.low = number(doc["minimum"], math.Inf(-1))
		v.high = number(doc["maximum"], math.Inf(1))
	case doc["type"] == "string":
		v.is = texts(doc["enum"])
	}
	if preset := doc["default"]; e.withDefaults && preset != nil {
		known := literal(preset)
		v.can, v.is = v.can&fails|known.can, known.is
		v.isNumber, v.low, v.high = known.isNumber, known.low, known.high
	}
	return v
}

// field returns what is known about a field of a value, which x reads.
func (e *evaluation) field(of value, name string, x ast.Expr) value {
	if of.can == fails {
		return of
	}
	if of.node == nil || of.node.property(name) == nil {
		return unknown(of.can | e.mayFail())
	}
	child, path := of.node.property(name), of.path+"."+name
	v := e.at(value{can: of.can & fails, node: child, path: path, isOld: of.isOld})
	if of.node.has(name) {
		return v
	}
	e.read(path, x)
	switch {
	case path == e.absent && (!of.isOld || !e.isStrict), e.isMissing(path, of.isOld):
		return value{can: fails}
	case e.isStrict && (of.isOld || !e.exists(path)):
		v.can |= fails
	}
	return v
}

// exists reports whether a field is assumed to be there. What holds the absent
// field is.
func (e *evaluation) exists(path string) bool {
	rest, isPrefix := strings.CutPrefix(e.absent, path)
	return path == e.present || isPrefix && rest != "" && strings.ContainsAny(rest[:1], ".[")
}

// isPresent returns the outcome of has().
func (e *evaluation) isPresent(x ast.Expr) outcome {
	of := e.value(x.AsSelect().Operand())
	name := celsyntax.Field(x.AsSelect().FieldName())
	inherited := of.can & fails
	path := of.path + "." + name
	switch {
	case of.can == fails:
		return fails
	case of.node != nil && e.isMissing(path, of.isOld):
		return no | inherited
	case of.node != nil && e.isPinned(path, of.isOld):
		return yes | inherited
	case of.node == nil || of.node.property(name) == nil || of.isOld && e.isStrict:
		return either | inherited
	case of.node.has(name):
		return yes | inherited
	}
	e.read(path, x)
	switch {
	case path == e.absent:
		return no | inherited
	case e.exists(path):
		return yes | inherited
	}
	return either | inherited
}

// strict returns the outcome of a function that needs all of its arguments.
func (e *evaluation) strict(can outcome, args ...ast.Expr) value {
	for _, arg := range args {
		v := e.value(arg)
		if v.can == fails {
			return value{can: fails}
		}
		can |= v.can & fails
	}
	return value{can: can}
}

func (e *evaluation) call(call ast.CallExpr) value {
	args := call.Args()
	switch name := call.FunctionName(); name {
	case operators.LogicalNot:
		return value{can: e.truth(args[0]).not()}
	case operators.LogicalAnd:
		return value{can: or(e.truth(args[0]).not(), e.truth(args[1]).not()).not()}
	case operators.LogicalOr:
		return value{can: or(e.truth(args[0]), e.truth(args[1]))}
	case operators.Conditional:
		return e.conditional(args)
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals,
		operators.Greater, operators.GreaterEquals:
		return value{can: compare(name, e.value(args[0]), e.value(args[1]))}
	case operators.In:
		return e.in(args[0], args[1])
	case operators.Index:
		return e.index(args[0], args[1])
	case "has":
		if len(args) == 1 {
			return value{can: e.isPresent(args[0])}
		}
	case "size":
		if of := slices.Concat(args, targetOf(call)); len(of) == 1 {
			return e.size(of[0])
		}
	}
	if call.IsMemberFunction() {
		return e.method(call)
	}
	return e.strict(anything|e.mayFail(), args...)
}

func targetOf(call ast.CallExpr) []ast.Expr {
	if call.IsMemberFunction() {
		return []ast.Expr{call.Target()}
	}
	return nil
}

// truth returns the outcome of a condition.
func (e *evaluation) truth(x ast.Expr) outcome {
	can := e.value(x).can &^ other
	if can == 0 {
		return either
	}
	return can
}

// or joins outcomes by ||: true decides, also next to an error.
func or(a, b outcome) outcome {
	out := (a|b)&yes | a&b&no
	if a&fails != 0 && b != yes || b&fails != 0 && a != yes {
		out |= fails
	}
	return out
}

func (e *evaluation) conditional(args []ast.Expr) value {
	condition := e.truth(args[0])
	out := value{can: condition & fails}
	if condition&yes != 0 {
		out.can |= e.value(args[1]).can
	}
	if condition&no != 0 {
		out.can |= e.value(args[2]).can
	}
	return out
}

// index returns what is known about an item of a list, or a value of a map.
func (e *evaluation) index(of, at ast.Expr) value {
	list, key := e.value(of), e.value(at)
	if list.can == fails || key.can == fails {
		return value{can: fails}
	}
	inherited := (list.can|key.can)&fails | e.mayFail()
	if list.node == nil || list.node.elements() == nil {
		return unknown(inherited)
	}
	return e.at(value{
		can: inherited, node: list.node.elements(), path: list.path + "[]", isOld: list.isOld,
	})
}

// in returns whether a value is among those of a list.
func (e *evaluation) in(x, list ast.Expr) value {
	if list.Kind() != ast.ListKind {
		return e.strict(either|e.mayFail(), x, list)
	}
	elements := list.AsList().Elements()
	values := []value{e.value(x)}
	for _, element := range elements {
		values = append(values, e.value(element))
	}
	v, out, inherited := values[0], no, outcome(0)
	for i, one := range values {
		if one.can == fails {
			return one
		}
		inherited |= one.can & fails
		if i > 0 {
			out = or(out, equal(v, one))
		}
	}
	if len(v.is) > 0 && isSubset(v.is, elements) {
		out = yes
	}
	return value{can: out | inherited}
}

// isSubset reports whether all strings are among the literals of a list.
func isSubset(is []string, list []ast.Expr) bool {
	return !slices.ContainsFunc(is, func(text string) bool {
		return !slices.ContainsFunc(list, func(x ast.Expr) bool {
			return x.Kind() == ast.LiteralKind && x.AsLiteral().Value() == text
		})
	})
}

// size returns the bounds of the size of a string, a list or a map.
func (e *evaluation) size(x ast.Expr) value {
	v := e.value(x)
	if v.can == fails {
		return v
	}
	out := value{can: other | v.can&fails, isNumber: true, high: math.Inf(1)}
	if len(v.is) == 1 {
		n := float64(len([]rune(v.is[0])))
		return value{can: out.can, isNumber: true, low: n, high: n}
	}
	if v.node == nil || v.isOld || v.node.doc["nullable"] == true || v.node.doc["type"] == nil {
		out.can |= e.mayFail()
		return out
	}
	for _, p := range pairs {
		isOf := map[string]any{"string": "string", "list": "array", "object": "object"}[p.of]
		if isOf == v.node.doc["type"] {
			out.low = number(v.node.doc[p.low], 0)
			out.high = number(v.node.doc[p.high], math.Inf(1))
		}
	}
	return out
}

// method returns the outcome of a method or a macro.
func (e *evaluation) method(call ast.CallExpr) value {
	target, args := e.value(call.Target()), call.Args()
	if target.can == fails {
		return target
	}
	name, inherited := call.FunctionName(), target.can&fails
	isMacro := slices.Contains([]string{
		"all", "exists", "exists_one", "existsOne", "map", "filter",
	}, name)
	switch {
	case isMacro && len(args) > 1 && args[0].Kind() == ast.IdentKind:
		return e.macro(name, target, args)
	case slices.Contains([]string{"matches", "startsWith", "endsWith", "contains"}, name):
		return e.strict(either|inherited|e.mayFail(), args...)
	}
	return unknown(inherited | e.mayFail()) // its arguments may be evaluated for some values only
}

// macro returns the outcome of a macro over the items of a value. Those that
// the absent field is missing in exist.
func (e *evaluation) macro(name string, target value, args []ast.Expr) value {
	inner := &evaluation{assumptions: e.assumptions, rule: e.rule, vars: map[string]value{}}
	for name, v := range e.vars {
		inner.vars[name] = v
	}
	for _, arg := range args[:len(args)-1] {
		delete(inner.vars, arg.AsIdent())
	}
	last, isEmpty := args[len(args)-1], true
	if target.node != nil && target.node.elements() != nil && len(args) == 2 {
		items := value{
			node: target.node.elements(), path: target.path + "[]", isOld: target.isOld,
		}
		if target.node.doc["type"] == "array" {
			inner.vars[args[0].AsIdent()] = items
		}
		isEmpty = !e.exists(items.path)
	}
	body, inherited := inner.value(last).can, target.can&fails
	switch {
	case name == "all" && isEmpty:
		body |= yes
	case name == "exists" && isEmpty:
		body |= no
	case name == "exists_one", name == "existsOne":
		body = body&fails | either
	case name == "map", name == "filter":
		if body == fails && !isEmpty {
			return value{can: fails}
		}
		body = other | body&fails
	}
	return value{can: body | inherited}
}

// compare returns the outcome of a comparison.
func compare(operator string, a, b value) outcome {
	if a.can == fails || b.can == fails {
		return fails
	}
	inherited := (a.can | b.can) & fails
	equals := equal(a, b)
	switch operator {
	case operators.Equals:
		return equals | inherited
	case operators.NotEquals:
		return equals.not() | inherited
	case operators.Greater, operators.GreaterEquals:
		a, b = b, a
	}
	if !a.isNumber || !b.isNumber {
		return either | inherited
	}
	isOrEqual := operator == operators.LessEquals || operator == operators.GreaterEquals
	switch {
	case a.high < b.low, isOrEqual && a.high == b.low:
		return yes | inherited
	case a.low > b.high, !isOrEqual && a.low == b.high:
		return no | inherited
	}
	return either | inherited
}

// equal returns the outcome of ==.
func equal(a, b value) outcome {
	one := func(o outcome) bool { return o == yes || o == no }
	switch {
	case one(a.can) && one(b.can) && a.can == b.can:
		return yes
	case one(a.can) && one(b.can):
		return no
	case a.isNumber && b.isNumber && (a.high < b.low || b.high < a.low):
		return no
	case a.isNumber && b.isNumber && a.low == a.high && b.low == b.high:
		return yes
	case len(a.is) == 0 || len(b.is) == 0:
		return either
	case !slices.ContainsFunc(a.is, func(s string) bool { return slices.Contains(b.is, s) }):
		return no
	case len(a.is) == 1 && len(b.is) == 1:
		return yes
	}
	return either
}
