package celrules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/structural"
)

// WithMemoryLimit makes [Compile] replace [MemoryLimit]. A limit below 1 counts
// as 1.
func WithMemoryLimit(bytes int64) structural.Option {
	return ruleoptions.ForCompile(func(s *ruleoptions.Compile) {
		s.Memory = uint64(max(bytes, 1))
	})
}

// newRules returns rules without a plan.
func newRules(options []structural.Option) (*Rules, ruleoptions.Compile) {
	s := ruleoptions.Compile{PerCallLimit: PerCallLimit, Memory: uint64(MemoryLimit)}
	s.Choose(options)
	r := &Rules{profile: s.Profile, cache: newCache(s.Cache), limits: environment.Limits{
		Cost: s.PerCallLimit, Bytes: s.Memory, Profile: s.Profile,
	}}
	return r, s
}

// ValidateOption changes one call of [Rules.Validate]. Functions of this
// package return options. A nil option changes nothing.
type ValidateOption interface{ validateOption() }

// validateOption is an option of this package.
type validateOption func(*ruleoptions.Validate)

func (validateOption) validateOption() {}

// ForValidate does what the option says.
func (o validateOption) ForValidate(s *ruleoptions.Validate) { o(s) }

// WithBudget replaces [Budget]. The rest of the budget after the call is the
// budget minus [Result.Cost].
func WithBudget(budget int64) ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.Budget = budget })
}

// At sets the path of the object, e.g. `spec.template`. Errors are reported
// below it.
func At(path *field.Path) ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.Path = path })
}

// WithoutRatcheting reports failures of unchanged values as errors too.
func WithoutRatcheting() ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.NoRatchet = true })
}

// ObserveCosts fills in [Result.Costs].
func ObserveCosts() ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.Costs = true })
}

// ExplainFailures fills in [Result.Explanations].
func ExplainFailures() ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.Explain = ruleoptions.Terms })
}

// NameFailures fills in [Result.Explanations] without terms: they name the
// rules that failed. It takes little time.
func NameFailures() ValidateOption {
	return validateOption(func(s *ruleoptions.Validate) { s.Explain = ruleoptions.Names })
}
