package upgrade

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// prover decides whether a rule is true of every object that the old definition
// admits. It knows what the old schema and the old rules say about each value,
// in one form: keywords and rules become keywords of the value, e.g.
// `!has(self.n) || self.n < 10` becomes a maximum of self.n. What it does not
// understand it leaves open.
type prover struct {
	judges      *judges
	expressions expressions
	levels      []level // from the root to the node of the rule
	// fixed are values that are known, by the path from the node.
	fixed map[string]any
}

// world is what is assumed about fields: whether they are there, by their path.
type world map[string]bool

// and returns a world in which more is assumed.
func (w world) and(more world) world {
	joined := world{}
	for _, from := range []world{w, more} {
		for path, is := range from {
			joined[path] = is
		}
	}
	return joined
}

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// prove reports whether a rule of the node is true of all old objects as the
// new definition reads them.
func (p *prover) prove(rule string) bool {
	x := p.expressions.parse(rule)
	return x != nil && !strings.Contains(rule, "oldSelf") &&
		p.truth(x.root, variables{"self": {}}, world{}) == isTrue
}

// selected returns the path of an expression that only selects fields of
// variables whose paths are known. It returns false for any other one.
func selected(e ast.Expr, in variables) ([]string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		path, known := in[e.AsIdent()]
		return path, known && path != nil
	case ast.SelectKind:
		if path, ok := selected(e.AsSelect().Operand(), in); ok {
			return below(path, celsyntax.Field(e.AsSelect().FieldName())), true
		}
	}
	return nil, false
}

// presence returns the path of `has(path)`, or of `!has(path)` if is is false.
// It is only for fields whose parents are there, because has fails otherwise.
func (p *prover) presence(e ast.Expr, in variables, w world) (path []string, is, ok bool) {
	if isCallOf(e, operators.LogicalNot) {
		path, is, ok = p.presence(e.AsCall().Args()[0], in, w)
		return path, !is, ok
	}
	if !isCallOf(e, "has") {
		return nil, false, false
	}
	path, ok = selected(e.AsCall().Args()[0], in)
	return path, true, ok && len(path) > 0 && p.isPresent(path[:len(path)-1], w)
}

// without returns the world in which an operand is not what decides.
func (p *prover) without(others []ast.Expr, decides bool, in variables, w world) world {
	for _, e := range others {
		if path, is, ok := p.presence(e, in, w); ok {
			w = w.and(world{pathKey(path): is != decides})
		}
	}
	return w
}

// truth is the value of an expression as far as it is known.
type truth int

const (
	unknownTruth truth = iota
	isTrue
	isFalse
)

func (t truth) not() truth {
	return map[truth]truth{isTrue: isFalse, isFalse: isTrue}[t]
}

func (p *prover) truth(e ast.Expr, in variables, w world) truth {
	if e.Kind() == ast.LiteralKind {
		return truthOf(e.AsLiteral().Value())
	}
	if e.Kind() != ast.CallKind {
		return unknownTruth
	}
	call := e.AsCall()
	switch name := call.FunctionName(); name {
	case operators.LogicalNot:
		return p.truth(call.Args()[0], in, w).not()
	case operators.LogicalAnd:
		return p.joined(conjuncts(e), false, in, w)
	case operators.LogicalOr:
		return p.joined(disjuncts(e), true, in, w)
	case operators.Conditional:
		return p.conditional(call.Args(), in, w)
	case "has":
		return p.truthOfHas(e, in, w)
	case "all":
		return p.truthOfAll(call, in, w)
	case operators.NotEquals:
		return p.compared(p.asEquality(call), in, w).not()
	}
	return p.compared(e, in, w)
}

func truthOf(v any) truth {
	switch v {
	case true:
		return isTrue
	case false:
		return isFalse
	}
	return unknownTruth
}

// joined returns the truth of operands that || joins, or && if decides is
// false. Where one of them asks whether a field is there, the others are looked
// at in the world in which that one does not decide.
func (p *prover) joined(list []ast.Expr, decides bool, in variables, w world) truth {
	alone, other := isFalse, isTrue
	if decides {
		alone, other = isTrue, isFalse
	}
	if decides {
		list = append(p.joinedEqualities(list, in), list...)
	}
	all := true
	for i, e := range list {
		others := slices.Delete(slices.Clone(list), i, i+1)
		switch p.truth(e, in, p.without(others, decides, in, w)) {
		case alone:
			return alone
		case unknownTruth:
			all = false
		}
	}
	for _, e := range list {
		all = all && p.truth(e, in, w) == other
	}
	if all {
		return other
	}
	return unknownTruth
}

// joinedEqualities returns `v in [a, b]` for each value of which several
// operands say `v == a || v == b`.
func (p *prover) joinedEqualities(list []ast.Expr, in variables) (joined []ast.Expr) {
	factory := ast.NewExprFactory()
	values := map[string]ast.Expr{}
	literals := map[string][]ast.Expr{}
	var order []string
	for _, e := range list {
		if !isCallOf(e, operators.Equals) {
			continue
		}
		args := e.AsCall().Args()
		if args[0].Kind() == ast.LiteralKind {
			args = []ast.Expr{args[1], args[0]}
		}
		if path, ok := selected(args[0], in); ok && args[1].Kind() == ast.LiteralKind {
			key := pathKey(path)
			if values[key] == nil {
				values[key], order = args[0], append(order, key)
			}
			literals[key] = append(literals[key], args[1])
		}
	}
	for _, key := range order {
		if len(literals[key]) > 1 {
			joined = append(joined, factory.NewCall(0, operators.In, values[key],
				factory.NewList(0, literals[key], nil)))
		}
	}
	return joined
}

// conditional returns the truth of `a ? b : c`, where a is known or asks which
// fields are there.
func (p *prover) conditional(args []ast.Expr, in variables, w world) truth {
	switch p.truth(args[0], in, w) {
	case isTrue:
		return p.truth(args[1], in, w)
	case isFalse:
		return p.truth(args[2], in, w)
	}
	then := w
	parts := conjuncts(args[0])
	for _, part := range parts {
		path, is, ok := p.presence(part, in, then)
		if !ok {
			return unknownTruth
		}
		then = then.and(world{pathKey(path): is})
	}
	otherwise := w
	if len(parts) == 1 {
		otherwise = p.without(parts, true, in, w)
	}
	a, b := p.truth(args[1], in, then), p.truth(args[2], in, otherwise)
	if a == b {
		return a
	}
	return unknownTruth
}

func (p *prover) truthOfHas(e ast.Expr, in variables, w world) truth {
	path, _, ok := p.presence(e, in, w)
	if !ok {
		return unknownTruth
	}
	if is, assumed := w[pathKey(path)]; assumed {
		return truthOf(is)
	}
	node := p.levels[len(p.levels)-1]
	u := &unreachable{node.old, node.new}
	switch {
	case p.isPresent(path, w):
		return isTrue
	case p.fixed == nil && u.isNew(path):
		return isFalse
	}
	return unknownTruth
}

// isPresent reports whether a value at a path is always there, if those of the
// world are as assumed.
func (p *prover) isPresent(path []string, w world) bool {
	for i := range path {
		at := path[:i+1]
		if is, assumed := w[pathKey(at)]; assumed && is {
			continue
		}
		if _, isFixed := p.fixedAt(at); isFixed || path[i] == anyChild {
			continue
		}
		parent := schemaAt(p.node(), nodeOf(path[:i]))
		if parent == nil || parent.AdditionalProperties() != nil {
			return false
		}
		child := parent.Property(path[i])
		if child == nil || child.Nullable() {
			return false
		}
		isFilled := child.Default() != nil && p.isReadAlike(at)
		if !slices.Contains(parent.Values().Required, path[i]) && !isFilled &&
			!p.isRequiredByRule(at) {
			return false
		}
	}
	return true
}

// fixedAt returns the value at a path, if it is known: it is fixed, or the
// scalar default of a field that old objects lack.
func (p *prover) fixedAt(path []string) (value any, isFixed bool) {
	if value, isFixed = p.fixed[pathKey(path)]; isFixed || len(path) == 0 {
		return value, isFixed
	}
	last := p.levels[len(p.levels)-1]
	around := nodeOf(path[:len(path)-1])
	old, changed := schemaAt(last.old, around), schemaAt(last.new, around)
	name := path[len(path)-1]
	if name == anyChild || mayBeServers(path) || old == nil || changed == nil || !isPruning(old) ||
		old.Property(name) != nil || changed.Property(name) == nil ||
		changed.Property(name).Nullable() {
		return nil, false
	}
	value = changed.Property(name).Default()
	return value, value != nil && isScalar(value)
}

// schema returns the old schema at a path, or the new one of a field that is
// new.
func (p *prover) schema(path []string) *structural.Schema {
	if s := schemaAt(p.node(), nodeOf(path)); s != nil {
		return s
	}
	return schemaAt(p.levels[len(p.levels)-1].new, nodeOf(path))
}

// isReadAlike reports whether both definitions read the values at a path, and
// the absence of one, in the same way: neither fills in another value, and
// neither keeps a null.
func (p *prover) isReadAlike(path []string) bool {
	last := p.levels[len(p.levels)-1]
	for i := range len(path) + 1 {
		old, changed := schemaAt(last.old, nodeOf(path[:i])), schemaAt(last.new, nodeOf(path[:i]))
		if old == nil || changed == nil || old.Nullable() || changed.Nullable() ||
			i > 0 && !jsonvalue.EqualNumbers(old.Default(), changed.Default()) {
			return false
		}
	}
	return true
}

// node returns the old node of the rule.
func (p *prover) node() *structural.Schema { return p.levels[len(p.levels)-1].old }

// rulesAbout calls a function with each old rule that runs at a node on the way
// to a path, with that node, and with the rest of the path from there.
func (p *prover) rulesAbout(
	path []string, do func(of *structural.Schema, x *expression, rest []string),
) {
	visit := func(s *structural.Schema, rest []string) {
		for _, rule := range s.Rules() {
			if x := p.expressions.parse(rule.Rule); x != nil && !isTransition(&rule) {
				do(s, x, rest)
			}
		}
	}
	last := len(p.levels) - 1
	for i := range last {
		if s := p.levels[i].old; s != nil {
			visit(s, slices.Concat(rulePath(p.levels[i+1:]), path))
		}
	}
	for i := range len(path) + 1 {
		if s := schemaAt(p.node(), nodeOf(path[:i])); s != nil {
			visit(s, path[i:])
		}
	}
}

// isRequiredByRule reports whether an old rule asks for a field.
func (p *prover) isRequiredByRule(path []string) bool {
	found := false
	p.rulesAbout(path, func(_ *structural.Schema, x *expression, rest []string) {
		for _, e := range conjuncts(x.root) {
			if isCallOf(e, "has") {
				at, ok := selected(e.AsCall().Args()[0], variables{"self": {}})
				found = found || ok && len(rest) > 0 && slices.Equal(at, rest)
			}
		}
	})
	return found
}

// truthOfAll returns the truth of the macro all over a list.
func (p *prover) truthOfAll(call ast.CallExpr, in variables, w world) truth {
	inner, path, ok := ofItems(call, in)
	if !ok || !p.isPresent(path, w) {
		return unknownTruth
	}
	if !isList(schemaAt(p.node(), nodeOf(path))) {
		return unknownTruth
	}
	if p.truth(call.Args()[len(call.Args())-1], inner, w) == isTrue {
		return isTrue
	}
	return unknownTruth
}

// ofItems returns the variables within a macro of one variable, whose value is
// an item of the list at a path.
func ofItems(call ast.CallExpr, in variables) (inner variables, list []string, ok bool) {
	args := call.Args()
	if !call.IsMemberFunction() || len(args) != 2 || args[0].Kind() != ast.IdentKind {
		return nil, nil, false
	}
	if list, ok = selected(call.Target(), in); !ok {
		return nil, nil, false
	}
	inner = variables{}
	for name, at := range in {
		inner[name] = at
	}
	inner[args[0].AsIdent()] = below(list, anyChild)
	return inner, list, true
}

// compared returns the truth of a comparison of a value that is there with
// literals.
func (p *prover) compared(e ast.Expr, in variables, w world) truth {
	if e == nil {
		return unknownTruth
	}
	path, keywords := p.comparison(e, in)
	_, isFixed := p.fixedAt(path)
	if keywords == nil || !p.isPresent(path, w) || !isFixed && !p.isReadAlike(path) {
		return unknownTruth
	}
	from := p.effective(path)
	if from == nil {
		return unknownTruth
	}
	to := from.restricted(keywords)
	switch refusal := refusesKeywords(from, to); {
	case refusal == no:
		return isTrue
	case len(to.values.Enum) > 0 && !slices.ContainsFunc(to.values.Enum, from.accepts):
		return isFalse
	}
	return unknownTruth
}
