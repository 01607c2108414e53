package lint

import (
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
)

// literalOf is one part of a clause: an expression, or its negation.
type literalOf struct {
	expr  ast.Expr
	isNot bool
}

// clause is a list of conditions of which one must hold.
type clause []literalOf

// mostClauses bounds the clauses of a rule that are looked at.
const mostClauses = 16

// clauses returns what must hold for an expression, or for its negation, to
// hold: all of the clauses. Beyond a bound an expression is one of its own.
func clauses(x ast.Expr, isNot bool) []clause {
	single := []clause{{{x, isNot}}}
	if x.Kind() != ast.CallKind {
		return single
	}
	call := x.AsCall()
	args := call.Args()
	switch name := call.FunctionName(); {
	case name == operators.LogicalNot:
		return clauses(args[0], !isNot)
	case name == operators.LogicalAnd && !isNot, name == operators.LogicalOr && isNot:
		return slices.Concat(clauses(args[0], isNot), clauses(args[1], isNot))
	case name == operators.LogicalAnd, name == operators.LogicalOr:
		return anyOf(single, clauses(args[0], isNot), clauses(args[1], isNot))
	case name == operators.Conditional:
		return slices.Concat(
			anyOf(single, clauses(args[0], true), clauses(args[1], isNot)),
			anyOf(single, clauses(args[0], false), clauses(args[2], isNot)))
	}
	return single
}

// anyOf joins two lists of clauses of which one must hold.
func anyOf(otherwise, a, b []clause) []clause {
	if len(a)*len(b) > mostClauses {
		return otherwise
	}
	var all []clause
	for _, x := range a {
		for _, y := range b {
			all = append(all, slices.Concat(x, y))
		}
	}
	return all
}

// parts returns the clauses of a rule, without those that have a literal true,
// and without a literal false in them.
func (r *rule) parts() []clause {
	is := func(l literalOf, truth bool) bool {
		return l.expr.Kind() == ast.LiteralKind &&
			l.expr.AsLiteral().Value() == any(truth != l.isNot)
	}
	var all []clause
	for _, c := range clauses(r.root, false) {
		if !slices.ContainsFunc(c, func(l literalOf) bool { return is(l, true) }) {
			all = append(all, slices.DeleteFunc(c, func(l literalOf) bool { return is(l, false) }))
		}
	}
	return all
}

func (c clause) mentions(name string) bool {
	return slices.ContainsFunc(c, func(l literalOf) bool { return mentions(l.expr, name) })
}

// created looks for a check of the value alone in a transition rule. The server
// does not run the rule when the value is created.
func (r *rule) created(rules []*rule) {
	if !r.isTransition || r.hasOptionalOld ||
		slices.ContainsFunc(rules, func(o *rule) bool { return o.hasOptionalOld }) {
		return
	}
	for _, c := range r.parts() {
		if c.mentions("oldSelf") || !c.mentions("self") || r.holds(c) || r.isAskedBy(rules, c) {
			continue
		}
		r.w.add("LINT-create", r.at+".rule", "write `"+r.sourceOf(c)+"` as a rule of its own",
			"the rule reads oldSelf, so that the server does not run it for a value that is "+
				"new: `%s` is not checked then", r.sourceOf(c))
		return
	}
	if !r.isFreeze() && !r.asksForNew() {
		r.stuck(rules)
	}
}

// asksForNew looks for a part that asks whether the old object lacks a field
// that every object has, to tell whether the object is new: that is never so,
// because the server does not run the rule then.
func (r *rule) asksForNew() bool {
	for _, c := range r.parts() {
		i := slices.IndexFunc(c, r.isOldRequired)
		rest := slices.Delete(slices.Clone(c), max(i, 0), i+1)
		if i < 0 || len(rest) == 0 || rest.mentions("oldSelf") || !rest.mentions("self") {
			continue
		}
		r.w.add("LINT-create", r.at+".rule",
			"set `optionalOldSelf: true`, and write `oldSelf.hasValue() || …` for an object "+
				"that is new",
			"every object has the field of `%s`, and the server does not run the rule for a value "+
				"that is new: `%s` is never checked", r.source(c[i].expr), r.sourceOf(rest))
		return true
	}
	return false
}

// isOldRequired reports whether a part asks has() of a field of oldSelf that
// every object has.
func (r *rule) isOldRequired(l literalOf) bool {
	if l.isNot || l.expr.Kind() != ast.CallKind || l.expr.AsCall().FunctionName() != "has" {
		return false
	}
	at, n := r.selected(l.expr.AsCall().Args()[0])
	return n != nil && at.isOld && !r.node.isOptional(at.path)
}

// holds reports whether the schema decides that a clause holds.
func (r *rule) holds(c clause) bool {
	return slices.ContainsFunc(c, func(l literalOf) bool {
		e := &evaluation{
			assumptions: assumptions{isStrict: true}, rule: r,
			vars: map[string]value{"self": {node: r.node}},
		}
		can := e.truth(l.expr)
		return !l.isNot && can == yes || l.isNot && can == no
	})
}

// isAskedBy reports whether a rule that runs for new values has the clause.
func (r *rule) isAskedBy(rules []*rule, c clause) bool {
	return slices.ContainsFunc(rules, func(o *rule) bool {
		return o.root != nil && !o.isTransition && !slices.ContainsFunc(c, func(l literalOf) bool {
			return !strings.Contains(squeezed(o.text), squeezed(r.source(l.expr)))
		})
	})
}

// sourceOf returns a clause as text.
func (r *rule) sourceOf(c clause) string {
	var parts []string
	for _, l := range c {
		text := r.source(l.expr)
		isCall := l.expr.Kind() == ast.CallKind &&
			strings.Contains(l.expr.AsCall().FunctionName(), "_") // an operator
		switch {
		case l.isNot && isCall:
			text = "!(" + text + ")"
		case l.isNot:
			text = "!" + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " || ")
}

// isFreeze reports whether a part of the rule is about the old value only,
// which ends all updates of an object on purpose.
func (r *rule) isFreeze() bool {
	return slices.ContainsFunc(r.parts(), func(c clause) bool { return !c.mentions("self") })
}

// mostTries bounds the values that a rule is tried on.
const mostTries = 128

// stuck looks for values that a transition rule refuses even if they do not
// change, and that an object may be created with. A rule that refuses every
// value that does not change is meant so.
func (r *rule) stuck(rules []*rule) {
	of := r.readings()
	var refused map[place]any
	isKept := false
	for pins := range r.combinations(of) {
		a := assumptions{pins: pins}
		if slices.ContainsFunc(rules, func(o *rule) bool {
			return o.root != nil && !o.isTransition && o.in(a)&yes == 0
		}) {
			continue
		}
		switch can := r.in(a); {
		case can&yes != 0:
			isKept = true
		case can == no && refused == nil:
			refused = pins
		}
	}
	if refused == nil || !isKept {
		return
	}
	r.w.add("LINT-create", r.at+".rule",
		"set `optionalOldSelf: true`, and write `!oldSelf.hasValue()` for an object that is new",
		"the server does not run the rule for a value that is new, and refuses an update that "+
			"keeps %s: an object can be created so, and not be updated", inWords(refused))
}

// combinations yields values of all fields that a rule reads, the same ones for
// self and oldSelf. It yields nothing if there are too many.
func (r *rule) combinations(of *reading) func(yield func(map[place]any) bool) {
	paths := slices.Sorted(maps.Keys(of.fields))
	paths = slices.DeleteFunc(paths, func(path string) bool { // a whole that has others within
		return slices.ContainsFunc(paths, func(other string) bool {
			return strings.HasPrefix(other, path+".")
		})
	})
	lists, total := make([][]any, len(paths)), 1
	for i, path := range paths {
		lists[i] = r.candidates(path, of)
		total *= len(lists[i])
		if total > mostTries {
			total = 0
		}
	}
	return func(yield func(map[place]any) bool) {
		for n := range total {
			pins := map[place]any{}
			for i, path := range paths {
				value := lists[i][n%len(lists[i])]
				n /= len(lists[i])
				pins[place{path, false}], pins[place{path, true}] = value, value
			}
			if !yield(pins) {
				return
			}
		}
	}
}

// inWords returns the values of self's fields in words.
func inWords(pins map[place]any) string {
	var parts []string
	for at, v := range pins {
		if at.isOld {
			continue
		}
		switch v.(type) {
		case missing:
			parts = append(parts, "self"+at.path+" absent")
		case token:
			parts = append(parts, "self"+at.path+" as it is")
		default:
			parts = append(parts, "self"+at.path+" at "+shown(v))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " and ")
}
