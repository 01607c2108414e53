package check

import (
	"sort"
	"strings"

	"github.com/google/cel-go/checker"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// advisor finds the missing bounds that would bring a rule below its limit.
//
// It estimates the rule once to see which sizes the estimate asks for. It then
// estimates the rule again and again with trial values for the bounds that the
// schema does not set, and searches for the largest values that fit.
type advisor struct {
	node *node
	rule *compilation.Expression

	missing []MissingBound
	sizes   map[string]size  // by the path below self
	trial   map[string]int64 // trial values of bounds, by the path of the schema node
}

// size is a node without a bound, whose size the estimate asks for.
type size struct {
	path    string // of the schema node, empty if the node has a bound
	perUnit int64  // elements for one unit of the bound, e.g. 4 bytes for one character
}

func newAdvisor(n *node, rule *compilation.Expression) *advisor {
	a := &advisor{node: n, rule: rule, sizes: map[string]size{}}
	for _, f := range n.factors() {
		if f.Max == nil {
			a.missing = append(a.missing, MissingBound{Path: f.Path, Keyword: f.Keyword})
		}
	}
	a.cost() // collects the sizes
	return a
}

// advise returns the missing bounds, and the largest value that fits if all of
// them have it.
func (a *advisor) advise() ([]MissingBound, int64) {
	for i := range a.missing {
		a.missing[i].Fits = a.largest(a.missing[i : i+1])
	}
	return a.missing, a.largest(a.missing)
}

// largest returns the largest value of some bounds with which the rule fits, 0
// if it fits with no value.
func (a *advisor) largest(bounds []MissingBound) int64 {
	if len(bounds) == 0 {
		return 0
	}
	fits := func(n int64) bool {
		a.trial = make(map[string]int64, len(bounds))
		for _, b := range bounds {
			a.trial[b.Path] = n
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
	maxCost, err := a.rule.EstimateWith(a)
	if err != nil {
		return 0
	}
	return a.cardinality(a.node).charge(maxCost, a.node.declaration())
}

// cardinality returns the cardinality of a node with the trial's bounds.
func (a *advisor) cardinality(n *node) cardinality {
	if n.parent == nil {
		return cardinality{product: 1}
	}
	children := elements(n.parent.schema)
	if trial, ok := a.trial[n.parent.path.String()]; ok && children.unbounded {
		children = cardinality{product: uint64(trial)}
	}
	return a.cardinality(n.parent).times(children)
}

// EstimateSize returns the size that the schema declares. If there is a trial
// value for a bound that the schema does not set, it returns that value.
func (a *advisor) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
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
		return &checker.SizeEstimate{Max: uint64(n * s.perUnit)}
	}
	return declared
}

// find follows a path below self, e.g. spec, ports, @items. It adds the bound
// of the node there to the missing ones, if the schema does not set it.
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
	keyword, perUnit := n.MissingBound()
	if keyword == "" {
		return size{}
	}
	for _, m := range a.missing {
		if m.Path == path {
			return size{path, perUnit}
		}
	}
	a.missing = append(a.missing, MissingBound{Path: path, Keyword: keyword})
	return size{path, perUnit}
}
