package normalize

import (
	"cmp"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// ChangesMemory is the number of bytes that the paths of the changes of one
// walk may take. Changes beyond it are made and not listed.
const ChangesMemory = 32 << 20

// Changes are what a walk did.
type Changes struct {
	List []structural.Change
	// Omitted is the number of changes that are not listed, because all would
	// take more than ChangesMemory; OmittedUnknown is that of unknown fields
	// among them, OmittedDefaults that of defaults.
	Omitted, OmittedUnknown, OmittedDefaults int
}

// sortChanges orders changes by the server's order of steps, then by path in
// byte order.
func sortChanges(changes []structural.Change) {
	slices.SortStableFunc(changes, func(a, b structural.Change) int {
		return cmp.Or(
			cmp.Compare(stepOf(a.Action), stepOf(b.Action)),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Schema, b.Schema),
		)
	})
}

// stepOf is the place of an action's step in the server's order.
func stepOf(a structural.Action) int {
	switch a {
	case structural.Pruned:
		return 0
	case structural.NullDropped:
		return 1
	case structural.MetadataPruned:
		return 2
	case structural.MetadataCoerced:
		return 3
	default:
		return 4
	}
}
