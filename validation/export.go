package validation

import (
	"github.com/crdsem/crdsem/internal/chapter/door"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/structural"
)

// Internal is for the packages of this module only; it is outside of the
// compatibility promise.
var Internal exporter

type exporter struct{}

// Export returns the functions that packages of this module share.
func (exporter) Export(*door.NotForPublicUse) export { return export{} }

type export struct{}

// CompileDefaults returns the validator that the server uses for a default when
// the CustomResourceDefinition is written. The schema is the node that has the
// default; its value is validated with Values. The validator differs from that
// of objects (DEF-052, DEF-053):
//
//   - x-kubernetes-int-or-string gives no type,
//   - formats that are not supported are kept,
//   - additionalProperties in a branch is lost.
func (export) CompileDefaults(schema *structural.Schema, options ...Option) *Validator {
	return newChoices(options).compile(schema, ofDefaults)
}

// EmbeddedValidator returns a validator of embedded resources only. It compiles
// only the part of the schema that this takes.
func (export) EmbeddedValidator(s *structural.Schema, p *profile.Profile) *Validator {
	return &Validator{profile: p, embedded: new(compiler).embeddedOf(s)}
}
