package environment

import (
	"errors"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/checker"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/containers"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/stdlib"
	"cel.dev/cel-go/common/types"
)

// Variable is a variable that a scope declares.
type Variable struct {
	Name string
	Type *cel.Type
}

// Scope is a base environment with the variables of one schema node and their
// types. It is immutable and safe for concurrent use.
type Scope struct {
	env     *Env
	checker *checker.Env
}

// Provider returns the type provider of the base environment. The provider of a
// schema asks it about types that it does not know (CEL-023).
func (e *Env) Provider() types.Provider { return e.base.CELTypeProvider() }

// Adapter returns the type adapter of the base environment. It turns Go values
// into CEL values.
func (e *Env) Adapter() types.Adapter { return e.base.CELTypeAdapter() }

// Scope returns a scope with variables whose types the provider knows. With a
// nil provider they have types of the base environment. One provider may have
// all types of a schema and serve many scopes: it is asked only while checking.
// Scope fails if two variables have one name and different types.
func (e *Env) Scope(provider types.Provider, variables ...Variable) (*Scope, error) {
	if provider == nil {
		provider = e.Provider()
	}
	declarations := make([]*decls.VariableDecl, len(variables))
	for i, v := range variables {
		declarations[i] = decls.NewVariable(v.Name, v.Type)
	}
	options := []checker.Option{
		checker.CrossTypeNumericComparisons(true), checker.ValidatedDeclarations(e.checker),
	}
	if e.profile.Suggestions {
		options = append(options, checker.Catalog(func() *env.Catalog {
			return e.catalog(variables)
		}))
	}
	chk, invalid := checker.NewEnv(containers.DefaultContainer, provider, options...)
	if err := errors.Join(invalid, chk.AddIdents(declarations...)); err != nil {
		return nil, err
	}
	return &Scope{env: e, checker: chk}, nil
}

// catalog returns the names that errors suggest.
func (e *Env) catalog(variables []Variable) *env.Catalog {
	names := env.NewCatalog()
	add := func(name string, kind env.SymbolKind) {
		names.Add(&env.CatalogSymbol{Name: name, Kind: kind})
	}
	for _, v := range variables {
		add(v.Name, env.VariableKind)
	}
	for _, t := range append(e.base.Variables(), stdlib.Types()...) {
		add(t.Name(), env.TypeKind)
	}
	for name := range e.base.Functions() {
		add(name, env.FunctionKind)
	}
	for _, m := range e.base.Macros() {
		add(m.Function(), env.MacroKind)
	}
	return names
}

// Env returns the base environment of the scope.
func (s *Scope) Env() *Env { return s.env }

// Compile parses, checks and validates an expression. If the issues have an
// error, there is no expression, and the error has the server's message
// (CEL-009, CEL-010, CEL-012).
func (s *Scope) Compile(text string) (*ast.AST, *cel.Issues) {
	parsed, issues := s.env.Parse(text)
	if issues.Err() != nil {
		return nil, issues
	}
	return s.check(parsed.NativeRep(), parsed.Source())
}

// Check is like Compile for a parsed expression, which it does not change. The
// same one may be checked in many scopes, of either base environment, at the
// same time.
func (s *Scope) Check(parsed *cel.Ast) (*ast.AST, *cel.Issues) {
	return s.check(ast.Copy(parsed.NativeRep()), parsed.Source())
}

// check checks a parsed expression, which it may change: cel-go's type checker
// rewrites qualified names in place. On an optional item whose type is unknown,
// as in `[1, ?dyn(2)]`, a server panics; that is an error here.
func (s *Scope) check(
	parsed *ast.AST, source cel.Source,
) (checked *ast.AST, issues *cel.Issues) {
	defer func() {
		if cause := recover(); cause != nil {
			errs := common.NewErrors(source)
			checked, issues = nil, cel.NewIssuesWithSourceInfo(errs, parsed.SourceInfo())
			issues.ReportErrorAtID(parsed.Expr().ID(), "internal error: %v", cause)
		}
	}()
	checked, errs := checker.Check(parsed, source, s.checker)
	if len(errs.GetErrors()) > 0 && !s.env.profile.TypeParameters {
		checked, errs = s.checkTypes(parsed, source, checked, errs)
	}
	s.env.wordFormerly(errs.GetErrors())
	issues = cel.NewIssuesWithSourceInfo(errs, parsed.SourceInfo())
	if issues.Err() != nil {
		return nil, issues
	}
	s.env.literals.validate(checked, issues)
	s.env.wordFormerly(issues.Errors())
	s.env.checkSecondVariables(checked, issues)
	if issues.Err() != nil {
		return nil, issues
	}
	return checked, issues
}

// wordFormerly gives errors of the type checker the words of older minors: they
// name the container, which is always the empty one, and have another name for
// the type of optional values.
func (e *Env) wordFormerly(errs []*common.Error) {
	for _, err := range errs {
		if !e.profile.NamelessContainer &&
			strings.HasPrefix(err.Message, "undeclared reference to '") {
			err.Message += " (in container '')"
		}
		if !e.profile.OptionalTypeName {
			err.Message = strings.ReplaceAll(err.Message, "optional_type(", "optional(")
		}
	}
}
