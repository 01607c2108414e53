package objectgen

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/structural"
)

// NodePath leads from the root of a schema to a node, a step to each child.
// e.g. ".spec", ".ports", "[]" for the items of spec.ports.
type NodePath []string

// The steps of a NodePath: to the items of a list, to the values of a map, and
// to a property, whose name follows.
const (
	ItemStep   = "[]"
	KeyStep    = "{}"
	MemberStep = "."
)

// To returns the path to a child.
func (p NodePath) To(step string) NodePath { return append(p[:len(p):len(p)], step) }

// In reports whether a value has the node that the path leads to.
func (p NodePath) In(v any) bool {
	if len(p) == 0 {
		return v != nil
	}
	step, rest := p[0], p[1:]
	switch v := v.(type) {
	case map[string]any:
		if name, ok := strings.CutPrefix(step, MemberStep); ok {
			return rest.In(v[name])
		}
		for _, member := range v {
			if rest.In(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, rest.In)
	}
	return false
}

// Event is the write that rules are evaluated for.
type Event int

const (
	// OnCreate has no old object: transition rules are left out.
	OnCreate Event = iota
	// OnUpdate has one: all rules count.
	OnUpdate
)

// Rules is the keyword of validation rules.
const Rules = "x-kubernetes-validations"

const embeddedKeyword = "x-kubernetes-embedded-resource"

// Places lists, by keyword, the nodes of a schema where it can be broken.
type Places struct {
	Event    Event
	Keywords []string // in order

	byKeyword map[string][]*place
	rules     []string // the expressions, in order
	byRule    map[string][]*place
	patterns  Maker // knows compiled patterns
}

// place is a node by its last step. The root is nil.
type place struct {
	parent *place
	step   string
}

// path returns the path to the node.
func (at *place) path() (path NodePath) {
	for ; at != nil; at = at.parent {
		path = append(path, at.step)
	}
	slices.Reverse(path)
	return path
}

// Target is a keyword to break, and the node where.
type Target struct {
	Keyword string
	// Rule is the expression to break if the keyword is Rules.
	Rule string
	Path NodePath
}

// NewPlaces lists the places of a schema.
func NewPlaces(root Node, event Event) *Places {
	p := &Places{Event: event, byKeyword: map[string][]*place{}, byRule: map[string][]*place{}}
	p.visit(root, nil)
	p.Keywords = slices.Sorted(maps.Keys(p.byKeyword))
	p.rules = slices.Sorted(maps.Keys(p.byRule))
	return p
}

// Target returns a place of a keyword; ok is false if it has no place. Every
// rule is as probable as any other.
func (p *Places) Target(r *rand.Rand, keyword string) (target Target, ok bool) {
	target.Keyword = keyword
	paths := p.byKeyword[keyword]
	if keyword == Rules && len(p.rules) > 0 {
		target.Rule = Pick(r, p.rules...)
		paths = p.byRule[target.Rule]
	}
	if len(paths) == 0 {
		return target, false
	}
	target.Path = Pick(r, paths...).path()
	return target, true
}

func (p *Places) visit(n Node, at *place) {
	for _, keyword := range p.breakable(n, at) {
		to := at
		if keyword == "maxItems" || keyword == "x-kubernetes-list-type" {
			to = &place{at, ItemStep} // a list is broken by its items
		}
		p.byKeyword[keyword] = append(p.byKeyword[keyword], to)
	}
	for _, rule := range rulesOn(n, p.Event) {
		p.byRule[rule.Rule] = append(p.byRule[rule.Rule], at)
	}
	for _, name := range n.PropertyNames() {
		if property, ok := n.Property(name); ok && !isTypeMeta(n, at == nil, name) {
			p.visit(property, &place{at, MemberStep + name})
		}
	}
	if items, ok := n.Items(); ok {
		p.visit(items, &place{at, ItemStep})
	}
	if additional, ok := n.Additional(); ok {
		p.visit(additional, &place{at, KeyStep})
	}
}

// keywordList collects keywords that some value of a node breaks.
type keywordList []string

func (l *keywordList) addIf(ok bool, keyword string) {
	if ok {
		*l = append(*l, keyword)
	}
}

// breakable lists the keywords of a node that some value breaks.
func (p *Places) breakable(n Node, at *place) (found keywordList) {
	for _, j := range junctorsOf(n.schema) {
		found = append(found, j.keyword)
	}
	found.addIf(len(rulesOn(n, p.Event)) > 0, Rules)
	if n.intOrString() {
		return append(found, "x-kubernetes-int-or-string")
	}
	if len(n.enum()) > 0 {
		return append(found, "enum")
	}
	isTyped := n.typ() != ""
	isItem := at != nil && at.step == ItemStep
	found.addIf(isTyped && at != nil, "type")
	found.addIf(isTyped && isItem && rejectsNull(n), "nullable")
	switch n.typ() {
	case "object":
		found.addObject(n, at == nil)
	case "array":
		found.addIf(between(n.atMost, maxItems, 0, maxAdded), "maxItems")
		found.addIf(between(n.atLeast, minItems, 1, math.MaxInt), "minItems")
		found.addIf(isSetOrMap(n), "x-kubernetes-list-type")
	case "string":
		p.patterns.stringSites(n, func(keyword string, _ replacement) {
			found = append(found, keyword)
		})
	case "integer", "number":
		numberSites(n, func(keyword string, _ replacement) { found = append(found, keyword) })
	}
	return found
}

func (l *keywordList) addObject(n Node, isRoot bool) {
	l.addIf(len(missable(n, isRoot)) > 0, "required")
	l.addIf(between(n.atMost, maxProperties, 0, maxAdded) && hasAdditional(n), "maxProperties")
	l.addIf(between(n.atLeast, minProperties, 1, math.MaxInt) && len(n.required()) == 0,
		"minProperties")
	l.addIf(n.embedded(), embeddedKeyword)
}

// maxAdded is the greatest maximum of a count that is exceeded.
const maxAdded = 1 << 10

// between reports whether a node has a limit from low to high.
func between(get func(limit) (int, bool), of limit, low, high int) bool {
	count, ok := get(of)
	return ok && count >= low && count <= high
}

// hasAdditional reports whether additionalProperties is present.
func hasAdditional(n Node) bool { return n.schema.AdditionalProperties() != nil }

// rejectsNull reports whether null is an error in a list. Where there is a
// default, it takes the place of null.
func rejectsNull(n Node) bool { return !n.nullable() && n.Default() == nil }

func isSetOrMap(n Node) bool {
	return n.listType() == structural.ListSet || n.listType() == structural.ListMap
}

// missable lists the required names of a node whose absence is an error: those
// without a default that are not part of a resource's identity.
func missable(n Node, isRoot bool) (names []string) {
	for _, name := range n.required() {
		property, _ := n.Property(name)
		if property.Default() == nil && !isTypeMeta(n, isRoot, name) {
			names = append(names, name)
		}
	}
	return names
}

// isTypeMeta reports whether a member is apiVersion, kind or metadata of a
// resource. The server looks at them before it validates.
func isTypeMeta(n Node, isRoot bool, name string) bool {
	return (isRoot || n.embedded()) &&
		(name == "apiVersion" || name == "kind" || name == "metadata")
}

// rulesOn lists the rules of a node that are evaluated on a write.
func rulesOn(n Node, event Event) (rules []structural.Rule) {
	for _, rule := range n.schema.Rules() {
		if rule.Rule != "" && (event == OnUpdate || !isTransitionRule(rule)) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// isTransitionRule reports whether a rule is evaluated only with an old value.
func isTransitionRule(rule structural.Rule) bool {
	optional := rule.OptionalOldSelf != nil && *rule.OptionalOldSelf
	return strings.Contains(rule.Rule, "oldSelf") && !optional
}

// junctor is one of allOf, anyOf, oneOf and not, and its branches.
type junctor struct {
	keyword  string
	branches []*structural.Schema
}

// junctorsOf lists the junctors of a node, in the order of the keywords above.
func junctorsOf(s *structural.Schema) (found []junctor) {
	v := s.Values()
	for _, j := range []junctor{{"allOf", v.AllOf}, {"anyOf", v.AnyOf}, {"oneOf", v.OneOf}} {
		if len(j.branches) > 0 {
			found = append(found, j)
		}
	}
	if v.Not != nil {
		found = append(found, junctor{"not", []*structural.Schema{v.Not}})
	}
	return found
}
