package environment

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/library"
)

// Build builds a base environment anew, for measuring that.
func Build(v library.Version, kind library.Expressions) error {
	_, err := newEnv(v, kind)
	return err
}

// Estimator returns the environment's cost estimator for a schema.
func Estimator(e *Env, sizes SizeEstimator) *CostEstimator { return e.estimator.withSizes(sizes) }

// RegexOptimizations returns how constant regular expressions are planned, besides those of matches.
func RegexOptimizations() []*interpreter.RegexOptimization {
	return []*interpreter.RegexOptimization{findOptimization(), findAllOptimization()}
}

// ParseType reads a type of the catalogue.
func ParseType(text string) (*cel.Type, error) { return parseType(text) }
