package check

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/internal/base/bounded"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowfacade/rulefields"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
	"github.com/crdsem/crdsem/structural"
)

// Validate checks all rules on the spine of a resource's schema, as a server
// does when a definition is created. It checks their fields, compiles them, and
// limits their estimated costs. path is the path of the schema, e.g.
// spec.versions[0].schema.openAPIV3Schema. The schema must be structural. The
// Origin of an error is the id of its rule, e.g. CRD-210. If the context ends
// first, there is one error of type internal, which has the cause.
//
// Of the options, [structural.Kubernetes] and [structural.InCache] count.
//
// A server leaves out rules at and above a node that has another error. Package
// definition/validate does the same for a whole definition.
func Validate(
	ctx context.Context, schema *structural.Schema, path *field.Path, options ...structural.Option,
) field.ErrorList {
	if !schema.HasRules() {
		return nil
	}
	c := newChecker(ctx, options)
	var fields, errs bounded.Errors
	if c.settings.Guide != nil {
		c.guided(c.root(schema, path), &errs)
	} else {
		c.checkBelow(c.root(schema, path), &fields, &errs)
	}
	if ctx.Err() != nil {
		return field.ErrorList{bounded.Stopped(path, context.Cause(ctx))}
	}
	errs.Add(c.total.errors(path)...)
	return c.settings.Profile.Show(append(fields.List, errs.List...))
}

const rulesKeyword = "x-kubernetes-validations"

// schemaChecker checks the rules of one schema, node by node, and adds up their
// costs. It is used for one schema only, and not concurrently. Once its context
// has ended, it compiles nothing more, and its errors are no verdict.
type schemaChecker struct {
	ctx      context.Context
	compiled *compilation.Cache
	settings ruleoptions.Compile

	total schemaCost
}

// newChecker returns a checker. Without an option, it compiles all expressions
// as new ones of the newest minor.
func newChecker(ctx context.Context, options []structural.Option) *schemaChecker {
	isStored := func(string) bool { return false }
	c := &schemaChecker{ctx: ctx, settings: ruleoptions.Compile{
		Check: ruleoptions.Check{StoredRule: isStored, StoredMessage: isStored},
	}}
	c.settings.Choose(options)
	c.compiled = compilation.CacheOf(c.settings.Cache)
	return c
}

// guided checks the nodes below a node and then the node itself, as far as the
// guide reports them as sound. It does not check the fields of rules.
func (c *schemaChecker) guided(n *node, errs *bounded.Errors) {
	guide := c.settings.Guide
	n.children(func(child *node) {
		switch child.step {
		case byProperty:
			guide.Property(child.name)
		case byItems:
			guide.Items()
		case byAdditionalProperties:
			guide.AdditionalProperties()
		}
		c.guided(child, errs)
		guide.Leave()
	})
	if guide.Sound() {
		n.checkRules(errs)
	}
}

// checkBelow checks the nodes below a node and then the node itself. It reports
// whether the fields of all these rules are valid.
func (c *schemaChecker) checkBelow(n *node, fields, found *bounded.Errors) bool {
	valid := true
	n.children(func(child *node) {
		if !c.checkBelow(child, fields, found) {
			valid = false
		}
	})
	own := rulefields.Check(n.schema.Rules(), n.schema, n.path, n.checker.settings.Profile)
	fields.Add(own...)
	if len(own) > 0 || !valid {
		return false
	}
	n.checkRules(found)
	return true
}

// checkRules compiles the rules of the node and checks their costs and their
// use of oldSelf (CEL-073 to CEL-077), as long as there is room for errors.
func (n *node) checkRules(errs *bounded.Errors) {
	rules := n.schema.Rules()
	if len(rules) == 0 {
		return
	}
	if err := n.undeclared(); err != nil {
		errs.Add(err)
		return
	}
	at := n.path.Child(rulesKeyword)
	for i, r := range rules {
		if errs.Full() {
			return
		}
		errs.Add(n.checkRule(r, at.Index(i))...)
	}
}

func (n *node) checkRule(r structural.Rule, at *field.Path) field.ErrorList {
	program, ended := n.compile(r)
	if ended != nil {
		return nil
	}
	errs := n.checkRuleCost(program, at.Child("rule"))
	if _, err := program.Cost(n.checker.settings.Profile, n.declaration()); err != nil {
		errs = append(errs, uncompiled(at.Child("rule"), r, err))
	}
	errs = append(errs, n.checkMessageExpression(program, r, at.Child("messageExpression"))...)
	return append(errs, n.checkOldSelf(program, r, at)...)
}

// uncompiled returns the error for an expression that does not compile.
func uncompiled(at *field.Path, r structural.Rule, err *compilation.Error) *field.Error {
	return field.Invalid(at, reported(r), err.Detail).WithOrigin(err.Rule)
}

// compile compiles a rule of the node. Its two expressions are new or stored
// ones independently of each other. It fails if the context ends.
func (n *node) compile(r structural.Rule) (*compilation.Rule, error) {
	c := n.checker
	within := n.scope(&r, expressions(r.Rule, c.settings.StoredRule))
	message := within
	if r.MessageExpression != "" {
		message = n.scope(&r, expressions(r.MessageExpression, c.settings.StoredMessage))
	}
	compiled, err := c.compiled.Rule(c.ctx, within, message, r)
	if err != nil {
		return nil, err
	}
	return compiled, compiled.PrepareMessage(c.ctx)
}

func expressions(text string, isStored func(string) bool) library.Expressions {
	if isStored(text) {
		return library.StoredExpressions
	}
	return library.NewExpressions
}

// scope returns the scope for an expression of a rule.
func (n *node) scope(r *structural.Rule, kind library.Expressions) *compilation.Scope {
	return n.checker.compiled.Scope(compilation.ScopeKey{
		Node:            n.declaration(),
		OptionalOldSelf: compilation.OptionalOldSelf(r),
		Profile:         n.checker.settings.Profile,
		Expressions:     kind,
	})
}

var (
	errUndeclared = errors.New("internal error: failed to construct type information " +
		"for x-kubernetes-validations rules: " +
		"unable to convert structural schema to CEL declarations")
	errNoElements = errors.New("failed to convert to declType for CEL validation rules")
)

// undeclared returns the error for rules of a node that CEL cannot see, nil if
// CEL can see it.
func (n *node) undeclared() *field.Error {
	at := n.path.Child(rulesKeyword)
	switch {
	case n.declaration() != nil:
		return nil
	case n.noElements:
		return field.InternalError(at, errNoElements).WithOrigin("CRD-216")
	default:
		return field.InternalError(at, errUndeclared).WithOrigin("CRD-216")
	}
}

// reported returns a rule as errors print it: with the server's type.
func reported(r structural.Rule) crd.ValidationRule {
	out := crd.ValidationRule{
		Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression,
		FieldPath: r.FieldPath, OptionalOldSelf: r.OptionalOldSelf,
	}
	if r.HasReason {
		out.Reason = &r.Reason
	}
	return out
}
