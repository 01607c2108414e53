package defaulting

import (
	"errors"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/normalize"
	"github.com/crdsem/crdsem/structural"
)

// PruneDefaults returns the schema with its defaults as the server serves them
// (DEF-041 to DEF-045). They lose the fields that the schema does not specify,
// and embedded metadata is coerced, malformed fields removed. A default of
// which nothing is left is removed from the schema.
//
// The argument is the root schema of a resource. It is not changed, and it is
// returned itself if all defaults are clean. PruneDefaults fails with the
// server's message if the root's default is not an object (DEF-044).
func PruneDefaults(root *structural.Schema) (*structural.Schema, error) {
	return replaceDefaults(root, func(at *location, value any) (any, error) {
		return pruned(jsonvalue.DeepCopy(value), at, root)
	})
}

// pruned prunes a default in the smallest value that holds it. The server
// starts at the root of the resource; starting at the anchor costs less and
// gives the same result.
func pruned(value any, at *location, root *structural.Schema) (any, error) {
	const steps = normalize.Prune | normalize.RepairMetadata
	top := anchor(at, root)
	around := at.surround(top, value)
	if top != nil {
		_, _ = normalize.InPlace(around, top.schema, steps)
		return at.find(top, around), nil
	}
	if _, ok := around.(map[string]any); !ok {
		return nil, errors.New("failed to prune default value: " +
			"object root default value must be of object type")
	}
	// RepairMetadata removes malformed fields, therefore this cannot fail.
	_, _ = normalize.InPlace(around, root, steps|normalize.ResourceRoot|normalize.CoerceRoot)
	return at.find(top, around), nil
}

// anchor returns the location at which pruning of a default may start: nothing
// above it changes the result. nil is the root.
//
//   - A default inside apiVersion, kind or metadata of a resource has the
//     outermost such resource as its anchor.
//   - A default inside lists has the outermost list of its innermost chain of
//     lists, e.g. the location of `ports` for `ports[][]`.
//   - Any other default is its own anchor.
func anchor(at *location, root *structural.Schema) *location {
	resource, inMeta := (*location)(nil), false
	for l := at; l != nil; l = l.parent {
		above := root
		if l.parent != nil {
			above = l.parent.schema
		}
		switch {
		case l.keyword == items && l.parent == nil:
			return nil // the root is not an object
		case l.keyword == additionalProperties && above.Property(l.key()) != nil:
			return nil // a declared property takes the key
		case isMeta(l.name) && (l.parent == nil || above.EmbeddedResource()):
			resource, inMeta = l.parent, true
		}
	}
	if inMeta {
		return resource
	}
	for at != nil && at.keyword == items {
		at = at.parent
	}
	return at
}

func isMeta(name string) bool {
	return name == "apiVersion" || name == "kind" || name == "metadata"
}
