package celrules

import (
	"github.com/crdsem/crdsem/celrules/internal/compilation"
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/structural"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns what other packages of this module need of this one.
func (exporter) Export(_ *door.NotForPublicUse) export { return export{} }

type export struct{}

// Compiled returns the compiled rules that a cache holds.
func (export) Compiled(c *Cache) *compilation.Cache { return &c.compiled }

// WithPerCallLimit replaces [PerCallLimit].
func (export) WithPerCallLimit(limit uint64) Option {
	return func(o *options) { o.limits.Cost = limit }
}

// Watch calls a function for each evaluation of a rule. The rule is evaluated
// twice for that, and the second evaluation counts for nothing.
func (export) Watch(watch func(Observation)) ValidateOption {
	return func(o *validateOptions) { o.watch = watch }
}

// NameFailures fills in [Result.Explanations] without their terms, which take
// most of the time.
func (export) NameFailures() ValidateOption {
	return func(o *validateOptions) { o.explain = withoutTerms }
}

// ListOperands calls a function for each rule that compiles, with its operands
// and no evaluation. It compiles all rules.
func (export) ListOperands(r *Rules, list func(Observation)) {
	if !r.Empty() {
		r.root.listOperands(r, "openAPIV3Schema", list)
	}
}

// KeepsKeys reports whether the fields of old and new objects correlate by
// name.
func (export) KeepsKeys(s *structural.Schema) bool { return keepsKeys(s) }
