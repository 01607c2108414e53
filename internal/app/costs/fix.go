package costs

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
)

// margin is the part of a limit that a fixed rule, and a fixed schema, may
// take.
const margin = 0.8

// Fix returns, for each version of a definition, the bounds that bring its
// rules and their total below the limits of some minors, with a margin: the
// smallest set that is found, with the largest values. ok is false for a
// version that no bounds bring below. A version that is below its limits needs
// none.
func Fix(
	ctx context.Context, model *definition.Model, in []minors.Minor,
) (edits [][]Edit, ok []bool, err error) {
	for _, v := range model.Versions() {
		found, fits, err := fix(ctx, v.Schema(), in)
		if err != nil {
			return nil, nil, err
		}
		edits, ok = append(edits, found), append(ok, fits)
	}
	return edits, ok, context.Cause(ctx)
}

// fix is [Fix] for the schema of one version.
func fix(
	ctx context.Context, schema *structural.Schema, in []minors.Minor,
) (edits []Edit, ok bool, err error) {
	s := &solver{}
	for _, minor := range in {
		trial, err := check.NewTrial(ctx, schema, structural.Kubernetes(minor))
		if err != nil {
			return nil, false, err
		}
		s.add(trial)
	}
	edits, ok = s.solve(ctx)
	return edits, ok, nil
}

// solver looks for bounds of one version.
type solver struct {
	estimates []*estimate // one for each minor
	bounds    []bound
}

// estimate is that of one minor.
type estimate struct {
	*check.Trial

	limits   []float64 // of the rules; infinite for one that is below its limit
	total    float64   // the limit of the total; infinite if it is below
	messages float64   // what messages cost, whatever the bounds
	hopeless bool      // a rule does not compile, or a message is over its limit
}

// bound is a bound that may be set.
type bound struct {
	path, keyword string
	now           int64 // what the schema sets, else the largest number
}

// add adds the estimates of a minor, and the bounds that may help.
func (s *solver) add(trial *check.Trial) {
	e := &estimate{Trial: trial, total: math.Inf(1)}
	rules, sum := trial.Rules(), 0.0
	for i := range rules {
		limit := math.Inf(1)
		if rules[i].Total > check.RuleCostLimit {
			limit = margin * float64(check.RuleCostLimit)
		}
		e.limits = append(e.limits, limit)
		e.messages += float64(rules[i].MessageCost)
		sum += float64(rules[i].Total)
		e.hopeless = e.hopeless || len(rules[i].Errors) > 0 ||
			rules[i].MessageCost > check.RuleCostLimit
	}
	if sum+e.messages > float64(check.SchemaCostLimit) {
		e.total = margin * float64(check.SchemaCostLimit)
	}
	const much = 0.01 // of the limit of the total
	for i := range rules {
		isMuch := !math.IsInf(e.total, 1) && rules[i].ShareOfSchemaLimit > much
		if isMuch || !math.IsInf(e.limits[i], 1) {
			for _, m := range rules[i].Missing {
				s.may(bound{m.Path, m.Keyword, math.MaxInt64})
			}
			for _, b := range rules[i].Set {
				s.may(bound{b.Path, b.Keyword, b.Value})
			}
		}
	}
	s.estimates = append(s.estimates, e)
}

func (s *solver) may(b bound) {
	if !slices.ContainsFunc(s.bounds, func(o bound) bool { return o.path == b.path }) {
		s.bounds = append(s.bounds, b)
	}
}

// fits reports whether all is below its limit with some bounds.
func (s *solver) fits(bounds map[string]int64) bool {
	for _, e := range s.estimates {
		sum := e.messages
		for i := range e.limits {
			total := float64(e.Total(i, bounds))
			if sum += total; total > e.limits[i] || sum > e.total {
				return false
			}
		}
	}
	return true
}

// perLevel is how many characters a string may have for one item of a list: a
// bound of strings is of use only if it is higher.
const perLevel = 8

// at returns the value of a bound at a level.
func (b *bound) at(level int64) int64 {
	value := level
	if b.keyword == "maxLength" {
		value = perLevel * level
	}
	return min(rounded(value), b.now)
}

// values returns a set of bounds at a level.
func values(set []bound, level int64) map[string]int64 {
	all := map[string]int64{}
	for i := range set {
		all[set[i].path] = set[i].at(level)
	}
	return all
}

// levels are the least values of bounds that are looked for: the first ones are
// of more use.
var levels = []int64{16, 4, 1}

// solve returns the edits, none if all is below its limits.
func (s *solver) solve(ctx context.Context) (edits []Edit, ok bool) {
	if slices.ContainsFunc(s.estimates, func(e *estimate) bool { return e.hopeless }) {
		return nil, false
	}
	if s.fits(nil) {
		return nil, true
	}
	slices.SortStableFunc(s.bounds, func(a, b bound) int { // missing ones first
		switch {
		case a.now == b.now:
			return 0
		case a.now > b.now:
			return -1
		}
		return 1
	})
	for _, level := range levels {
		if s.fits(values(s.bounds, level)) {
			set, highest := s.smallest(ctx, level)
			for i := range set {
				edits = append(edits, Edit{set[i].path, set[i].keyword, set[i].at(highest)})
			}
			slices.SortFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Path, b.Path) })
			return edits, ctx.Err() == nil
		}
	}
	return nil, false
}

// mostBounds is how many bounds there are at most for trying all sets of three.
const mostBounds = 12

// smallest returns a smallest set of bounds that fits at a level, and the
// highest level at which it fits.
func (s *solver) smallest(ctx context.Context, level int64) (best []bound, highest int64) {
	for size := 1; size <= 3 && len(s.bounds) <= mostBounds; size++ {
		for set := range subsets(s.bounds, size) {
			if ctx.Err() != nil {
				return nil, 0
			}
			if !s.fits(values(set, level)) {
				continue
			}
			if at := s.highest(set, level); at > highest {
				best, highest = slices.Clone(set), at
			}
		}
		if best != nil {
			return best, highest
		}
	}
	best = slices.Clone(s.bounds)
	for i := len(best) - 1; i >= 0 && ctx.Err() == nil; i-- {
		if less := slices.Delete(slices.Clone(best), i, i+1); s.fits(values(less, level)) {
			best = less
		}
	}
	return best, s.highest(best, level)
}

// highest returns the highest level at which a set fits.
func (s *solver) highest(set []bound, level int64) int64 {
	const most = 1 << 16
	n := sort.Search(most, func(n int) bool {
		return int64(n) > level && !s.fits(values(set, int64(n)))
	})
	return int64(max(n-1, int(level)))
}

// subsets yields the subsets of a size.
func subsets(all []bound, size int) func(yield func([]bound) bool) {
	return func(yield func([]bound) bool) {
		var set []bound
		var from func(i int) bool
		from = func(i int) bool {
			if len(set) == size {
				return yield(set)
			}
			for ; i < len(all); i++ {
				set = append(set, all[i])
				if !from(i + 1) {
					return false
				}
				set = set[:len(set)-1]
			}
			return true
		}
		from(0)
	}
}
