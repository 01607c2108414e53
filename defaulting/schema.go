package defaulting

import (
	"errors"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/normalize"
	"github.com/crdsem/crdsem/structural"
)

// PruneDefaults returns the schema with its defaults as the server serves them: without the fields that the schema does not specify,
// and with embedded metadata in its normal form, malformed fields removed; a default of which nothing is left is no default any more
// (DEF-041 to DEF-045). The argument is the root schema of a resource; it is not changed, and returned itself if all defaults are
// clean. It fails with the server's text if the root's default is no object (DEF-044).
func PruneDefaults(root *structural.Schema) (*structural.Schema, error) {
	return root.ReplaceDefaults(func(at *structural.Location, value any) (any, error) {
		const steps = normalize.Prune | normalize.RepairMetadata
		value = jsonvalue.DeepCopy(value)
		top := anchor(at, root)
		around := at.Surround(top, value)
		if top != nil {
			_, _ = normalize.InPlace(around, top.Schema(), steps)
			return at.Find(top, around), nil
		}
		if _, ok := around.(map[string]any); !ok {
			return nil, errors.New("failed to prune default value: object root default value must be of object type")
		}
		// Dropping what is malformed, it cannot fail.
		_, _ = normalize.InPlace(around, root, steps|normalize.ResourceRoot|normalize.CoerceRoot)
		return at.Find(top, around), nil
	})
}

// anchor returns the location from which on what is above does not matter to what becomes of a default: that of the outermost resource in whose
// apiVersion, kind or metadata it lies, else its own or, where lists hold it, that of the outermost of these. nil is the root.
func anchor(at *structural.Location, root *structural.Schema) *structural.Location {
	resource, inMeta := (*structural.Location)(nil), false
	for l := at; l != nil; l = l.Parent() {
		above := root
		if l.Parent() != nil {
			above = l.Parent().Schema()
		}
		switch {
		case l.IsItem() && l.Parent() == nil, l.IsValue() && above.Property("*") != nil:
			return nil // the root is no object, or the value is planted where a property takes it
		case isMeta(l.Property()) && (l.Parent() == nil || above.EmbeddedResource()):
			resource, inMeta = l.Parent(), true
		}
	}
	if inMeta {
		return resource
	}
	for at != nil && at.IsItem() {
		at = at.Parent()
	}
	return at
}

func isMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }
