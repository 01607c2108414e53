package environment

import (
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/cost"
	"github.com/crdsem/crdsem/celrules/internal/fastparse"
	"github.com/crdsem/crdsem/celrules/library"
)

// Set has the two environments of one Kubernetes version. They are built when
// they are first used. It is immutable and safe for concurrent use.
type Set struct {
	version library.Version
	added   func() (*Env, error)
	stored  func() (*Env, error)
}

// latest is for the only version whose semantics this package has,
// library.Latest.
var latest = newSet(library.Latest)

// For returns the environments of a Kubernetes version. It fails for every
// version but library.Latest.
func For(v library.Version) (*Set, error) {
	if v != latest.version {
		return nil, fmt.Errorf("no CEL environment for Kubernetes %v", v)
	}
	return latest, nil
}

// newSet returns the environments of a version, which are not built yet.
func newSet(v library.Version) *Set {
	build := func(kind library.Expressions) func() (*Env, error) {
		return sync.OnceValues(func() (*Env, error) { return newEnv(v, kind) })
	}
	return &Set{
		version: v,
		added:   build(library.NewExpressions),
		stored:  build(library.StoredExpressions),
	}
}

// Env returns the environment for expressions of a kind (CEL-003). An error
// says that the catalogue of package library is inconsistent, which tests rule
// out.
func (s *Set) Env(kind library.Expressions) (*Env, error) {
	if kind == library.NewExpressions {
		return s.added()
	}
	return s.stored()
}

// Env is a base environment: all functions, macros, validators and evaluation
// options, but no variables and no types of a schema. It is immutable and safe
// for concurrent use.
type Env struct {
	base      *cel.Env
	guarded   func() (*cel.Env, error) // base with guarded macros, built once
	syntax    *fastparse.Parser
	checker   *checker.Env
	literals  literalChecks
	costs     *cost.Model
	planner   interpreter.Interpreter
	planning  []interpreter.PlannerOption
	functions interpreter.Dispatcher // by overload id or function name
}

// newEnv builds a base environment from the catalogue.
func newEnv(v library.Version, kind library.Expressions) (*Env, error) {
	options, err := options(v, kind)
	if err != nil {
		return nil, err
	}
	base, err := cel.NewEnv(options...)
	if err != nil {
		return nil, err
	}
	e := &Env{
		base: base,
		guarded: sync.OnceValues(func() (*cel.Env, error) {
			return base.Extend(cel.Macros(guarded(base.Macros())...))
		}),
		syntax:   fastparse.New(base.Macros()),
		literals: newLiteralChecks(base),
		costs:    cost.NewModel(library.Functions(v, kind)),
	}
	if e.checker, err = baseChecker(base); err != nil {
		return nil, err
	}
	if e.functions, err = dispatcherOf(base); err != nil {
		return nil, err
	}
	e.planner = newPlanner(base, e.functions)
	e.planning, err = e.planOptions()
	return e, err
}

// baseChecker returns a type checker with the environment's functions. Scopes
// copy it.
func baseChecker(base *cel.Env) (*checker.Env, error) {
	chk, err := checker.NewEnv(containers.DefaultContainer, base.CELTypeProvider(),
		checker.CrossTypeNumericComparisons(true))
	if err != nil {
		return nil, err
	}
	if err := chk.AddIdents(base.Variables()...); err != nil {
		return nil, err
	}
	for _, fn := range base.Functions() {
		if fn.IsDeclarationDisabled() {
			continue
		}
		if err := chk.AddFunctions(fn); err != nil {
			return nil, err
		}
	}
	return chk, nil
}

// dispatcherOf returns the implementations of all functions.
func dispatcherOf(base *cel.Env) (interpreter.Dispatcher, error) {
	dispatcher := interpreter.NewDispatcher()
	for _, fn := range base.Functions() {
		found, err := fn.Bindings()
		if err != nil {
			return nil, err
		}
		if err := dispatcher.Add(found...); err != nil {
			return nil, err
		}
	}
	return dispatcher, nil
}

// newPlanner returns the planner of all expressions of the environment.
func newPlanner(base *cel.Env, dispatcher interpreter.Dispatcher) interpreter.Interpreter {
	adapter, provider := base.CELTypeAdapter(), base.CELTypeProvider()
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, adapter, provider)
	return interpreter.NewInterpreter(
		dispatcher, containers.DefaultContainer, provider, adapter, attributes)
}

// Function returns the implementation that a call runs: of the overload with an
// id, otherwise of the function with a name, where the overload is chosen at
// run time. It returns nil if there is neither.
func (e *Env) Function(function, overload string) *functions.Overload {
	if overload != "" {
		if f, ok := e.functions.FindOverload(overload); ok {
			return f
		}
	}
	f, _ := e.functions.FindOverload(function)
	return f
}

// CallCost returns what a call with these arguments (the receiver first) and
// this result costs (COST-023).
func (e *Env) CallCost(function, overload string, args []ref.Val, result ref.Val) uint64 {
	return e.costs.CallCost(function, overload, args, result)
}

// NeedsResult reports whether the cost of a call depends on its result.
func (e *Env) NeedsResult(function, overload string) bool {
	return e.costs.NeedsResult(function, overload)
}

// CEL returns the environment in cel-go's form, for everything that this
// package has no method for. Extending it registers all functions again, so it
// must not be extended for each rule or node.
func (e *Env) CEL() *cel.Env { return e.base }

// Parse parses an expression. The issues are nil or empty if it parses.
// Otherwise they have the server's messages (CEL-012), or say that the
// expression is too large.
func (e *Env) Parse(text string) (*cel.Ast, *cel.Issues) {
	source, err := common.NewTextSourceWithLimit(text, maxCodePoints)
	if err != nil {
		return e.base.Parse(text)
	}
	parsed, err := e.syntax.Parse(source, maxParts(text))
	switch {
	case err != nil: // fastparse.ErrTooManyParts
		return nil, cel.ErrorAsIssues(errTooLarge)
	case parsed != nil:
		return withSource(parsed, source), nil
	}
	return e.parseSlowly(source)
}

// parseSlowly parses an expression with cel-go's parser.
func (e *Env) parseSlowly(source common.Source) (*cel.Ast, *cel.Issues) {
	env, text := e.base, source.Content()
	if doubles(text) {
		var err error
		if env, err = e.guarded(); err != nil {
			return nil, cel.ErrorAsIssues(err)
		}
	}
	parsed, issues := env.ParseSource(source)
	switch err := issues.Err(); {
	case err != nil && strings.Contains(err.Error(), errTooLarge.Error()):
	case err != nil, len(parsed.NativeRep().SourceInfo().OffsetRanges()) <= maxParts(text):
		return parsed, issues
	}
	return nil, cel.ErrorAsIssues(errTooLarge)
}

// maxCodePoints is the greatest length of an expression.
const maxCodePoints = 100_000

// withSource returns an expression in cel-go's form, for which cel-go has no
// constructor.
func withSource(expression *ast.AST, source cel.Source) *cel.Ast {
	out := cel.ParsedExprToAstWithSource(nil, source)
	*out.NativeRep() = *expression
	return out
}
