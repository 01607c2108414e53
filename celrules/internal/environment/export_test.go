package environment

import (
	"cel.dev/cel-go/cel"

	"github.com/crdsem/crdsem/celrules/internal/cost"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// Build builds a base environment, for benchmarks.
func Build(p *profile.Profile, kind library.Expressions) error {
	_, err := newEnv(p, kind, nil)
	return err
}

// BuildWith builds a base environment with an option more.
func BuildWith(option cel.EnvOption) error {
	_, err := newEnv(profile.Latest(), library.StoredExpressions, nil, option)
	return err
}

// Declare declares a library without implementations of its overloads.
func Declare(lib library.Library) error {
	_, err := declare(lib, nil)
	return err
}

// Setting returns a setting of validators that are set to these.
func Setting(set map[string]any, name string, otherwise any) any {
	return validatorSettings(set).GetOrDefault(name, otherwise)
}

// CostEstimator returns the environment's cost estimator for a schema.
func CostEstimator(e *Env, sizes cost.SizeEstimator) *cost.Estimator {
	return e.costs.Estimator(e.profile, sizes)
}

// ErrTooLarge is the error of an expression whose macros expand to too many
// parts.
var ErrTooLarge = errTooLarge

// ParseType parses a type of the catalogue.
func ParseType(text string) (*cel.Type, error) { return parseType(text) }

// Overload declares an overload of the catalogue.
func Overload(o library.Overload, binding cel.OverloadOpt) (cel.FunctionOpt, error) {
	return overload(o, binding)
}
