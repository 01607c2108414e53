package defaulting

import (
	"github.com/crdsem/crdsem/internal/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Change says what was dropped or filled in, where, and which schema node caused it.
type Change = normalize.Change

// DropNulls changes a value: it removes every null of an object's field that the schema specifies as not nullable and without a default
// (DEF-030 to DEF-034). Nulls in lists, and of fields that the schema does not specify, stay. It returns what was dropped in the byte order
// of the paths. If there is nothing to drop it allocates nothing.
func DropNulls(value any, schema *structural.Schema) []Change {
	changes, _ := normalize.InPlace(value, schema, normalize.DropNulls)
	return changes
}

// Default changes a value: it fills in the schema's defaults, completed, where a property is absent and where a null stands that is not
// nullable (DEF-001 to DEF-018). The schema's own default is not applied. It returns what was filled in, in the byte order of the
// paths, each field of a completed default too if it came from a default of its own. The value never shares anything with the schema.
// If there is nothing to fill in it allocates nothing.
func Default(value any, schema *structural.Schema) []Change {
	changes, _ := normalize.InPlace(value, schema, normalize.Default)
	return changes
}

// NullPaths returns the paths of the dropped nulls, in order.
func NullPaths(changes []Change) []string { return normalize.Paths(changes, normalize.NullDropped) }

// Paths returns the paths of the defaulted fields, in order.
func Paths(changes []Change) []string { return normalize.Paths(changes, normalize.Defaulted) }
