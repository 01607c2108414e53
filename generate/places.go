package generate

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// route leads from the root of a schema to a node: each step to a child.
type route []string

// The steps of routes: into the items of a list, into the values of a map, and into a
// member, the name of which follows.
const (
	itemStep   = "[]"
	keyStep    = "{}"
	memberStep = "."
)

// counted says which rules count.
type counted int

const (
	onCreate counted = iota // those that need no old object
	onUpdate                // all
)

// places lists by keyword the nodes where it can be broken.
type places struct {
	counted   counted
	keywords  []string // in order
	byKeyword map[string][]route
	rules     []string // their texts, in order
	byRule    map[string][]route
}

// target is what is to be broken: a keyword, and which rule if it is rules.
type target struct {
	keyword, rule string
	toward        route
}

// target returns a place of a keyword; every rule is as probable as any other.
func (p *places) target(r *Rand, keyword string) (of target, ok bool) {
	of.keyword = keyword
	routes := p.byKeyword[keyword]
	if keyword == "x-kubernetes-validations" && len(p.rules) > 0 {
		of.rule = pick(r, p.rules...)
		routes = p.byRule[of.rule]
	}
	if len(routes) == 0 {
		return of, false
	}
	of.toward = routes[r.Intn(len(routes))]
	return of, true
}

// placesIn lists the places of a schema, with the rules that count.
func placesIn(schema node, rules counted) *places {
	p := &places{counted: rules, byKeyword: map[string][]route{}, byRule: map[string][]route{}}
	p.visit(schema, nil)
	p.keywords, p.rules = slices.Sorted(maps.Keys(p.byKeyword)), slices.Sorted(maps.Keys(p.byRule))
	return p
}

func (p *places) visit(n node, at route) {
	for _, keyword := range p.breakable(n, at) {
		to := at
		if keyword == "maxItems" || keyword == "x-kubernetes-list-type" {
			to = at.to(itemStep) // a list is broken by its items
		}
		p.byKeyword[keyword] = append(p.byKeyword[keyword], to)
	}
	for _, of := range rulesOf(n, p.counted) {
		p.byRule[of.text] = append(p.byRule[of.text], at)
	}
	root := len(at) == 0
	properties, _ := n["properties"].(node)
	for _, name := range names(properties) {
		if property, ok := properties[name].(node); ok && !identifies(n, root, name) {
			p.visit(property, at.to(memberStep+name))
		}
	}
	if items, ok := n["items"].(node); ok {
		p.visit(items, at.to(itemStep))
	}
	if additional, ok := n["additionalProperties"].(node); ok {
		p.visit(additional, at.to(keyStep))
	}
}

// to returns the route to a child.
func (r route) to(step string) route { return append(r[:len(r):len(r)], step) }

// breakable lists the keywords of a node that some value breaks.
func (p *places) breakable(n node, at route) []string {
	var found []string
	add := func(keyword string, ok bool) {
		if ok {
			found = append(found, keyword)
		}
	}
	for _, keyword := range junctors {
		add(keyword, n[keyword] != nil)
	}
	add("x-kubernetes-validations", len(rulesOf(n, p.counted)) > 0)
	add("x-kubernetes-int-or-string", n["x-kubernetes-int-or-string"] == true)
	if n["x-kubernetes-int-or-string"] == true {
		return found
	}
	if len(list(n["enum"])) > 0 {
		return append(found, "enum")
	}
	_, typed := n["type"].(string)
	add("type", typed && len(at) > 0)
	add("nullable", typed && isItem(at) && n["nullable"] != true && n["default"] == nil)
	switch n["type"] {
	case "object":
		add("required", len(requiredOf(n, len(at) == 0)) > 0)
		add("maxProperties", within(n, "maxProperties", 0, maxCount) && n["additionalProperties"] != nil)
		add("minProperties", within(n, "minProperties", 1, math.MaxInt) && len(list(n["required"])) == 0)
		add("x-kubernetes-embedded-resource", n["x-kubernetes-embedded-resource"] == true)
	case "array":
		add("maxItems", within(n, "maxItems", 0, maxCount))
		add("minItems", within(n, "minItems", 1, math.MaxInt))
		add("x-kubernetes-list-type", n["x-kubernetes-list-type"] == "set" || n["x-kubernetes-list-type"] == "map")
	case "string":
		stringSites(n, func(keyword string, _ func(*Rand) any) { add(keyword, true) })
	case "integer", "number":
		numberSites(n, func(keyword string, _ func(*Rand) any) { add(keyword, true) })
	}
	return found
}

// junctors are the keywords that hold branches.
var junctors = []string{"allOf", "anyOf", "oneOf", "not"}

// maxCount is the greatest limit of a count that is exceeded.
const maxCount = 1 << 10

// within reports whether a node has a limit that counts, from low to high.
func within(n node, keyword string, low, high int) bool {
	limit, ok := count(n, keyword)
	return ok && limit >= low && limit <= high
}

func isItem(at route) bool { return len(at) > 0 && at[len(at)-1] == itemStep }

// requiredOf lists the names that a node requires and that are missed if they are absent.
func requiredOf(n node, root bool) []string {
	properties, _ := n["properties"].(node)
	var required []string
	for _, v := range list(n["required"]) {
		name, ok := v.(string)
		property, _ := properties[name].(node)
		if ok && property["default"] == nil && !identifies(n, root, name) {
			required = append(required, name)
		}
	}
	return required
}

// rule is a validation rule of a node.
type rule struct{ text, message string }

// rulesOf lists the rules of a node that count.
func rulesOf(n node, which counted) []rule {
	var rules []rule
	for _, v := range list(n["x-kubernetes-validations"]) {
		of, _ := v.(node)
		text, ok := of["rule"].(string)
		if !ok || (which == onCreate && needsOld(text, of)) {
			continue
		}
		message, _ := of["message"].(string)
		rules = append(rules, rule{text, message})
	}
	return rules
}

// needsOld reports whether a rule is evaluated only where there is an old value.
func needsOld(text string, of node) bool {
	return strings.Contains(text, "oldSelf") && of["optionalOldSelf"] != true
}
