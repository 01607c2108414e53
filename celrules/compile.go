package celrules

import (
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/structural"
)

// Names of the variables of a rule (CEL-008).
const (
	selfVariable    = "self"
	oldSelfVariable = "oldSelf"
)

// compileError is why an expression does not compile.
type compileError struct{ detail string }

func (e *compileError) Error() string { return e.detail }

// Cache holds what was compiled: expressions of nodes that look the same to them are compiled once. The zero value is ready to use; a
// cache may serve all versions of a CRD, their rules and their checks, and is safe for concurrent use. It holds on to what it shares until it
// is dropped.
type Cache struct {
	universe decl.Universe

	mu     sync.Mutex
	scopes map[scopeKey]*scope
	rules  map[ruleKey]*ruleProgram

	planning sync.Mutex
	plans    map[planKey]*plan // nil: nothing runs there

	celOnly bool // set by tests: nothing is evaluated directly
}

// Drop forgets what was compiled. Rules that have it are as they were; what is compiled afterwards is shared among itself.
func (c *Cache) Drop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scopes, c.rules = nil, nil
	c.planning.Lock()
	defer c.planning.Unlock()
	c.plans = nil
	c.universe.Drop()
}

// scopeKey says which scope: of what node, how oldSelf is seen, in which environment.
type scopeKey struct {
	node     *decl.Node
	optional bool // oldSelf is an optional
	kind     library.Expressions
}

// seesOptional tells whether oldSelf is an optional to a rule.
func seesOptional(r *structural.Rule) bool { return r.OptionalOldSelf != nil && *r.OptionalOldSelf }

type ruleKey struct {
	scope, messageScope     *scope
	rule, messageExpression string
}

// scope is where the expressions of one node are compiled: with one sort of oldSelf, in one of the two environments.
type scope struct {
	types   *decl.Scope
	env     *environment.Scope
	err     error
	celOnly bool
}

func (c *Cache) scope(key scopeKey) *scope {
	key.node = c.universe.Canonical(key.node)
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.scopes[key]; ok {
		return s
	}
	s := newScope(key)
	s.celOnly = c.celOnly
	if c.scopes == nil {
		c.scopes = map[scopeKey]*scope{}
	}
	c.scopes[key] = s
	return s
}

func newScope(of scopeKey) *scope {
	set, err := environment.For(library.Latest)
	if err != nil {
		return &scope{err: err}
	}
	base, err := set.Env(of.kind)
	if err != nil {
		return &scope{err: err}
	}
	types := decl.NewScope(of.node, base.Provider())
	self := types.SelfType()
	old := self
	if of.optional {
		old = cel.OptionalType(self)
	}
	within, err := base.Scope(types, environment.Variable{Name: selfVariable, Type: self}, environment.Variable{Name: oldSelfVariable, Type: old})
	return &scope{types: types, env: within, err: err}
}

// compile parses and checks an expression and plans it. After an error the expression, if there is one, cannot run.
func (s *scope) compile(text string, result *cel.Type, words wording) (*expression, *compileError) {
	if s.err != nil {
		return nil, &compileError{words.unexpected + s.err.Error()}
	}
	checked, issues := s.env.Compile(text)
	if issues.Err() != nil {
		return nil, &compileError{words.issues + decl.Shown(issues.String())}
	}
	if checked.GetType(checked.Expr().ID()) != result {
		return nil, &compileError{words.result}
	}
	e := &expression{scope: s, text: text, checked: checked}
	for _, reference := range e.checked.ReferenceMap() {
		if reference.Name == oldSelfVariable {
			e.usesOldSelf = true
			break
		}
	}
	if !s.celOnly {
		e.direct = fasteval.Compile(s.env.Env(), checked)
	}
	if e.direct != nil {
		return e, nil // it can be planned, should that become necessary
	}
	if _, err := e.program(); err != nil {
		return e, &compileError{words.program + err.Error()}
	}
	return e, nil
}

// wording is how the server tells of the failures of one sort of expression (CEL-074).
type wording struct{ issues, result, program, cost, unexpected string }

var (
	ruleWording = wording{
		issues:     "compilation failed: ",
		result:     "cel expression must evaluate to a bool",
		program:    "program instantiation failed: ",
		cost:       "cost estimation failed: ",
		unexpected: "unexpected compilation error: ",
	}
	messageWording = wording{
		issues:     "messageExpression compilation failed: ",
		result:     "messageExpression must evaluate to a string",
		program:    "messageExpression instantiation failed: ",
		cost:       "cost estimation failed for messageExpression: ",
		unexpected: "unexpected messageExpression compilation error: ",
	}
)

// expression is one compiled rule or messageExpression.
type expression struct {
	scope       *scope
	text        string
	checked     *ast.AST
	usesOldSelf bool
	direct      *fasteval.Program // nil if there is none

	planning sync.Once
	planned  *environment.Program
	planErr  error

	estimating  sync.Once
	maxCost     uint64
	estimateErr error
}

// program plans the expression when it is first asked for.
func (e *expression) program() (*environment.Program, error) {
	e.planning.Do(func() { e.planned, e.planErr = e.scope.env.Env().Plan(e.checked) })
	return e.planned, e.planErr
}

// estimate returns the most that one evaluation can cost (COST-010).
func (e *expression) estimate() (uint64, error) {
	e.estimating.Do(func() {
		cost, err := e.scope.env.Env().EstimateCost(e.checked, e.scope.types)
		e.maxCost, e.estimateErr = cost.Max, err
	})
	return e.maxCost, e.estimateErr
}

// ruleProgram is what rule and messageExpression compile to. A blank rule has neither an expression nor an error (CEL-014).
type ruleProgram struct {
	rule        *expression // nil if it cannot run
	err         *compileError
	usesOldSelf bool // also if it cannot run

	messageScope *scope
	messageText  string
	messaging    sync.Once
	message      *expression
	messageErr   *compileError
}

// rule compiles a rule in one scope and, when that is asked for, its messageExpression in another.
func (c *Cache) rule(within, message *scope, r structural.Rule) *ruleProgram {
	key := ruleKey{within, message, r.Rule, r.MessageExpression}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.rules[key]; ok {
		return p
	}
	p := &ruleProgram{messageScope: message, messageText: r.MessageExpression}
	if strings.TrimSpace(r.Rule) != "" {
		p.rule, p.err = within.compile(r.Rule, cel.BoolType, ruleWording)
		p.usesOldSelf = p.rule != nil && p.rule.usesOldSelf
		if p.err != nil {
			p.rule = nil
		}
	}
	if c.rules == nil {
		c.rules = map[ruleKey]*ruleProgram{}
	}
	c.rules[key] = p
	return p
}

// messageExpression compiles the messageExpression when it is first asked for. Without one, or after a rule that does not
// compile, there is neither an expression nor an error.
func (p *ruleProgram) messageExpression() (*expression, *compileError) {
	p.messaging.Do(func() {
		if p.rule != nil && p.messageText != "" {
			p.message, p.messageErr = p.messageScope.compile(p.messageText, cel.StringType, messageWording)
			if p.messageErr != nil {
				p.message = nil
			}
		}
	})
	return p.message, p.messageErr
}
