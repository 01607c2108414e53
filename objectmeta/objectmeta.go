package objectmeta

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Coerce coerces the metadata of the resources embedded in a value, as the
// server does with a request (META-005, META-008). It removes fields that
// ObjectMeta does not have and empty fields, and it writes times in the
// server's format. It returns the changes in the order of the paths.
//
// It fails if the apiVersion or kind of a resource is not a string, or if a
// metadata does not decode (META-004, META-006). The value may then be changed
// in part. The value's own metadata is left as it is, unless the schema marks
// its root as an embedded resource.
func Coerce(value any, schema *structural.Schema) ([]structural.Change, *field.Error) {
	changes, malformed := normalize.InPlace(value, schema, normalize.CoerceMetadata)
	return changes.List, malformed
}

// Repair is like Coerce but removes malformed fields instead of failing, as the
// server does with a stored object (META-007).
func Repair(value any, schema *structural.Schema) []structural.Change {
	changes, _ := normalize.InPlace(value, schema, normalize.RepairMetadata)
	return changes.List
}
