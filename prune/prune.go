package prune

import (
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Change is one removed field. If the paths of all would take more than 32 MiB,
// only the first ones are returned.
type Change struct {
	// Path is the field's, e.g. `spec.replcias`.
	Path string
	// Schema is the node that does not specify the field, e.g.
	// `openAPIV3Schema.properties[spec]`. It may be the node of a list around
	// it.
	Schema string
}

// Resource removes from a resource all fields that the schema does not specify.
// Its apiVersion, kind and metadata stay as they are. A nil schema specifies no
// field.
//
// Resource changes its argument and returns what it removed, in the byte order
// of the paths: only the topmost field of a removed subtree (PRN-020 to
// PRN-023). It allocates nothing if there is nothing to remove.
func Resource(object map[string]any, schema *structural.Schema) []Change {
	return pruned(object, schema, normalize.Prune|normalize.ResourceRoot)
}

// Value is like Resource for a value that is not a resource. Its apiVersion,
// kind and metadata are removed like other fields, but their removal at the top
// is not returned (PRN-020).
func Value(value any, schema *structural.Schema) []Change {
	return pruned(value, schema, normalize.Prune)
}

func pruned(value any, schema *structural.Schema, steps normalize.Steps) (removed []Change) {
	changes, _ := normalize.InPlace(value, schema, steps)
	for _, c := range changes.List {
		removed = append(removed, Change{c.Path, c.Schema})
	}
	return removed
}

// Paths returns the paths of the removed fields as the server reports them, in
// order.
func Paths(changes []Change) (paths []string) {
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	return paths
}
