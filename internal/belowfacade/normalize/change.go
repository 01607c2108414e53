package normalize

import (
	"cmp"
	"slices"
)

// Action is what was done at a path.
type Action string

// The actions.
const (
	// Pruned: a field that the schema does not specify was removed with all
	// that is below it.
	Pruned Action = "Pruned"
	// MetadataPruned: a field that object metadata does not have was removed
	// from a metadata.
	MetadataPruned Action = "MetadataPruned"
	// MetadataCoerced: a metadata was written in its normal form, or a
	// malformed field of a resource's apiVersion, kind or metadata was removed.
	MetadataCoerced Action = "MetadataCoerced"
	// NullDropped: a null was removed from a field that is not nullable and has
	// no default.
	NullDropped Action = "NullDropped"
	// Defaulted: a field was absent, or null and not nullable, and got its
	// default.
	Defaulted Action = "Defaulted"
	// StatusDropped: a status was sent where the version has the status
	// subresource. A create stores no status, and an update keeps the old one.
	StatusDropped Action = "StatusDropped"
)

// Change is one thing that was done to an object.
type Change struct {
	Action Action `json:"action"`
	// Path is the changed field, as the server prints it for the action: keys
	// joined with dots, indexes in brackets.
	Path string `json:"path"`
	// Schema is the node that caused the change, rooted at openAPIV3Schema: the
	// default's own node, the node that is not nullable, the embedded resource,
	// and for an unknown field the node that does not specify it, which may be
	// that of a list around.
	Schema string `json:"schema"`
}

// ChangesMemory is the number of bytes that the paths of the changes of one
// walk may take. Changes beyond it are made and not listed.
const ChangesMemory = 32 << 20

// Changes are what a walk did.
type Changes struct {
	List []Change
	// Omitted is the number of changes that are not listed, because all would
	// take more than ChangesMemory; OmittedUnknown is that of unknown fields
	// among them, OmittedDefaults that of defaults.
	Omitted, OmittedUnknown, OmittedDefaults int
}

// Paths returns the paths of the changes with this action, in order; nil if
// there are none.
func Paths(changes []Change, action Action) []string {
	var out []string
	for _, c := range changes {
		if c.Action == action {
			out = append(out, c.Path)
		}
	}
	return out
}

// sortChanges orders changes by the server's order of steps, then by path in
// byte order.
func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(a.Action.rank(), b.Action.rank()),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Schema, b.Schema),
		)
	})
}

// rank is the place of an action's step in the server's order.
func (a Action) rank() int {
	switch a {
	case Pruned:
		return 0
	case NullDropped:
		return 1
	case MetadataPruned:
		return 2
	case MetadataCoerced:
		return 3
	default:
		return 4
	}
}
