package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/minors"
)

// Option changes how [Compile] prepares rules, or how package check judges
// them. Functions of these packages return options.
type Option func(*ruleoptions.Compile)

// InCache shares compiled rules with all other users of the cache.
func InCache(cache *Cache) Option {
	return func(s *ruleoptions.Compile) {
		s.Cache, s.Compiled = nil, nil
		if cache != nil {
			s.Cache, s.Compiled = cache, &cache.compiled
		}
	}
}

// Kubernetes selects the minor whose server runs the rules. Without this option
// it is the newest one.
func Kubernetes(m minors.Minor) Option {
	return func(s *ruleoptions.Compile) { s.Profile = profile.Named(string(m)) }
}

// WithMemoryLimit replaces [MemoryLimit]. A limit below 1 counts as 1.
func WithMemoryLimit(bytes int64) Option {
	return func(s *ruleoptions.Compile) { s.Memory = uint64(max(bytes, 1)) }
}

// newRules returns rules without a plan.
func newRules(choices []Option) (*Rules, ruleoptions.Compile) {
	s := ruleoptions.Compile{
		Profile: profile.Latest(), PerCallLimit: PerCallLimit, Memory: uint64(MemoryLimit),
	}
	for _, choose := range choices {
		if choose != nil {
			choose(&s)
		}
	}
	r := &Rules{profile: s.Profile, limits: environment.Limits{
		Cost: s.PerCallLimit, Bytes: s.Memory, Profile: s.Profile,
	}}
	if r.cache, _ = s.Cache.(*Cache); r.cache == nil {
		r.cache = new(Cache)
	}
	return r, s
}

// ValidateOption changes one call of [Rules.Validate]. Functions of this
// package return options.
type ValidateOption func(*ruleoptions.Validate)

// WithBudget replaces [Budget]. The rest of the budget after the call is the
// budget minus [Result.Cost].
func WithBudget(budget int64) ValidateOption {
	return func(s *ruleoptions.Validate) { s.Budget = budget }
}

// At sets the path of the object, e.g. `spec.template`. Errors are reported
// below it.
func At(path *field.Path) ValidateOption {
	return func(s *ruleoptions.Validate) { s.Path = path }
}

// WithoutRatcheting reports failures of unchanged values as errors too.
func WithoutRatcheting() ValidateOption {
	return func(s *ruleoptions.Validate) { s.NoRatchet = true }
}

// ObserveCosts fills in [Result.Costs].
func ObserveCosts() ValidateOption { return func(s *ruleoptions.Validate) { s.Costs = true } }

// ExplainFailures fills in [Result.Explanations].
func ExplainFailures() ValidateOption {
	return func(s *ruleoptions.Validate) { s.Explain = ruleoptions.Terms }
}
