package compilation

import (
	"sync"

	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Names of the variables of a rule (CEL-008).
const (
	Self    = "self"
	OldSelf = "oldSelf"
)

// ScopeKey identifies a [Scope].
type ScopeKey struct {
	// Node declares the type of self and oldSelf.
	Node *decl.Node
	// OptionalOldSelf makes oldSelf an optional of that type.
	OptionalOldSelf bool
	// Profile selects the minor.
	Profile *profile.Profile
	// Expressions selects the environment: that of new or of stored
	// expressions.
	Expressions library.Expressions
}

// OptionalOldSelf reports whether a rule sets optionalOldSelf to true. Its
// oldSelf is an optional, e.g. oldSelf.hasValue() is false on a create.
func OptionalOldSelf(r *structural.Rule) bool {
	return r.OptionalOldSelf != nil && *r.OptionalOldSelf
}

// Scope compiles the expressions of one node in one environment. Its variables
// are declared when the first expression is compiled.
type Scope struct {
	key     ScopeKey
	celOnly bool

	declaring sync.Once
	env       *environment.Scope
	err       error
}

// declare declares the variables.
func (s *Scope) declare() { s.env, s.err = declarations(s.key) }

func declarations(key ScopeKey) (*environment.Scope, error) {
	base, err := environment.For(key.Profile, key.Expressions)
	if err != nil {
		return nil, err
	}
	types := decl.NewScope(key.Node, base.Provider())
	self := types.SelfType()
	old := self
	if key.OptionalOldSelf {
		old = cel.OptionalType(self)
	}
	types.EscapedFields = !base.Has(library.ReservedFieldNames)
	types.NoOptionalType = !key.Profile.OptionalTypeName
	return base.Scope(types,
		environment.Variable{Name: Self, Type: self},
		environment.Variable{Name: OldSelf, Type: old})
}

// compile parses, checks and plans an expression. With an error, it may return
// an expression as well; that expression cannot run.
func (s *Scope) compile(text string, result *cel.Type, w wording) (*Expression, *Error) {
	s.declaring.Do(s.declare)
	if s.err != nil {
		return nil, &Error{w.unexpected + s.err.Error(), w.otherRule}
	}
	checked, issues := s.env.Compile(text)
	if issues.Err() != nil {
		return nil, &Error{w.issues + decl.Shown(issues.String()), w.issuesRule}
	}
	if checked.GetType(checked.Expr().ID()) != result {
		return nil, &Error{w.result, w.otherRule}
	}
	e := &Expression{scope: s, Text: text, checked: checked}
	for _, reference := range e.checked.ReferenceMap() {
		if reference.Name == OldSelf {
			e.UsesOldSelf = true
			break
		}
	}
	if !s.celOnly {
		e.Direct = fasteval.Compile(s.env.Env(), checked)
	}
	if e.Direct != nil {
		return e, nil // cel-go's program is planned only if it becomes necessary
	}
	if _, err := e.program(); err != nil {
		return e, &Error{w.program + err.Error(), w.otherRule}
	}
	return e, nil
}

// Error is the server's error for an expression that does not compile.
type Error struct {
	// Detail is the text, e.g. "cel expression must evaluate to a bool".
	Detail string
	// Rule is the id of the rule of definitions that the expression breaks,
	// e.g. CRD-210.
	Rule string
}

func (e *Error) Error() string { return e.Detail }

// wording is how the server words the errors of one kind of expression
// (CEL-074), and which rules the errors belong to. The source of the texts is
// apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go.
type wording struct {
	issues, result, program, unexpected string

	issuesRule, otherRule string
}

var (
	ruleWording = wording{
		issues:     "compilation failed: ",
		result:     "cel expression must evaluate to a bool",
		program:    "program instantiation failed: ",
		unexpected: "unexpected compilation error: ",
		issuesRule: "CRD-210",
		otherRule:  "CRD-211",
	}
	messageWording = wording{
		issues:     "messageExpression compilation failed: ",
		result:     "messageExpression must evaluate to a string",
		program:    "messageExpression instantiation failed: ",
		unexpected: "unexpected messageExpression compilation error: ",
		issuesRule: "CRD-212",
		otherRule:  "CRD-212",
	}
)
