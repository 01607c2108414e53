package validate

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/base/schemapath"
	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// ruleTexts checks the fields of validation rules without compiling them
// (CRD-201 to CRD-205). The fieldPath of a rule is not checked if its node does
// not convert.
func (w *walker) ruleTexts(s *crd.JSONSchemaProps, at *schemapath.Path) {
	if len(s.XValidations) == 0 {
		return
	}
	var node *structural.Schema
	hasPath := func(r crd.ValidationRule) bool { return r.FieldPath != "" }
	if slices.ContainsFunc(s.XValidations, hasPath) {
		node, _ = w.convert(s) // nil: the paths are not checked
	}
	alone, _ := w.convert(&crd.JSONSchemaProps{XValidations: s.XValidations}) // never an error
	w.add(rulefields.Check(alone.Rules(), node, at.FieldPath(), w.profile)...)
}

// ruledSchema is a schema that passed all other checks.
type ruledSchema struct {
	model *structural.Schema
	props *crd.JSONSchemaProps // as it was written
	in    surroundings         // of the root, when its nodes were checked
}

// rules compiles and costs the validation rules of a schema (CRD-210 to
// CRD-224). Rules are compiled only if nothing else is wrong at their node or
// below.
func (c *checker) rules(s ruledSchema, path *field.Path, use schemaUse) {
	if !s.model.HasRules() {
		return
	}
	judged := ruleoptions.ForCompile(func(o *ruleoptions.Compile) {
		o.StoredRule = func(rule string) bool { return c.stored.rules[rule] }
		o.StoredMessage = func(message string) bool { return c.stored.messages[message] }
		o.NoRuleLimit = use.unchanged
		o.Guide = &ruleGuide{clean: c.clean, at: []visit{{s.props, s.in}}}
	})
	c.add(check.Validate(c.ctx, s.model, path,
		structural.InCache(c.cache), structural.Kubernetes(c.minor), judged)...)
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

// defaultRules evaluates the rules for a default.
type defaultRules struct {
	schema  *structural.Schema
	options []structural.Option
	value   any
	path    *field.Path
	budget  int64
}

// inside returns the option for the schema of a node inside a resource.
func inside() structural.Option {
	return ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.Inner = true })
}

// errors evaluates the rules with the default as the old value too, and, if
// that finds no errors, without an old value (CRD-303). It returns the budget
// that is left after the more expensive of the two runs. It is negative if it
// ran out.
func (d *defaultRules) errors(ctx context.Context) (field.ErrorList, int64) {
	if !d.schema.HasRules() {
		return nil, d.budget
	}
	rules := celrules.Compile(d.schema, d.options...)
	errs, left := d.run(ctx, rules, d.value)
	if len(errs) > 0 {
		return errs, left
	}
	errs, again := d.run(ctx, rules, nil)
	return errs, min(left, again)
}

func (d *defaultRules) run(
	ctx context.Context, rules *celrules.Rules, old any,
) (field.ErrorList, int64) {
	result := rules.Validate(ctx, d.value, old,
		celrules.At(d.path), celrules.WithBudget(d.budget), celrules.WithoutRatcheting())
	if result.OutOfBudget {
		return result.Errors, -1
	}
	return result.Errors, d.budget - result.Cost
}
