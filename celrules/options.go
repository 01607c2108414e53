package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/minors"
)

// Option changes how [Compile] prepares rules.
type Option func(*options)

type options struct {
	profile *profile.Profile
	inner   bool
	limits  environment.Limits
	cache   *Cache
}

func newOptions(choices []Option) options {
	o := options{
		profile: profile.Latest(),
		limits:  environment.Limits{Cost: PerCallLimit, Bytes: uint64(MemoryLimit)},
	}
	for _, choose := range choices {
		if choose != nil {
			choose(&o)
		}
	}
	o.limits.Profile = o.profile
	if o.cache == nil {
		o.cache = new(Cache)
	}
	return o
}

// InCache shares compiled rules with all other users of the cache.
func InCache(cache *Cache) Option { return func(o *options) { o.cache = cache } }

// Kubernetes selects the minor whose server runs the rules. Without this option
// it is the newest one.
func Kubernetes(m minors.Minor) Option {
	return func(o *options) { o.profile = minors.Internal.Export(door.Key).Profile(m) }
}

// InnerNode compiles the rules of a node inside a resource, e.g. of
// `spec.template`. Its apiVersion, kind and metadata are declared only if its
// schema declares them or if it is an embedded resource.
func InnerNode() Option { return func(o *options) { o.inner = true } }

// WithMemoryLimit replaces [MemoryLimit]. A limit below 1 counts as 1.
func WithMemoryLimit(bytes int64) Option {
	return func(o *options) { o.limits.Bytes = uint64(max(bytes, 1)) }
}

// ValidateOption changes one call of [Rules.Validate].
type ValidateOption func(*validateOptions)

type validateOptions struct {
	budget    int64
	path      *field.Path
	noRatchet bool
	observe   bool
	explain   explanation
	watch     func(Observation) // nil: no caller watches
}

// WithBudget replaces [Budget]. The rest of the budget after the call is the
// budget minus [Result.Cost].
func WithBudget(budget int64) ValidateOption {
	return func(o *validateOptions) { o.budget = budget }
}

// At sets the path of the object, e.g. `spec.template`. Errors are reported
// below it.
func At(path *field.Path) ValidateOption { return func(o *validateOptions) { o.path = path } }

// WithoutRatcheting reports failures of unchanged values as errors too.
func WithoutRatcheting() ValidateOption { return func(o *validateOptions) { o.noRatchet = true } }

// ObserveCosts fills in [Result.Costs].
func ObserveCosts() ValidateOption { return func(o *validateOptions) { o.observe = true } }

// Explain fills in [Result.Explanations].
func Explain() ValidateOption { return func(o *validateOptions) { o.explain = withTerms } }

// explanation is how much is recorded about a failed rule.
type explanation uint8

const (
	unexplained  explanation = iota
	withoutTerms             // its text and its path
	withTerms                // the values of its sub-expressions too
)
