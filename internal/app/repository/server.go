package repository

import "maps"

// serverMetadata are the fields of metadata that a server fills in.
var serverMetadata = []string{
	"creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid",
}

// WithoutServer returns an object without what a server filled in: its status
// and parts of its metadata. It shares parts with the argument, which is not
// changed.
func WithoutServer(object map[string]any) map[string]any {
	out := maps.Clone(object)
	delete(out, "status")
	if metadata, ok := out["metadata"].(map[string]any); ok {
		metadata = maps.Clone(metadata)
		for _, name := range serverMetadata {
			delete(metadata, name)
		}
		out["metadata"] = metadata
	}
	return out
}
