package celrules

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/structural"
)

// Limits of estimated cost (COST-001).
const (
	// RuleCostLimit is what one rule may cost by its estimate, times its cardinality.
	RuleCostLimit uint64 = 10_000_000
	// SchemaCostLimit is what all rules of one schema may cost by their estimates.
	SchemaCostLimit uint64 = 100_000_000
)

// CheckOption is a choice made when rules are checked.
type CheckOption func(*Checker)

// WithStored names the rules and messageExpressions that are in storage already. They compile as stored expressions, all others as new
// ones (CEL-003). The functions are called with the exact texts; nil names none.
func WithStored(rule, messageExpression func(string) bool) CheckOption {
	return func(c *Checker) {
		if rule != nil {
			c.storedRule = rule
		}
		if messageExpression != nil {
			c.storedMessage = messageExpression
		}
	}
}

// AllStored says that all expressions are in storage already.
func AllStored() CheckOption {
	all := func(string) bool { return true }
	return WithStored(all, all)
}

// CheckInCache shares what is compiled with all that use the same cache.
func CheckInCache(cache *Cache) CheckOption { return func(c *Checker) { c.cache = cache } }

// WithoutRuleLimit leaves out the limit of a single rule, as a server does where an update does not change the schema (COST-021).
func WithoutRuleLimit() CheckOption { return func(c *Checker) { c.noRuleLimit = true } }

// Checker checks the rules of one version's schema, node by node, and adds up what they cost. It is not safe for concurrent use.
type Checker struct {
	cache                     *Cache
	storedRule, storedMessage func(string) bool
	noRuleLimit               bool

	total uint64
	top   []expensive
}

// expensive is an expression that takes a notable part of the schema's limit.
type expensive struct {
	path *field.Path
	cost uint64
}

// NewChecker returns a checker for one schema.
func NewChecker(choices ...CheckOption) *Checker {
	none := func(string) bool { return false }
	c := &Checker{cache: new(Cache), storedRule: none, storedMessage: none}
	for _, choose := range choices {
		if choose != nil {
			choose(c)
		}
	}
	if c.cache == nil {
		c.cache = new(Cache)
	}
	return c
}

// add counts the cost of one expression.
func (c *Checker) add(path *field.Path, cost uint64) {
	c.total = saturatingAdd(c.total, cost)
	if cost < SchemaCostLimit/100 {
		return
	}
	c.top = append(c.top, expensive{path, cost})
	slices.SortStableFunc(c.top, func(a, b expensive) int {
		switch {
		case a.cost > b.cost:
			return -1
		case a.cost < b.cost:
			return 1
		}
		return 0
	})
	c.top = c.top[:min(len(c.top), 4)]
}

// Total returns the errors of the schema as a whole, after all its places were checked (COST-022). path is the schema's.
func (c *Checker) Total(path *field.Path) field.ErrorList {
	if c.total <= SchemaCostLimit {
		return nil
	}
	var errs field.ErrorList
	for _, e := range c.top {
		errs = append(errs, field.Forbidden(e.path, "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"))
	}
	return append(errs, field.Forbidden(path,
		overLimit("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema", c.total, SchemaCostLimit)))
}

var errUndeclared = errors.New("internal error: failed to construct type information for x-kubernetes-validations rules: " +
	"unable to convert structural schema to CEL declarations")

var errNoElements = errors.New("failed to convert to declType for CEL validation rules")

// Check compiles the rules of the place and checks what they cost and refer to (CEL-073 to CEL-077). It is to be called once for a
// place, and only where the server does: on the spine, and where neither the node nor one below it has another error.
func (p *Place) Check() field.ErrorList {
	rules := p.schema.Rules()
	if len(rules) == 0 {
		return nil
	}
	if err := p.undeclared(); err != nil {
		return field.ErrorList{err}
	}
	at := p.path.Child(rulesKeyword)
	var errs field.ErrorList
	for i, r := range rules {
		errs = append(errs, p.checkRule(r, at.Index(i))...)
	}
	return errs
}

// undeclared returns the error of rules whose place has no declaration, nil where there is one.
func (p *Place) undeclared() *field.Error {
	at := p.path.Child(rulesKeyword)
	switch {
	case p.declaration() != nil:
		return nil
	case p.noElements:
		return field.InternalError(at, errNoElements)
	default:
		return field.InternalError(at, errUndeclared)
	}
}

// compile compiles one rule of the place, each of its expressions in the environment that it belongs to.
func (p *Place) compile(r structural.Rule) *ruleProgram {
	c := p.checker
	scopeOf := func(text string, stored func(string) bool) *scope {
		key := scopeKey{p.declaration(), seesOptional(&r), library.NewExpressions}
		if stored(text) {
			key.kind = library.StoredExpressions
		}
		return c.cache.scope(key)
	}
	within := scopeOf(r.Rule, c.storedRule)
	message := within
	if r.MessageExpression != "" {
		message = scopeOf(r.MessageExpression, c.storedMessage)
	}
	return c.cache.rule(within, message, r)
}

func (p *Place) checkRule(r structural.Rule, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	program := p.compile(r)
	maxCost, ruleErr := program.ruleCost()
	cost := p.cardinality.times(maxCost, p.declaration())
	if cost > RuleCostLimit && !p.checker.noRuleLimit {
		errs = append(errs, field.Forbidden(at.Child("rule"), overLimit("estimated rule cost", cost, RuleCostLimit)))
	}
	p.checker.add(at.Child("rule"), cost)
	if ruleErr != nil {
		errs = append(errs, field.Invalid(at.Child("rule"), reported(r), ruleErr.detail))
	}
	errs = append(errs, p.checkMessage(program, r, at.Child("messageExpression"))...)
	return append(errs, p.checkOldSelf(program, r, at)...)
}

func (p *Place) checkMessage(program *ruleProgram, r structural.Rule, at *field.Path) field.ErrorList {
	cost, err := program.messageCost()
	if err != nil {
		return field.ErrorList{field.Invalid(at, reported(r), err.detail)}
	}
	if m, _ := program.messageExpression(); m == nil {
		return nil
	}
	p.checker.add(at, cost)
	if cost > RuleCostLimit && !p.checker.noRuleLimit {
		return field.ErrorList{field.Forbidden(at, overLimit("estimated messageExpression cost", cost, RuleCostLimit))}
	}
	return nil
}

func (p *Place) checkOldSelf(program *ruleProgram, r structural.Rule, at *field.Path) field.ErrorList {
	switch {
	case program.usesOldSelf && p.uncorrelatable != nil:
		return field.ErrorList{field.Invalid(at.Child("rule"), r.Rule,
			fmt.Sprintf("oldSelf cannot be used on the uncorrelatable portion of the schema within %v", p.uncorrelatable))}
	case !program.usesOldSelf && r.OptionalOldSelf != nil:
		return field.ErrorList{field.Invalid(at.Child("optionalOldSelf"), *r.OptionalOldSelf, "may not be set if oldSelf is not used in rule")}
	}
	return nil
}

// ruleCost returns the estimate of a rule: 0 with the error of one that does not compile or cannot be estimated.
func (p *ruleProgram) ruleCost() (uint64, *compileError) {
	if p.rule == nil {
		return 0, p.err
	}
	cost, err := p.rule.estimate()
	if err != nil {
		return 0, &compileError{ruleWording.cost + err.Error()}
	}
	return cost, nil
}

// messageCost returns the estimate of the messageExpression of a rule that compiles.
func (p *ruleProgram) messageCost() (uint64, *compileError) {
	if _, err := p.ruleCost(); err != nil {
		return 0, nil
	}
	message, err := p.messageExpression()
	if err != nil || message == nil {
		return 0, err
	}
	cost, failure := message.estimate()
	if failure != nil {
		return 0, &compileError{messageWording.cost + failure.Error()}
	}
	return cost, nil
}
