package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/base/saturate"
	"github.com/crdsem/crdsem/structural"
)

// Limits of estimated cost (COST-001). Their source is
// apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go.
const (
	// RuleCostLimit is the maximum estimated cost of one rule, multiplied by
	// its cardinality. It is the server's StaticEstimatedCostLimit.
	RuleCostLimit uint64 = 10_000_000
	// SchemaCostLimit is the maximum estimated cost of all rules of one schema.
	// It is the server's StaticEstimatedCRDCostLimit.
	SchemaCostLimit uint64 = 100_000_000
)

// RuleCost is the estimate of a server for one rule, with its reasons.
type RuleCost struct {
	// Path is the path of the rule's schema node, e.g.
	// "openAPIV3Schema.properties[spec]". Index is the index of the rule there.
	Path  string
	Index int
	// Rule is the text of the rule, e.g. "self.all(x, x.size() < 10)".
	Rule string
	// MaxCost is the maximum cost of one evaluation. It is 0 for a rule that
	// does not compile.
	MaxCost uint64
	// Cardinality is how many values of the node one object can hold. It is nil
	// if a list or map above has no bound.
	Cardinality *uint64
	// Counted is the cardinality that Total is computed with. Without a bound,
	// it is the number of values that fit into one request.
	Counted uint64
	// Total is MaxCost times Counted.
	Total uint64
	// MessageExpression is the text of the messageExpression, if there is one.
	MessageExpression string
	// MessageCost is the maximum cost of one evaluation of the
	// messageExpression. It is 0 without a messageExpression.
	MessageCost uint64
	// UsesOldSelf reports whether the rule is a transition rule.
	UsesOldSelf bool
	// Factors are the lists and maps above that determine the cardinality, from
	// the root down.
	Factors []Factor
	// ShareOfRuleLimit and ShareOfSchemaLimit are Total divided by
	// [RuleCostLimit] and by [SchemaCostLimit].
	ShareOfRuleLimit, ShareOfSchemaLimit float64
	// Missing are the bounds that the schema does not set. It is filled in for
	// a rule over its limit, and for others without Fits if [Bounds] is given.
	Missing []MissingBound
	// FitsTogether is the largest value with which a rule over its limit would
	// fit, if all missing bounds had that value. It is 0 if there is no such
	// value.
	FitsTogether int64
	// Set are the bounds that the schema sets. It is filled in for a rule over
	// its limit that missing bounds cannot bring below it.
	Set []SetBound
	// FitsAll is the largest value with which such a rule would fit, if no
	// bound, missing or set, were higher. It is 0 if there is no such value.
	FitsAll int64
	// Errors are the errors of compiling the rule. [Validate] reports rules
	// over their limits.
	Errors field.ErrorList
}

// Factor is a list or map above a rule.
type Factor struct {
	// Path is the path of its schema node.
	Path string
	// Keyword is the keyword that bounds its size: maxItems or maxProperties.
	Keyword string
	// Max is the bound, nil if the schema does not set it.
	Max *int64
}

// MissingBound is a bound that the schema does not set, and that the cost of a
// rule depends on.
type MissingBound struct {
	// Path is the path of the schema node.
	Path string
	// Keyword is the missing keyword: maxItems, maxProperties or maxLength.
	Keyword string
	// Fits is the largest value with which the rule would fit, if this bound
	// alone were added. It is 0 if there is no such value.
	Fits int64
}

// SetBound is a bound that the schema sets, and that the cost of a rule depends
// on.
type SetBound struct {
	// Path is the path of the schema node.
	Path string
	// Keyword is maxItems, maxProperties or maxLength, and Value its value.
	Keyword string
	Value   int64
	// Fits is the largest value with which the rule would fit, if this bound
	// alone were lowered. It is 0 if there is no such value.
	Fits int64
}

// Costs estimates every rule on the spine of a resource's schema, in the order
// of paths. Rules compile as stored expressions.
//
// It compiles all rules, as [Validate] does, and estimates those over their
// limit for some 20 trial values of each missing bound. The error is the cause
// of the context's end, or says that the paths of the rules take more than 64
// MiB. Costs then ends with the rule that it is at, and returns the rules
// before it.
func Costs(
	ctx context.Context, schema *structural.Schema, options ...structural.Option,
) ([]RuleCost, error) {
	if !schema.HasRules() { // a version may lack its schema
		return nil, nil
	}
	all := func(string) bool { return true }
	var out []RuleCost
	var size int
	var visit func(n *node)
	visit = func(n *node) {
		for i := range n.schema.Rules() {
			if size > bounded.Memory || ctx.Err() != nil {
				return
			}
			cost := n.ruleCost(i)
			if ctx.Err() != nil {
				return
			}
			size += len(cost.Path) * (1 + len(cost.Factors) + len(cost.Missing) + len(cost.Set))
			out = append(out, cost)
		}
		n.children(visit)
	}
	c := newChecker(ctx, options)
	c.settings.StoredRule, c.settings.StoredMessage = all, all
	visit(c.root(schema, field.NewPath("openAPIV3Schema")))
	slices.SortStableFunc(out, func(a, b RuleCost) int { return cmp.Compare(a.Path, b.Path) })
	if size > bounded.Memory && ctx.Err() == nil {
		return out, fmt.Errorf("the paths of the rules take more than %d MiB", bounded.Memory>>20)
	}
	return out, context.Cause(ctx)
}

// ruleCost estimates one rule of the node.
func (n *node) ruleCost(index int) RuleCost {
	r := n.schema.Rules()[index]
	c := RuleCost{Path: n.path.String(), Index: index, Rule: r.Rule, Factors: n.factors(),
		MessageExpression: r.MessageExpression}
	if !n.cardinality.unbounded {
		c.Cardinality = &n.cardinality.product
	}
	if err := n.undeclared(); err != nil {
		c.Errors = field.ErrorList{err}
		return c
	}
	at := n.path.Child(rulesKeyword).Index(index)
	program, err := n.compile(r)
	if err != nil {
		return c // the context ended
	}
	var ruleErr, messageErr *compilation.Error
	c.MaxCost, ruleErr = program.Cost(n.checker.settings.Profile, n.declaration())
	c.MessageCost, messageErr = program.MessageCost(n.checker.settings.Profile, n.declaration())
	if ruleErr != nil {
		c.Errors = append(c.Errors, uncompiled(at.Child("rule"), r, ruleErr))
	}
	if messageErr != nil {
		c.Errors = append(c.Errors, uncompiled(at.Child("messageExpression"), r, messageErr))
	}
	n.checker.settings.Profile.Show(c.Errors)
	c.UsesOldSelf = program.UsesOldSelf
	c.setTotal(n.cardinality.charge(1, n.declaration()))
	if c.Total > RuleCostLimit {
		newAdvisor(n, program.Expression).advise(&c)
	} else if n.checker.settings.Bounds && ruleErr == nil && program.Expression != nil {
		c.Missing = newAdvisor(n, program.Expression).missing
	}
	return c
}

func (c *RuleCost) setTotal(counted uint64) {
	c.Counted = counted
	c.Total = saturate.Mul(c.MaxCost, counted)
	c.ShareOfRuleLimit = float64(c.Total) / float64(RuleCostLimit)
	c.ShareOfSchemaLimit = float64(c.Total) / float64(SchemaCostLimit)
}

// checkRuleCost checks the estimated cost of a rule against its limit, and adds
// it to the total of the schema (COST-020).
func (n *node) checkRuleCost(program *compilation.Rule, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	maxCost, _ := program.Cost(n.checker.settings.Profile, n.declaration())
	cost := n.cardinality.charge(maxCost, n.declaration())
	if cost > RuleCostLimit && !n.checker.settings.NoRuleLimit {
		detail := overLimit("estimated rule cost", cost, RuleCostLimit)
		errs = append(errs, field.Forbidden(at, detail).WithOrigin("COST-020"))
	}
	n.checker.total.add(at, cost)
	return errs
}

// schemaCost is the estimated cost of all rules of one schema. The zero value
// is that of a schema without rules.
type schemaCost struct {
	total uint64
	top   []expensive // the most expensive expressions, at most four
}

// expensive is an expression that takes at least a hundredth of
// [SchemaCostLimit].
type expensive struct {
	path *field.Path
	cost uint64
}

// add adds the cost of one expression.
func (c *schemaCost) add(path *field.Path, cost uint64) {
	c.total = saturate.Add(c.total, cost)
	if cost < SchemaCostLimit/100 {
		return
	}
	c.top = append(c.top, expensive{path, cost})
	slices.SortStableFunc(c.top, func(a, b expensive) int { return cmp.Compare(b.cost, a.cost) })
	c.top = c.top[:min(len(c.top), 4)]
}

// errors returns the errors of a schema over its limit (COST-022). path is the
// path of the schema.
func (c *schemaCost) errors(path *field.Path) field.ErrorList {
	if c.total <= SchemaCostLimit {
		return nil
	}
	const (
		contributed = "contributed to estimated rule cost total " +
			"exceeding cost limit for entire OpenAPIv3 schema"
		total = "x-kubernetes-validations estimated rule cost total " +
			"for entire OpenAPIv3 schema"
	)
	var errs field.ErrorList
	for _, e := range c.top {
		errs = append(errs, field.Forbidden(e.path, contributed).WithOrigin("COST-022"))
	}
	err := field.Forbidden(path, overLimit(total, c.total, SchemaCostLimit))
	return append(errs, err.WithOrigin("COST-022"))
}

// overLimit returns the server's message for a cost over its limit.
func overLimit(what string, cost, limit uint64) string {
	return what + " exceeds budget by factor of " + ratio(cost, limit) +
		" (try simplifying the rule, or adding maxItems, maxProperties, and maxLength " +
		"where arrays, maps, and strings are declared)"
}

// ratio returns how far a cost is over its limit, e.g. "2.5x" (COST-020).
func ratio(cost, limit uint64) string {
	r := float64(cost) / float64(limit)
	switch {
	case r > 100:
		return "more than 100x"
	case r < 1.5:
		return fmt.Sprintf("%fx", r)
	}
	return fmt.Sprintf("%.1fx", r)
}
