package definition

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/crd"
	"github.com/crdsem/crdsem/internal/door"
	"github.com/crdsem/crdsem/structural"
)

// ruleTexts checks what validation rules say, short of compiling them (CRD-201 to CRD-205). Where a node does not convert, nobody can
// tell whether it has the field that a rule reports.
func (w *walker) ruleTexts(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if len(s.XValidations) == 0 {
		return
	}
	var node *structural.Schema
	if slices.ContainsFunc(s.XValidations, func(r crd.ValidationRule) bool { return r.FieldPath != "" }) {
		node, _ = w.convert(s) // nil: the paths go unchecked
	}
	w.add(check.Internal.Export(door.Key).Fields(schemas.Rules(s.XValidations), node, at.FieldPath())...)
}

// ruledSchema is a sound schema, as it was written, and what its root was visited in.
type ruledSchema struct {
	model *structural.Schema
	props *crd.JSONSchemaProps
	in    surroundings
}

// rules compiles and costs the validation rules of a schema (CRD-210 to
// CRD-224). Rules are compiled only if nothing else is wrong at their node or
// below.
func (c *checker) rules(s ruledSchema, path *field.Path, use schemaUse) {
	if !s.model.HasRules() {
		return
	}
	rules := check.Internal.Export(door.Key).Checker(&c.cache).Stored(
		func(rule string) bool { return c.stored.rules[rule] },
		func(message string) bool { return c.stored.messages[message] },
	)
	if use.unchanged {
		rules = rules.WithoutRuleLimit()
	}
	c.add(rules.RulesOfSound(s.model, path, &ruleGuide{clean: c.clean, at: []visit{{s.props, s.in}}})...)
}

// ruleGuide follows the check of rules through the schema of the definition. It
// holds the nodes from the root to the current one.
type ruleGuide struct {
	clean map[visit]bool
	at    []visit
}

func (g *ruleGuide) current() visit { return g.at[len(g.at)-1] }

func (g *ruleGuide) enter(props *crd.JSONSchemaProps, in surroundings) {
	g.at = append(g.at, visit{props, in})
}

// Property goes to a property of the current node.
func (g *ruleGuide) Property(name string) {
	n := g.current()
	g.enter(n.node.Properties[name], n.in.property(n.node, name))
}

// Items goes to the items of the current node.
func (g *ruleGuide) Items() {
	n := g.current()
	g.enter(n.node.Items.Schema, n.in.child())
}

// AdditionalProperties goes to the additionalProperties of the current node.
func (g *ruleGuide) AdditionalProperties() {
	n := g.current()
	g.enter(n.node.AdditionalProperties.Schema, n.in.additional())
}

// Leave goes back to the parent.
func (g *ruleGuide) Leave() { g.at = g.at[:len(g.at)-1] }

// Sound reports whether nothing is wrong at the current node and below.
func (g *ruleGuide) Sound() bool { return g.clean[g.current()] }

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
