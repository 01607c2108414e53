package prune

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/normalize"
	"github.com/crdsem/crdsem/structural"
)

// CoerceMetadata brings the metadata of the resources embedded in a value, which it changes, into its normal form, as the server does
// with a request: fields that metadata does not have go, empty ones go, times are re-rendered (META-005, META-008). It returns
// what was done in the order of the paths. A resource whose apiVersion or kind is no string or whose metadata does not decode is
// an error (META-004, META-006), and the value may be changed in part then. The value's own metadata is not looked at, unless
// the schema says that it is an embedded resource.
func CoerceMetadata(value any, schema *structural.Schema) ([]Change, *field.Error) {
	return normalize.InPlace(value, schema, normalize.CoerceMetadata)
}

// RepairMetadata is CoerceMetadata as the server does it with a stored object: it changes the value and removes what is malformed,
// instead of failing (META-007).
func RepairMetadata(value any, schema *structural.Schema) []Change {
	changes, _ := normalize.InPlace(value, schema, normalize.RepairMetadata)
	return changes
}

// MetadataPaths returns the paths of the fields that were removed from metadata as the server reports them, in order.
func MetadataPaths(changes []Change) []string {
	return normalize.Paths(changes, normalize.MetadataPruned)
}
