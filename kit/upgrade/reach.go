package upgrade

import (
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"

	"github.com/crdsem/crdsem/structural"
)

// level is a node on the way to the one that is compared, in both definitions.
// The step leads to it from the level above.
type level struct {
	step     string
	old, new *structural.Schema
}

func oldOf(l *level) *structural.Schema { return l.old }
func newOf(l *level) *structural.Schema { return l.new }

// rulePath returns the steps below a level as rules name them.
func rulePath(below []level) []string {
	path := make([]string, len(below))
	for i := range below {
		if name, ok := strings.CutPrefix(below[i].step, memberStep); ok {
			path[i] = name
		} else {
			path[i] = anyChild
		}
	}
	return path
}

// concerning returns what may look at the values of the node that is compared,
// in one of the definitions: the first rule of some levels, or a junctor above
// the node. It is empty if there is nothing. Comes is set if the question is
// who notices that a value comes, goes or is another one.
func (c *schemaComparison) concerning(
	side func(*level) *structural.Schema, levels int, comes bool,
) string {
	for i := range c.levels[:levels] {
		schema, path := side(&c.levels[i]), rulePath(c.levels[i+1:])
		for _, rule := range schema.Rules() {
			x := c.expressions.parse(rule.Rule)
			if (x.concerns(path) || comes && x.counts(path)) && !c.isHarmless(i, path, &rule) &&
				!c.isKeptEqual(&c.levels[i], &rule) && !c.isOfKeys(i, path, &rule) {
				return rule.Rule
			}
		}
		if len(path) > 0 {
			if junctor := junctorOf(schema.Values(), path, comes); junctor != "" &&
				!c.isHarmlessJunctor(i, path, schema, junctor) {
				return junctor + " of " + pathOrRoot(fieldPath(steps(c.levels[:i+1])))
			}
		}
	}
	return ""
}

// isAsked reports whether an old rule asks if there is a value around the node
// that is compared, or how many.
func (c *schemaComparison) isAsked() bool {
	for i := range c.levels {
		for _, rule := range c.levels[i].old.Rules() {
			path := rulePath(c.levels[i+1:])
			if x := c.expressions.parse(rule.Rule); x != nil && slices.ContainsFunc(x.reads,
				func(r read) bool {
					return r.isShallow && len(r.path) > 0 && len(r.path) < len(path) &&
						slices.Equal(r.path, path[:len(r.path)])
				}) {
				return true
			}
		}
	}
	return false
}

// isKeptEqual reports whether a rule of the node says that its value stays,
// also in the old definition, and the new one only removes fields, or only
// fills in one: what was equal before is equal then.
func (c *schemaComparison) isKeptEqual(at *level, rule *structural.Rule) bool {
	last := c.levels[len(c.levels)-1]
	isFilled := c.given != nil && c.given.old == nil && c.given.new != nil &&
		c.given.new != any(explicitNull{}) &&
		(last.old == nil || last.old.Nullable() == last.new.Nullable())
	if !c.onlyPrunes && !isFilled || at.old == nil || isOptional(*rule) || !saysEqual(rule) {
		return false
	}
	return slices.ContainsFunc(at.old.Rules(), func(r structural.Rule) bool {
		return r.Rule == rule.Rule && !isOptional(r)
	})
}

// isOfKeys reports whether a rule is about each key of the map that has the
// node, also in the old definition, and the new one only removes keys.
func (c *schemaComparison) isOfKeys(level int, path []string, rule *structural.Rule) bool {
	isLess := c.onlyPrunes || c.given != nil && c.given.new == nil && c.given.old != nil
	at := c.levels[level].old
	x := c.expressions.parse(rule.Rule)
	if !isLess || at == nil || x == nil || len(path) == 0 || path[len(path)-1] != anyChild ||
		!isCallOf(x.root, "all") {
		return false
	}
	_, of, isMacro := ofItems(x.root.AsCall(), variables{"self": {}})
	if !isMacro || !c.hasSame(level, rule) || !slices.Equal(below(of, anyChild), path) {
		return false
	}
	node := schemaAt(at, nodeOf(of))
	if node == nil || node.Type() != "object" {
		return false
	}
	args := x.root.AsCall().Args()
	return !mentions(args[len(args)-1], "self", "oldSelf")
}

// mentions reports whether an expression has one of some identifiers.
func mentions(e ast.Expr, names ...string) bool {
	found := false
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		found = found || e.Kind() == ast.IdentKind && slices.Contains(names, e.AsIdent())
	}))
	return found
}

func pathOrRoot(path string) string {
	if path == "" {
		return "the whole object"
	}
	return path
}

// junctorAbout returns the junctor that restricts values at a path, or below
// it.
func junctorAbout(v *structural.ValueValidation, path []string) string {
	return junctorOf(v, path, false)
}

// junctorOf is like junctorAbout. If a value comes or goes, what requires or
// counts fields further up does not notice.
func junctorOf(v *structural.ValueValidation, path []string, comes bool) string {
	for _, j := range []struct {
		keyword  string
		branches []*structural.Schema
	}{{"allOf", v.AllOf}, {"anyOf", v.AnyOf}, {"oneOf", v.OneOf}, {"not", one(v.Not)}} {
		if slices.ContainsFunc(j.branches, func(s *structural.Schema) bool {
			return restricts(s, path, comes)
		}) {
			return j.keyword
		}
	}
	return ""
}

// restricts reports whether a branch restricts values at a path, or below it.
func restricts(s *structural.Schema, path []string, comes bool) bool {
	if s == nil {
		return false
	}
	v := s.Values()
	if len(path) == 0 || len(v.Enum) > 0 || junctorOf(v, path, comes) != "" {
		return true
	}
	counts := v.MinProperties != nil || v.MaxProperties != nil ||
		slices.Contains(v.Required, path[0])
	if counts && (!comes || len(path) == 1) {
		return true
	}
	if path[0] == anyChild {
		return restricts(s.Items(), path[1:], comes) ||
			restricts(s.AdditionalSchema(), path[1:], comes)
	}
	return restricts(s.Property(path[0]), path[1:], comes) ||
		restricts(s.AdditionalSchema(), path[1:], comes)
}

// unreachable says what no value of the old node has. Paths are from the node.
// Every value must have the fields on the way, because a rule fails without.
type unreachable struct{ old, new *structural.Schema }

// isNew reports whether no value has a field.
func (u *unreachable) isNew(path []string) bool {
	old, changed := u.old, u.new
	for i, name := range path {
		isLast := i == len(path)-1
		switch {
		case name == anyChild:
			old, changed = itemsOrValues(old), itemsOrValues(changed)
		case old.Property(name) == nil:
			added := changed.Property(name)
			return isLast && isPruning(old) && added != nil && added.Default() == nil &&
				!mayBeServers(path)
		case !isLast && !slices.Contains(old.Values().Required, name):
			return false
		default:
			old, changed = old.Property(name), changed.Property(name)
		}
		if old == nil || changed == nil || old.Nullable() || changed.Nullable() {
			return false
		}
	}
	return false
}

func itemsOrValues(s *structural.Schema) *structural.Schema {
	if items := s.Items(); items != nil {
		return items
	}
	return s.AdditionalSchema()
}

// isPruning reports whether a node removes the fields that it does not declare.
func isPruning(s *structural.Schema) bool {
	return s.Type() == "object" && !s.PreservesUnknownFields() && s.AdditionalProperties() == nil
}
