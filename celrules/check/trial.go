package check

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// Trial estimates the rules of a schema with lower bounds than it sets. The
// rules are compiled once. A Trial is not safe for concurrent use.
type Trial struct {
	rules    []RuleCost
	advisors []*advisor // nil for a rule that does not compile
}

// NewTrial compiles the rules of a schema, as [Costs] does. The error is the
// cause of the context's end.
func NewTrial(
	ctx context.Context, schema *structural.Schema, options ...structural.Option,
) (*Trial, error) {
	t := &Trial{}
	all := func(string) bool { return true }
	c := newChecker(ctx, options)
	c.settings.StoredRule, c.settings.StoredMessage = all, all
	type found struct {
		cost    RuleCost
		advisor *advisor
	}
	var list []found
	var visit func(n *node)
	visit = func(n *node) {
		for i := range n.schema.Rules() {
			if ctx.Err() == nil {
				cost, a := n.trial(i)
				list = append(list, found{cost, a})
			}
		}
		n.children(visit)
	}
	if schema.HasRules() {
		visit(c.root(schema, field.NewPath("openAPIV3Schema")))
	}
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Compare(a.cost.Path, b.cost.Path)
	})
	for _, f := range list {
		t.rules, t.advisors = append(t.rules, f.cost), append(t.advisors, f.advisor)
	}
	return t, context.Cause(ctx)
}

// trial returns the estimate of a rule, with all bounds that it depends on.
func (n *node) trial(index int) (RuleCost, *advisor) {
	c := n.ruleCost(index)
	program, err := n.compile(n.schema.Rules()[index])
	if err != nil || program.Expression == nil || len(c.Errors) > 0 {
		return c, nil
	}
	a := newAdvisor(n, program.Expression)
	c.Missing, c.Set = a.missing, a.set
	return c, a
}

// Rules returns the estimates, in the order of paths. Missing and Set are
// filled in for all rules, without Fits.
func (t *Trial) Rules() []RuleCost { return t.rules }

// Total returns the total of a rule with some bounds, by the paths of their
// nodes. A bound that is higher than that of the schema has no effect.
func (t *Trial) Total(rule int, bounds map[string]int64) uint64 {
	a := t.advisors[rule]
	if a == nil {
		return t.rules[rule].Total
	}
	a.trial = bounds
	return a.cost()
}
