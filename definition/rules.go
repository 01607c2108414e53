package definition

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

// rules compiles and costs the validation rules of a sound schema at the nodes where no error stands in the way (CRD-210 to CRD-224). clean
// has the paths of these nodes.
func (c *checker) rules(s *structural.Schema, clean map[string]bool, path *field.Path, use schemaUse) {
	if !s.HasRules() {
		return
	}
	choices := []celrules.CheckOption{celrules.CheckInCache(&c.cache), celrules.WithStored(
		func(rule string) bool { return c.stored.rules[rule] },
		func(message string) bool { return c.stored.messages[message] },
	)}
	if use.unchanged {
		choices = append(choices, celrules.WithoutRuleLimit())
	}
	checker := celrules.NewChecker(choices...)
	var visit func(*celrules.Place)
	visit = func(p *celrules.Place) {
		p.Children(visit)
		if len(p.Schema().Rules()) > 0 && clean[p.Path().String()] {
			c.add(p.Check()...)
		}
	}
	visit(checker.Root(s, path))
	c.add(checker.Total(path)...)
}

// defaultRules are the rules that hold for a default at a path and what they may cost.
type defaultRules struct {
	schema  *structural.Schema
	options []celrules.Option
	value   any
	path    *field.Path
	budget  int64
}

// errors evaluates the rules: once as if the default replaced itself, and, if that is clean, once without an old value (CRD-303). It returns what is left
// of the budget after the more expensive of the two, negative if it ran out.
func (d *defaultRules) errors() (field.ErrorList, int64) {
	if !d.schema.HasRules() {
		return nil, d.budget
	}
	rules := celrules.Compile(d.schema, d.options...)
	errs, left := d.run(rules, d.value)
	if len(errs) > 0 {
		return errs, left
	}
	errs, again := d.run(rules, nil)
	return errs, min(left, again)
}

func (d *defaultRules) run(rules *celrules.Rules, old any) (field.ErrorList, int64) {
	result := rules.Validate(context.Background(), d.value, old,
		celrules.At(d.path), celrules.WithBudget(d.budget), celrules.WithoutRatcheting())
	if result.OutOfBudget {
		return result.Errors, -1
	}
	return result.Errors, d.budget - result.Cost
}
