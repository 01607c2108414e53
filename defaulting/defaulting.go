package defaulting

import (
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// DropNulls removes the nulls of fields that the schema specifies as not
// nullable and without a default (DEF-030 to DEF-034). Nulls in lists and nulls
// of unspecified fields stay. It changes its argument and returns what it
// removed, in the byte order of the paths, only the first ones if the paths
// take more than 32 MiB. It allocates nothing if there is nothing to remove.
func DropNulls(value any, schema *structural.Schema) []structural.Change {
	changes, _ := normalize.InPlace(value, schema, normalize.DropNulls)
	return changes.List
}

// Default fills in the schema's defaults where a property is absent, and where
// a field that is not nullable is null (DEF-001 to DEF-018). Each default is
// completed with the defaults below it. The schema's own default is not
// applied.
//
// It changes its argument and returns what it filled in, in the byte order of
// the paths, only the first ones if the paths take more than 32 MiB. A field of
// a completed default is returned too if it came from a default of its own. The
// value never shares anything with the schema. Default allocates nothing if
// there is nothing to fill in.
//
// Defaults within the items of defaults multiply: 1 KB of a schema can ask for
// any amount of time and memory. Default has no bound; requests of package
// crdsem have one (crdsem.DefaultsMemory).
func Default(value any, schema *structural.Schema) []structural.Change {
	changes, _ := normalize.InPlace(value, schema, normalize.Default)
	return changes.List
}
