package structural

import "slices"

// Action is what was done to a field.
type Action string

// The actions of a [Change].
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

// Change says what was done to a field, and which schema node caused it.
// Packages prune, defaulting and objectmeta return changes.
type Change struct {
	Action Action `json:"action"`
	// Path is the changed field, as the server prints it for the action: keys
	// joined with dots, indexes in brackets, e.g. `spec.ports[0].name`.
	Path string `json:"path"`
	// Schema is the node that caused the change, rooted at openAPIV3Schema,
	// e.g. `openAPIV3Schema.properties[spec]`: the default's own node, the node
	// that is not nullable, the embedded resource, and for an unknown field the
	// node that does not specify it, which may be that of a list around.
	Schema string `json:"schema"`
	// Pointer is the changed field too, in a form that can be followed.
	Pointer Pointer `json:"pointer"`
	// Value is what was removed, or the default that was filled in, completed
	// by the defaults below it. It is nil for a null, for a metadata that was
	// rewritten and for what is in one. It is shared with objects: copy it
	// before you change it.
	Value any `json:"value,omitempty"`
}

// Paths returns the paths of the changes with one of the actions, in order.
// With no action it returns the paths of all changes.
func Paths(changes []Change, actions ...Action) (paths []string) {
	for _, c := range changes {
		if len(actions) == 0 || slices.Contains(actions, c.Action) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}
