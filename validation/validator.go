package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// Validator validates custom resources against one schema. It is immutable and
// safe for concurrent use. Its methods do not change objects and panic on none.
//
// A method whose context ends before it is done returns one error of type
// internal, which has the cause of the context; it is no verdict. Errors that
// would take more than [FindingsMemory] end with an error of type internal.
//
// A nil *Validator and the zero value stand for a version without a schema:
// every object is valid.
type Validator struct {
	schema    *structural.Schema
	profile   *profile.Profile
	values    *node
	status    *node // nil: the schema has no property status
	listTypes *listTypeNode
	embedded  *embeddedNode
	indexes   *indexes
}

// Compile returns the validator of a version's schema. A nil schema gives a
// validator that accepts every object. Compile cannot fail: a pattern that does
// not compile fails every string, as on the server (VAL-043).
func Compile(schema *structural.Schema, options ...structural.Option) *Validator {
	return newChoices(options).compile(schema)
}

// Validate validates a new object: its values, its embedded resources and its
// list types, in the server's order. It does not validate the root's own type
// and metadata, and it runs no validation rules.
func (v *Validator) Validate(ctx context.Context, object map[string]any) field.ErrorList {
	if v == nil {
		return nil
	}
	errs := v.Values(ctx, nil, object)
	errs = append(errs, v.EmbeddedResources(ctx, nil, object)...)
	return append(errs, v.ListTypes(ctx, object)...)
}

// Values validates a value against the schema's keywords and formats. The path
// is that of the value, nil for a whole object. The texts of errors name places
// relative to the value, e.g. spec.replicas.
func (v *Validator) Values(ctx context.Context, path *field.Path, value any) field.ErrorList {
	w := watching(ctx)
	if v == nil || v.values.passes(value, &w) {
		return nil
	}
	errs, _ := v.collect(path, v.values, value, nil, w)
	return errs
}

// passes reports whether a whole value needs no second look: it is valid, and
// the errors that the server reports twice cannot make it invalid.
func (n *node) passes(value any, w *watch) bool {
	return n == nil || !n.repeats && n.valid(value, w)
}

// collect returns the errors of a value. The base is its path.
func (v *Validator) collect(
	base *field.Path, n *node, value any, old *correlation, w watch,
) (errs, ratcheted field.ErrorList) {
	c := &collector{findings: findings{base: base, profile: v.profile, watch: w}}
	c.node(n, value, old)
	errs, ratcheted = c.lists()
	return v.profile.Show(errs), v.profile.Show(ratcheted)
}
