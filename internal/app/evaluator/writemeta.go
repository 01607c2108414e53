package evaluator

import (
	"maps"

	"github.com/crdsem/crdsem/internal/base/typemeta"
)

// metaText returns a string of an object's metadata, empty if it is absent.
func metaText(object map[string]any, key string) string {
	text, _ := typemeta.Metadata(object)[key].(string)
	return text
}

// shown returns an object without what differs each time a server is asked, and
// without managers unless the request names one.
func (w *write) shown(object map[string]any) map[string]any {
	object = typemeta.WithMetadata(object, "resourceVersion", nil)
	if w.stored == nil {
		object = typemeta.WithMetadata(object, "uid", nil)
		object = typemeta.WithMetadata(object, "creationTimestamp", nil)
	}
	if w.req.Manager == "" {
		return typemeta.WithMetadata(object, "managedFields", nil)
	}
	entries, _ := typemeta.Metadata(object)["managedFields"].([]any)
	if len(entries) == 0 {
		return object
	}
	out := make([]any, len(entries))
	for i, entry := range entries {
		fields, _ := entry.(map[string]any)
		fields = maps.Clone(fields)
		delete(fields, "time")
		out[i] = fields
	}
	return typemeta.WithMetadata(object, "managedFields", out)
}
