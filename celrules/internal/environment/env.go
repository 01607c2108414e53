package environment

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	celcost "cel.dev/cel-go/common/cost"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/checker"
	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/containers"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
	"cel.dev/cel-go/parser"

	"github.com/crdsem/crdsem/celrules/internal/cost"
	k8sfunctions "github.com/crdsem/crdsem/celrules/internal/functions"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// built has the environments of all minors and kinds. Each is built when it is
// first used.
var built = func() (all [profile.Newest - profile.Oldest + 1][2]func() (*Env, error)) {
	for i := range all {
		for kind := range all[i] {
			all[i][kind] = sync.OnceValues(func() (*Env, error) {
				p := profile.Of(profile.Oldest + profile.Minor(i))
				return newEnv(p, library.Expressions(kind), nil)
			})
		}
	}
	return all
}()

// For returns the environment of a minor for expressions of a kind (CEL-003).
// An error says that the catalogue of CEL functions is inconsistent, which
// tests rule out.
func For(p *profile.Profile, kind library.Expressions) (*Env, error) {
	return built[p.Minor-profile.Oldest][kind]()
}

// Env is a base environment: all functions, macros, validators and evaluation
// options, but no variables and no types of a schema. It is immutable and safe
// for concurrent use.
type Env struct {
	profile   *profile.Profile
	kind      library.Expressions
	base      *cel.Env
	parser    *parser.Parser
	checker   *checker.Env
	literals  literalChecks
	costs     *cost.Model
	planner   interpreter.Interpreter
	planning  []interpreter.PlannerOption
	tracker   *celcost.Tracker       // of which each evaluation has a clone
	functions interpreter.Dispatcher // by overload id or function name
}

// newEnv builds a base environment from the catalogue, and from more functions
// that options declare.
func newEnv(
	p *profile.Profile, kind library.Expressions, more []library.Function,
	declared ...cel.EnvOption,
) (*Env, error) {
	options, err := options(p, kind)
	if err != nil {
		return nil, err
	}
	base, err := cel.NewEnv(append(options, declared...)...)
	if err != nil {
		return nil, err
	}
	macros := macrosOf(base.Macros(), p)
	e := &Env{
		profile:  p,
		kind:     kind,
		base:     base,
		literals: newLiteralChecks(base, p),
		costs: cost.NewModel(p, append(library.Functions(library.Version(p.Minor), kind),
			more...)),
	}
	var parses, checks, runs, charges error
	e.parser, parses = newParser(p, append(macros, guarded(macros)...))
	e.checker, checks = baseChecker(base)
	e.functions, runs = dispatcherOf(base, p)
	e.planner = newPlanner(base, e.functions, p)
	e.planning = e.planOptions()
	e.tracker, charges = e.costs.NewTracker()
	return e, errors.Join(parses, checks, runs, charges)
}

// baseChecker returns a type checker with the environment's functions. Scopes
// copy it.
func baseChecker(base *cel.Env) (*checker.Env, error) {
	chk, err := checker.NewEnv(containers.DefaultContainer, base.CELTypeProvider(),
		checker.CrossTypeNumericComparisons(true))
	functions := slices.DeleteFunc(slices.Collect(maps.Values(base.Functions())),
		(*decls.FunctionDecl).IsDeclarationDisabled)
	return chk, errors.Join(err, chk.AddIdents(base.Variables()...),
		chk.AddFunctions(functions...))
}

// dispatcherOf returns the implementations of all functions.
func dispatcherOf(base *cel.Env, p *profile.Profile) (interpreter.Dispatcher, error) {
	dispatcher := interpreter.NewDispatcher()
	var errs []error
	for _, fn := range base.Functions() {
		found, err := fn.Bindings()
		for i, overload := range found {
			found[i] = k8sfunctions.Replaced(p, fn.Name(), overload)
		}
		errs = append(errs, err, dispatcher.Add(found...))
	}
	return dispatcher, errors.Join(errs...)
}

// newPlanner returns the planner of all expressions of the environment.
func newPlanner(
	base *cel.Env, dispatcher interpreter.Dispatcher, p *profile.Profile,
) interpreter.Interpreter {
	adapter, provider := base.CELTypeAdapter(), base.CELTypeProvider()
	factory := interpreter.NewAttributeFactory(containers.DefaultContainer, adapter, provider)
	made := attributes{AttributeFactory: factory, profile: p}
	if !p.OptionalContents {
		made.formerly = adapter
	}
	return interpreter.NewInterpreter(
		dispatcher, containers.DefaultContainer, provider, adapter, made)
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

// Profile returns the profile of the environment's minor.
func (e *Env) Profile() *profile.Profile { return e.profile }

// Has reports whether the environment has a library or language option.
func (e *Env) Has(name string) bool {
	for _, lib := range library.Libraries() {
		if lib.Name == name && lib.In(library.Version(e.profile.Minor), e.kind) {
			return true
		}
	}
	return false
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
	parsed, errs := e.parser.Parse(source)
	if len(errs.GetErrors()) > 0 && !e.profile.QuotedTokens {
		errs = e.withoutQuotes(text, source, errs)
		readVerbs(errs.GetErrors())
	}
	switch {
	case len(errs.GetErrors()) > 0:
		issues := cel.NewIssues(errs)
		if strings.Contains(issues.Err().Error(), errTooLarge.Error()) {
			return nil, cel.ErrorAsIssues(errTooLarge)
		}
		return nil, issues
	case len(parsed.SourceInfo().OffsetRanges()) > maxParts(text):
		return nil, cel.ErrorAsIssues(errTooLarge)
	}
	return withSource(parsed, source), nil
}

// newParser returns cel-go's parser as the environment of a minor has it. The
// last macro for a call counts.
func newParser(p *profile.Profile, macros []parser.Macro) (*parser.Parser, error) {
	return parser.NewParser(
		parser.EnableOptionalSyntax(true),
		parser.EnableIdentEscapeSyntax(p.QuotedIdentifiers),
		parser.MaxExpressionNodeCount(-1), // guarded has a limit of its own
		parser.Macros(macros...),
	)
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
