package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// parsed returns the rules of a node.
func (w *walk) parsed(n *node) []*rule {
	rules := branchesOf(n.doc, "x-kubernetes-validations")
	parsed := make([]*rule, len(rules))
	for i, doc := range rules {
		parsed[i] = &rule{w: w, node: n}
		parsed[i].at = fmt.Sprintf("%s.x-kubernetes-validations[%d]", n.at, i)
		parsed[i].text, _ = doc["rule"].(string)
		parsed[i].hasOptionalOld = doc["optionalOldSelf"] == true
		parsed[i].hasMessage = doc["message"] != nil || doc["messageExpression"] != nil
		if syntax := celsyntax.Parse(parsed[i].text); syntax != nil {
			parsed[i].root, parsed[i].syntax = syntax.Expr(), syntax
			parsed[i].isTransition = mentions(syntax.Expr(), "oldSelf")
		}
	}
	return parsed
}

// rules looks at the rules of a node.
func (w *walk) rules(n *node) {
	parsed := w.parsed(n)
	for _, r := range parsed {
		if r.root != nil && w.ctx.Err() == nil {
			r.constant(r.unguarded(parsed))
			r.endsWithError()
			r.created(parsed)
			r.bypassed()
		}
	}
	w.union(n, parsed)
}

// rule is a rule of a node. Its root is nil if it does not parse.
type rule struct {
	w              *walk
	node           *node
	at, text       string
	hasOptionalOld bool
	hasMessage     bool
	isTransition   bool // it reads oldSelf
	root           ast.Expr
	syntax         *ast.AST
}

// source returns an expression of the rule as text.
func (r *rule) source(x ast.Expr) string { return celsyntax.Text(r.syntax, x) }

// in evaluates the rule under assumptions.
func (r *rule) in(a assumptions) outcome {
	if r.root == nil {
		return anything
	}
	e := &evaluation{assumptions: a, rule: r, vars: map[string]value{"self": {node: r.node}}}
	if !r.hasOptionalOld {
		e.vars["oldSelf"] = value{node: r.node, isOld: true}
	}
	return e.truth(r.root)
}

// forbids reports whether the rule does not hold under assumptions, and may
// hold without them.
func (r *rule) forbids(a assumptions) bool {
	return r.in(a) == no && r.in(assumptions{}) != no
}

// unguarded looks for optional fields that the rule reads without has(): an
// object without the field cannot pass. It returns what may be absent.
func (r *rule) unguarded(others []*rule) (optional []string) {
	seen := map[string]ast.Expr{}
	r.in(assumptions{reads: seen})
	optional = slices.Sorted(maps.Keys(seen))
	for _, path := range optional {
		absent := assumptions{absent: path}
		if can := r.in(absent); can&yes != 0 || can&fails == 0 ||
			slices.ContainsFunc(others, func(o *rule) bool { return o.forbids(absent) }) {
			continue
		}
		field := r.source(seen[path])
		where := ""
		if whole := "self" + strings.ReplaceAll(path, "[]", "[…]"); whole != field {
			where = ", which is " + whole + ","
		}
		r.w.add("LINT-has", r.at+".rule",
			fmt.Sprintf("write `!has(%s) || …`, require the field, or give it a default", field),
			"the rule reads %s%s without has(), and the field is optional: the server refuses "+
				"an object without it (no such key)", field, where)
	}
	return optional
}

// readsEmptyDefaults reports whether the only defaults that the rule reads are
// empty texts. Kubernetes' types of references to objects have such a default
// for a name, which a rule then asks for.
func (r *rule) readsEmptyDefaults() bool {
	t := r.node.trial()
	if t == nil {
		return false
	}
	found := false
	for _, path := range r.looks() {
		s := schemaAt(t.schema, path)
		switch {
		case s == nil || s.Default() == nil:
		case s.Default() != any(""):
			return false
		default:
			found = true
		}
	}
	return found
}

// constant looks for rules that always or never hold, or do not hold for the
// defaults that they read.
func (r *rule) constant(optional []string) {
	can := r.in(assumptions{isStrict: true})
	always := can == yes || slices.ContainsFunc(optional, func(path string) bool {
		return r.in(assumptions{isStrict: true, absent: path})|
			r.in(assumptions{isStrict: true, present: path}) == yes
	})
	switch {
	case always:
		r.w.add("LINT-constant", r.at+".rule", "remove the rule, or fix it",
			"the rule holds for every object that the schema allows")
	case can&yes == 0 && strings.TrimSpace(r.text) != "false":
		r.w.add("LINT-constant", r.at+".rule", "fix the rule",
			"the rule holds for no object that the schema allows")
	case can&yes != 0 && r.in(assumptions{isStrict: true, withDefaults: true})&yes == 0 &&
		!r.readsEmptyDefaults():
		r.w.add("LINT-default", r.at+".rule", "change the default or the rule",
			"the rule does not hold for the defaults of the fields that it reads: the server "+
				"refuses an object that leaves them out")
	}
}
