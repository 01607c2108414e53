package prune

import (
	"github.com/crdsem/crdsem/internal/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Change says what was removed, where, and which schema node caused it.
type Change = normalize.Change

// Resource removes from a resource, which it changes, all fields that the schema does not specify; its apiVersion, kind and metadata
// stay as they are. It returns what was removed in the byte order of the paths: of a removed subtree only the topmost field
// (PRN-020 to PRN-023). A nil schema specifies no field. If there is nothing to remove it allocates nothing.
func Resource(object map[string]any, schema *structural.Schema) []Change {
	changes, _ := normalize.InPlace(object, schema, normalize.Prune|normalize.ResourceRoot)
	return changes
}

// Value is Resource for a value that is no resource: it changes the value, and apiVersion, kind and metadata are fields as any
// other, except that their removal at the top is not told (PRN-020).
func Value(value any, schema *structural.Schema) []Change {
	changes, _ := normalize.InPlace(value, schema, normalize.Prune)
	return changes
}

// Paths returns the paths of the removed fields as the server reports them, in order.
func Paths(changes []Change) []string {
	return normalize.Paths(changes, normalize.Pruned)
}
