package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
)

// Limits of actual cost (COST-001).
const (
	// PerCallLimit is the cost at which the evaluation of one expression is stopped.
	PerCallLimit uint64 = environment.PerCallLimit
	// Budget is what all rules of one object may cost together.
	Budget int64 = 10_000_000
)

// Option is a choice made when rules are compiled.
type Option func(*options)

type options struct {
	inner        bool
	perCallLimit uint64
	cache        *Cache
}

func newOptions(choices []Option) options {
	o := options{perCallLimit: PerCallLimit}
	for _, choose := range choices {
		if choose != nil {
			choose(&o)
		}
	}
	if o.cache == nil {
		o.cache = new(Cache)
	}
	return o
}

// InCache shares what is compiled with all that use the same cache.
func InCache(cache *Cache) Option { return func(o *options) { o.cache = cache } }

// InnerNode says that the schema is a node inside a resource: apiVersion, kind and metadata are then only what it says
// itself, unless it is an embedded resource.
func InnerNode() Option { return func(o *options) { o.inner = true } }

// WithPerCallLimit replaces [PerCallLimit].
func WithPerCallLimit(limit uint64) Option { return func(o *options) { o.perCallLimit = limit } }

// ValidateOption is a choice made for one call of [Rules.Validate].
type ValidateOption func(*validateOptions)

type validateOptions struct {
	budget    int64
	path      *field.Path
	noRatchet bool
	observe   bool
	explain   bool
}

// WithBudget replaces [Budget]; what is left of it is the given budget minus the result's cost.
func WithBudget(budget int64) ValidateOption { return func(o *validateOptions) { o.budget = budget } }

// At says where the object stands; errors are reported below that path.
func At(path *field.Path) ValidateOption { return func(o *validateOptions) { o.path = path } }

// WithoutRatcheting reports failures of what an update did not change as errors too.
func WithoutRatcheting() ValidateOption { return func(o *validateOptions) { o.noRatchet = true } }

// ObserveCosts fills in [Result.Costs].
func ObserveCosts() ValidateOption { return func(o *validateOptions) { o.observe = true } }

// Explain fills in [Result.Explanations].
func Explain() ValidateOption { return func(o *validateOptions) { o.explain = true } }
