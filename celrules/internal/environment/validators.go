package environment

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// literalChecks runs the environment's AST validators on checked expressions
// (CEL-010). They look at literals only, e.g. at the string of
// `duration('1h')`. Most expressions have none, and then no validator runs.
type literalChecks struct {
	base       *cel.Env
	profile    *profile.Profile
	validators []cel.ASTValidator
	settings   validatorSettings
}

// The names of the validators of format(), and of the types of elements.
const (
	formatValidator   = "cel.validator.string_format"
	elementsValidator = "cel.validator.homogeneous_literals"
)

// newLiteralChecks configures the validators that a minor has.
func newLiteralChecks(base *cel.Env, p *profile.Profile) literalChecks {
	v := literalChecks{
		base:     base,
		profile:  p,
		settings: validatorSettings{cel.HomogeneousAggregateLiteralExemptFunctions: []string{}},
	}
	for _, each := range base.Validators() {
		// The one of format() lets its arguments have different types, also in
		// minors that do not run it.
		if c, ok := each.(cel.ASTValidatorConfigurer); ok {
			_ = c.Configure(v.settings) // fails only for settings of another type
		}
		if each.Name() != formatValidator || p.FormatLiterals {
			v.validators = append(v.validators, each)
		}
	}
	return v
}

// validate adds the findings of the validators to issues.
func (v literalChecks) validate(a *ast.AST, issues *cel.Issues) {
	if !needsValidation(a) {
		return
	}
	for _, each := range v.validators {
		each.Validate(v.base, v.settings, a, issues)
		if each.Name() == elementsValidator && !v.profile.FormatLiterals {
			v.validateFormer(each, a, issues)
		}
	}
}

// validateFormer adds findings on the types of elements in arguments of
// format() that are not arguments themselves. Up to Kubernetes 1.30 they were
// not exempt, e.g. that of `'%s'.format([1, 'a'].map(x, x))`.
func (v literalChecks) validateFormer(of cel.ASTValidator, a *ast.AST, issues *cel.Issues) {
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "format" {
			return
		}
		for inner := e.AsCall().Args(); len(inner) > 0; inner = inner[1:] {
			switch inner[0].Kind() {
			case ast.ListKind:
				inner = append(inner[:1:1], append(inner[0].AsList().Elements(), inner[1:]...)...)
			case ast.LiteralKind, ast.IdentKind, ast.MapKind:
			default:
				info := ast.NewAST(inner[0], a.SourceInfo())
				inside := ast.NewCheckedAST(info, a.TypeMap(), a.ReferenceMap())
				of.Validate(v.base, v.settings, inside, issues)
			}
		}
	}))
}

// needsValidation reports whether an expression has anything that a validator
// looks at: a list or map literal, or a call with checked literal arguments.
func needsValidation(a *ast.AST) bool {
	needed := false
	ast.PostOrderVisit(a.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.ListKind, ast.MapKind:
			needed = true
		case ast.CallKind:
			needed = needed || hasCheckedArguments(e.AsCall().FunctionName())
		}
	}))
	return needed
}

// hasCheckedArguments reports whether a validator looks at the arguments of a
// function.
func hasCheckedArguments(function string) bool {
	switch function {
	case "duration", "timestamp", "matches", "format":
		return true
	}
	return false
}

// validatorSettings has what validators tell each other before they run.
type validatorSettings map[string]any

// GetOrDefault returns a setting, or a default if it is not set.
func (s validatorSettings) GetOrDefault(name string, value any) any {
	if v, found := s[name]; found {
		return v
	}
	return value
}

// Set stores a setting.
func (s validatorSettings) Set(name string, value any) error {
	s[name] = value
	return nil
}
