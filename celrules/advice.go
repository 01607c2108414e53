package celrules

import (
	"sort"
	"strings"

	"github.com/google/cel-go/checker"

	"github.com/crdsem/crdsem/celrules/internal/decl"
)

// advisor finds out which bounds would bring a rule below its limit, by estimating it again with bounds that the schema does not set.
type advisor struct {
	place *Place
	rule  *expression

	missing []MissingBound
	sizes   map[string]size // by the path below self
	trial   map[string]int64
}

// size is a node of unbounded size that the estimate of the rule depends on.
type size struct {
	path    string // of the schema node: the key of a trial
	perUnit int64  // elements for one unit of the bound
}

func newAdvisor(p *Place, rule *expression) *advisor {
	a := &advisor{place: p, rule: rule, sizes: map[string]size{}}
	for _, f := range p.factors() {
		if f.Max == nil {
			a.missing = append(a.missing, MissingBound{Path: f.Path, Keyword: f.Keyword})
		}
	}
	a.cost() // meets the sizes
	return a
}

// advise fills in the missing bounds, and returns the value that fits if all have it.
func (a *advisor) advise() ([]MissingBound, int64) {
	for i := range a.missing {
		a.missing[i].Fits = a.largest(a.missing[i : i+1])
	}
	return a.missing, a.largest(a.missing)
}

// largest returns the largest value of some bounds with which the rule fits, 0 if there is none.
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
	tooMany := sort.Search(decl.MaxRequestBytes, func(n int) bool { return n > 0 && !fits(int64(n)) })
	return int64(tooMany - 1)
}

// cost estimates the rule for all values of its place, with the bounds of the trial.
func (a *advisor) cost() uint64 {
	estimate, err := a.rule.scope.env.Env().EstimateCost(a.rule.checked, a)
	if err != nil {
		return 0
	}
	return a.cardinality(a.place).times(estimate.Max, a.place.declaration())
}

func (a *advisor) cardinality(p *Place) cardinality {
	if p.parent == nil {
		return cardinality{product: 1}
	}
	above := a.cardinality(p.parent)
	most, bounded := elements(p.parent.schema)
	if n, ok := a.trial[p.parent.path.String()]; ok && !bounded {
		most, bounded = uint64(n), true
	}
	if above.unbounded || !bounded {
		return cardinality{unbounded: true}
	}
	return cardinality{product: saturatingMul(above.product, most)}
}

// EstimateSize gives the estimator the sizes of the declarations, or those of the trial for what they do not bound.
func (a *advisor) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	declared := a.rule.scope.types.EstimateSize(element)
	if declared == nil {
		return nil
	}
	steps := element.Path()[1:]
	key := strings.Join(steps, "\x00")
	s, known := a.sizes[key]
	if !known {
		s = a.meet(steps)
		a.sizes[key] = s
	}
	if n, ok := a.trial[s.path]; ok && s.path != "" {
		return &checker.SizeEstimate{Max: uint64(n * s.perUnit)}
	}
	return declared
}

// meet follows a path below self and notes the bound that is missing where it ends, if one is.
func (a *advisor) meet(steps []string) size {
	node, path := a.place.declaration(), a.place.path.String()
	for _, step := range steps {
		switch step {
		case "@keys":
			return size{}
		case "@items":
			node, path = node.ElemDecl(), path+".items"
		case "@values":
			node, path = node.ElemDecl(), path+".additionalProperties"
		default:
			name, _ := decl.Unescape(step)
			node, path = node.Field(step), path+".properties["+name+"]"
		}
	}
	keyword, perUnit := node.MissingBound()
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
