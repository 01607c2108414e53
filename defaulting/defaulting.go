package defaulting

import (
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// Change is one removed null or filled-in default. If the paths of all would
// take more than 32 MiB, only the first ones are returned.
type Change struct {
	// Path is the field's, e.g. `spec.replicas`.
	Path string
	// Schema is the node that has the default, or that is not nullable, e.g.
	// `openAPIV3Schema.properties[spec]`.
	Schema string
}

// DropNulls removes the nulls of fields that the schema specifies as not
// nullable and without a default (DEF-030 to DEF-034). Nulls in lists and nulls
// of unspecified fields stay. It changes its argument and returns what it
// removed, in the byte order of the paths. It allocates nothing if there is
// nothing to remove.
func DropNulls(value any, schema *structural.Schema) []Change {
	return changed(value, schema, normalize.DropNulls)
}

// Default fills in the schema's defaults where a property is absent, and where
// a field that is not nullable is null (DEF-001 to DEF-018). Each default is
// completed with the defaults below it. The schema's own default is not
// applied.
//
// It changes its argument and returns what it filled in, in the byte order of
// the paths. A field of a completed default is returned too if it came from a
// default of its own. The value never shares anything with the schema. Default
// allocates nothing if there is nothing to fill in.
//
// Defaults within the items of defaults multiply: 1 KB of a schema can ask for
// any amount of time and memory. Default has no bound; requests of package
// crdsem have one (crdsem.DefaultsMemory).
func Default(value any, schema *structural.Schema) []Change {
	return changed(value, schema, normalize.Default)
}

func changed(value any, schema *structural.Schema, steps normalize.Steps) (out []Change) {
	changes, _ := normalize.InPlace(value, schema, steps)
	for _, c := range changes.List {
		out = append(out, Change{c.Path, c.Schema})
	}
	return out
}

// Paths returns the paths of the changed fields, in order.
func Paths(changes []Change) (paths []string) {
	for _, c := range changes {
		paths = append(paths, c.Path)
	}
	return paths
}
