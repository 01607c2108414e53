package definition

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/structural"
)

// ruleTexts checks what validation rules say, short of compiling them (CRD-201 to CRD-205). Where a node does not convert, nobody can
// tell whether it has the field that a rule reports.
func (w *walker) ruleTexts(s *crd.JSONSchemaProps, at *schemapath.Place) {
	if len(s.XValidations) == 0 {
		return
	}
	var node *structural.Schema
	if slices.ContainsFunc(s.XValidations, func(r crd.ValidationRule) bool { return r.FieldPath != "" }) {
		node, _ = w.convert(s) // nil: the paths go unchecked
	}
	w.add(celrules.CheckFields(schemas.Rules(s.XValidations), node, at.Path())...)
}

// ruledSchema is a sound schema, as it was written, and what its root was visited in.
type ruledSchema struct {
	model *structural.Schema
	props *crd.JSONSchemaProps
	in    surroundings
}

// rules compiles and costs the validation rules of a schema (CRD-210 to CRD-224).
func (c *checker) rules(s ruledSchema, path *field.Path, use schemaUse) {
	if !s.model.HasRules() {
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
	c.rulesAt(checker.Root(s.model, path), s.props, s.in)
	c.add(checker.Total(path)...)
}

// rulesAt checks the rules of a node and, before them, those below it in the server's order: of the values of a map, of properties by name, of items.
// They are compiled only if nothing else is wrong at the node or below.
func (c *checker) rulesAt(p *celrules.Place, props *crd.JSONSchemaProps, in surroundings) {
	if p == nil || !p.Schema().HasRules() {
		return
	}
	if props.AdditionalProperties != nil {
		c.rulesAt(p.AdditionalProperties(), props.AdditionalProperties.Schema, in.additional())
	}
	for name, property := range p.Schema().Properties() {
		if property.HasRules() {
			c.rulesAt(p.Property(name), props.Properties[name], in.property(props, name))
		}
	}
	if props.Items != nil {
		c.rulesAt(p.Items(), props.Items.Schema, in.child())
	}
	if len(props.XValidations) > 0 && c.clean[visit{props, in}] {
		c.add(p.Check()...)
	}
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
