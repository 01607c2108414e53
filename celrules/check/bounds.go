package check

import (
	"slices"
	"sort"
	"strings"

	celcost "cel.dev/cel-go/common/cost"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// advisor finds the bounds that would bring a rule below its limit.
//
// It estimates the rule once to see which sizes the estimate asks for. It then
// estimates the rule again and again with trial values for bounds that the
// schema does not set, or sets higher, and searches for the largest values that
// fit.
type advisor struct {
	node *node
	rule *compilation.Expression

	missing []MissingBound
	set     []SetBound
	sizes   map[string]size  // by the path below self
	trial   map[string]int64 // trial values of bounds, by the path of the schema node
}

// size is a node whose size the estimate asks for.
type size struct {
	path    string // of the schema node, empty if no keyword bounds it
	perUnit int64  // elements for one unit of the bound, e.g. 4 bytes for one character
}

func newAdvisor(n *node, rule *compilation.Expression) *advisor {
	a := &advisor{node: n, rule: rule, sizes: map[string]size{}}
	for _, f := range n.factors() {
		a.add(f.Path, f.Keyword, f.Max)
	}
	a.cost() // collects the sizes
	return a
}

// add adds a bound: to the missing ones, or to those that the schema sets.
func (a *advisor) add(path, keyword string, limit *int64) {
	if limit == nil {
		a.missing = append(a.missing, MissingBound{Path: path, Keyword: keyword})
	} else {
		a.set = append(a.set, SetBound{Path: path, Keyword: keyword, Value: *limit})
	}
}

// advise fills in the bounds of a rule over its limit.
func (a *advisor) advise(c *RuleCost) {
	var missing, all []string
	for i := range a.missing {
		path := a.missing[i].Path
		a.missing[i].Fits = a.largest(path)
		missing = append(missing, path)
	}
	c.Missing, c.FitsTogether = a.missing, a.largest(missing...)
	if c.FitsTogether > 0 {
		return
	}
	all = missing
	for i := range a.set {
		path := a.set[i].Path
		a.set[i].Fits = a.largest(path)
		all = append(all, path)
	}
	c.Set, c.FitsAll = a.set, a.largest(all...)
}

// largest returns the largest value of the bounds at some paths with which the
// rule fits, 0 if it fits with no value.
func (a *advisor) largest(paths ...string) int64 {
	if len(paths) == 0 {
		return 0
	}
	fits := func(n int64) bool {
		a.trial = make(map[string]int64, len(paths))
		for _, path := range paths {
			a.trial[path] = n
		}
		return a.cost() <= RuleCostLimit
	}
	if !fits(1) {
		return 0
	}
	tooMany := sort.Search(decl.MaxRequestBytes, func(n int) bool {
		return n > 0 && !fits(int64(n))
	})
	return int64(tooMany - 1)
}

// cost estimates the rule for all values of its node, with the trial's bounds.
func (a *advisor) cost() uint64 {
	maxCost := a.rule.EstimateWith(a.node.checker.settings.Profile, a)
	return a.cardinality(a.node).charge(maxCost, a.node.declaration())
}

// cardinality returns the cardinality of a node with the trial's bounds.
func (a *advisor) cardinality(n *node) cardinality {
	if n.parent == nil {
		return cardinality{product: 1}
	}
	children := elements(n.parent.schema)
	if trial, ok := a.trial[n.parent.path.String()]; ok {
		if children.unbounded || children.product > uint64(trial) {
			children = cardinality{product: uint64(trial)}
		}
	}
	return a.cardinality(n.parent).times(children)
}

// EstimateSize returns the size that the schema declares, or that of a trial
// value if that is smaller.
func (a *advisor) EstimateSize(element celcost.AstNode) *celcost.SizeEstimate {
	declared := a.node.declaration().EstimateSize(element)
	if declared == nil {
		return nil
	}
	steps := element.Path()[1:]
	key := strings.Join(steps, "\x00")
	s, known := a.sizes[key]
	if !known {
		s = a.find(steps)
		a.sizes[key] = s
	}
	if n, ok := a.trial[s.path]; ok && s.path != "" {
		return &celcost.SizeEstimate{Max: min(declared.Max, uint64(n*s.perUnit))}
	}
	return declared
}

// find follows a path below self, e.g. spec, ports, @items. It adds the bound
// of the node there.
func (a *advisor) find(steps []string) size {
	n, path := a.node.declaration(), a.node.path.String()
	for _, step := range steps {
		switch step {
		case "@keys":
			return size{}
		case "@items":
			n, path = n.ElemDecl(), path+".items"
		case "@values":
			n, path = n.ElemDecl(), path+".additionalProperties"
		default:
			name, _ := decl.Unescape(step)
			n, path = n.Field(step), path+".properties["+name+"]"
		}
	}
	keyword, limit, perUnit := n.Bound()
	if keyword == "" {
		return size{}
	}
	if !a.knows(path) {
		a.add(path, keyword, limit)
	}
	return size{path, perUnit}
}

// knows reports whether the bound at a path was added.
func (a *advisor) knows(path string) bool {
	return slices.ContainsFunc(a.missing, func(b MissingBound) bool { return b.Path == path }) ||
		slices.ContainsFunc(a.set, func(b SetBound) bool { return b.Path == path })
}
