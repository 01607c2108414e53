package objectmeta

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Change is one change of a metadata. If the paths of all would take more than
// 32 MiB, only the first ones are returned.
type Change struct {
	// Path is the path of a removed field, e.g.
	// `spec.template.metadata.nmae`, or of a metadata that was written in its
	// normal form.
	Path string
	// Schema is the node of the embedded resource, e.g.
	// `openAPIV3Schema.properties[spec].properties[template]`.
	Schema string
	// Unknown is set for a removed field that ObjectMeta does not have.
	Unknown bool
}

// Coerce coerces the metadata of the resources embedded in a value, as the
// server does with a request (META-005, META-008). It removes fields that
// ObjectMeta does not have and empty fields, and it writes times in the
// server's format. It returns the changes in the order of the paths.
//
// It fails if the apiVersion or kind of a resource is not a string, or if a
// metadata does not decode (META-004, META-006). The value may then be changed
// in part. The value's own metadata is left as it is, unless the schema marks
// its root as an embedded resource.
func Coerce(value any, schema *structural.Schema) ([]Change, *field.Error) {
	return coerced(value, schema, normalize.CoerceMetadata)
}

// Repair is like Coerce but removes malformed fields instead of failing, as the
// server does with a stored object (META-007).
func Repair(value any, schema *structural.Schema) []Change {
	changes, _ := coerced(value, schema, normalize.RepairMetadata)
	return changes
}

func coerced(
	value any, schema *structural.Schema, steps normalize.Steps,
) (out []Change, malformed *field.Error) {
	changes, malformed := normalize.InPlace(value, schema, steps)
	for _, c := range changes.List {
		out = append(out, Change{c.Path, c.Schema, c.Action == normalize.MetadataPruned})
	}
	return out, malformed
}

// Paths returns the paths of the fields that were removed because ObjectMeta
// does not have them, in order and as the server reports them.
func Paths(changes []Change) (paths []string) {
	for _, c := range changes {
		if c.Unknown {
			paths = append(paths, c.Path)
		}
	}
	return paths
}
