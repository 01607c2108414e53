package prune

import (
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Resource removes from a resource all fields that the schema does not specify.
// Its apiVersion, kind and metadata stay as they are. A nil schema specifies no
// field.
//
// Resource changes its argument and returns what it removed, in the byte order
// of the paths: only the topmost field of a removed subtree (PRN-020 to
// PRN-023). If their paths take more than 32 MiB, it returns only the first
// ones. It allocates nothing if there is nothing to remove.
func Resource(object map[string]any, schema *structural.Schema) []structural.Change {
	changes, _ := normalize.InPlace(object, schema, normalize.Prune|normalize.ResourceRoot)
	return changes.List
}

// Value is like Resource for a value that is not a resource. Its apiVersion,
// kind and metadata are removed like other fields, but their removal at the top
// is not returned (PRN-020).
func Value(value any, schema *structural.Schema) []structural.Change {
	changes, _ := normalize.InPlace(value, schema, normalize.Prune)
	return changes.List
}
