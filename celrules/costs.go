package celrules

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// RuleCost is what a server estimates for one rule, and why.
type RuleCost struct {
	// Path is the schema node of the rule, below openAPIV3Schema, and Index the rule's place in its list.
	Path  string
	Index int
	// Rule is the rule's text.
	Rule string
	// MaxCost is the most that one evaluation can cost; 0 for a rule that does not compile.
	MaxCost uint64
	// Cardinality is how many values of the node one object can hold, nil if some list or map above has no bound.
	Cardinality *uint64
	// Counted is the cardinality that Total was reckoned with; without a bound, as many values as fit into a request.
	Counted uint64
	// Total is MaxCost times Counted.
	Total uint64
	// MessageCost is the most that one evaluation of the messageExpression can cost, 0 if there is none.
	MessageCost uint64
	// UsesOldSelf tells a transition rule.
	UsesOldSelf bool
	// Factors are the lists and maps above that set the cardinality, from the root down.
	Factors []Factor
	// ShareOfRuleLimit and ShareOfSchemaLimit are Total in proportion to [RuleCostLimit] and [SchemaCostLimit].
	ShareOfRuleLimit, ShareOfSchemaLimit float64
	// Missing are, for a rule over its limit, the bounds that the schema does not set.
	Missing []MissingBound
	// FitsTogether is, for a rule over its limit, the largest value that would bring it below if all missing bounds had it; 0 if none would.
	FitsTogether int64
	// Errors are those of compiling; limits are for [Check].
	Errors field.ErrorList
}

// Factor is a list or map above a rule.
type Factor struct {
	// Path is its schema node, Keyword the bound of its size: maxItems or maxProperties.
	Path, Keyword string
	// Max is the bound, nil if there is none.
	Max *int64
}

// MissingBound is a bound that a schema does not set and that a rule's cost depends on.
type MissingBound struct {
	// Path is the schema node, Keyword the bound: maxItems, maxProperties or maxLength.
	Path, Keyword string
	// Fits is the largest value that would bring the rule below its limit, if no other bound were added; 0 if none would.
	Fits int64
}

// Costs estimates every rule on the spine of a resource's schema, as expressions that are stored already, in the order of paths.
func Costs(schema *structural.Schema) []RuleCost {
	if !schema.HasRules() {
		return nil
	}
	var out []RuleCost
	var visit func(p *Place)
	visit = func(p *Place) {
		for i := range p.schema.Rules() {
			out = append(out, p.ruleCost(i))
		}
		p.Children(visit)
	}
	visit(NewChecker(AllStored()).Root(schema, field.NewPath("openAPIV3Schema")))
	slices.SortStableFunc(out, func(a, b RuleCost) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// ruleCost estimates one rule of the place.
func (p *Place) ruleCost(index int) RuleCost {
	r := p.schema.Rules()[index]
	c := RuleCost{Path: p.path.String(), Index: index, Rule: r.Rule, Factors: p.factors()}
	if !p.cardinality.unbounded {
		c.Cardinality = &p.cardinality.product
	}
	if err := p.undeclared(); err != nil {
		c.Errors = field.ErrorList{err}
		return c
	}
	at := p.path.Child(rulesKeyword)
	program := p.compile(r)
	var ruleErr, messageErr *compileError
	c.MaxCost, ruleErr = program.ruleCost()
	c.MessageCost, messageErr = program.messageCost()
	if ruleErr != nil {
		c.Errors = append(c.Errors, field.Invalid(at.Index(index).Child("rule"), reported(r), ruleErr.detail))
	}
	if messageErr != nil {
		c.Errors = append(c.Errors, field.Invalid(at.Index(index).Child("messageExpression"), reported(r), messageErr.detail))
	}
	c.Counted = p.cardinality.times(1, p.declaration())
	c.Total = saturatingMul(c.MaxCost, c.Counted)
	c.UsesOldSelf = program.usesOldSelf
	c.ShareOfRuleLimit = float64(c.Total) / float64(RuleCostLimit)
	c.ShareOfSchemaLimit = float64(c.Total) / float64(SchemaCostLimit)
	if c.Total > RuleCostLimit {
		a := newAdvisor(p, program.rule)
		c.Missing, c.FitsTogether = a.advise()
	}
	return c
}

// factors lists the lists and maps above the place.
func (p *Place) factors() []Factor {
	if p.parent == nil {
		return nil
	}
	above := p.parent.factors()
	s := p.parent.schema
	switch {
	case s.Type() == "array":
		return append(above, Factor{p.parent.path.String(), "maxItems", s.Values().MaxItems})
	case s.Type() == "object" && s.AdditionalProperties() != nil:
		return append(above, Factor{p.parent.path.String(), "maxProperties", s.Values().MaxProperties})
	}
	return above
}
