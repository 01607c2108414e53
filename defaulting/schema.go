package defaulting

import (
	"errors"

	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/normalize"
)

// PruneDefaults returns the schema with its defaults as the server serves them: without the fields that the schema does not specify,
// and with embedded metadata in its normal form, malformed fields removed; a default of which nothing is left is no default any more
// (DEF-041 to DEF-045). The argument is the root schema of a resource; it is not changed, and returned itself if all defaults are
// clean. It fails with the server's text if the root's default is no object (DEF-044).
func PruneDefaults(root *structural.Schema) (*structural.Schema, error) {
	return root.ReplaceDefaults(func(at *structural.Location, value any) (any, error) {
		object, ok := at.Surround(unstructured.DeepCopy(value)).(map[string]any)
		if !ok {
			return nil, errors.New("failed to prune default value: object root default value must be of object type")
		}
		// Dropping what is malformed, it cannot fail.
		_, _ = normalize.InPlace(object, root, normalize.Prune|normalize.ResourceRoot|normalize.RepairMetadata|normalize.CoerceRoot)
		return at.Find(object), nil
	})
}
