package evaluator

import "maps"

// metaOf returns the metadata of an object, nil if it has none.
func metaOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata
}

// metaText returns a string of an object's metadata, empty if it is absent.
func metaText(object map[string]any, key string) string {
	text, _ := metaOf(object)[key].(string)
	return text
}

// withMeta returns an object with a field of the metadata, without it if the
// value is nil. It shares all other content with the object.
func withMeta(object map[string]any, key string, value any) map[string]any {
	out, metadata := maps.Clone(object), maps.Clone(metaOf(object))
	if metadata == nil {
		metadata = map[string]any{}
	}
	if out["metadata"] = metadata; value == nil {
		delete(metadata, key)
	} else {
		metadata[key] = value
	}
	return out
}

// shown returns an object without what differs each time a server is asked, and
// without managers unless the request names one.
func (w *write) shown(object map[string]any) map[string]any {
	object = withMeta(object, "resourceVersion", nil)
	if w.stored == nil {
		object = withMeta(object, "uid", nil)
		object = withMeta(object, "creationTimestamp", nil)
	}
	if w.req.Manager == "" {
		return withMeta(object, "managedFields", nil)
	}
	entries, _ := metaOf(object)["managedFields"].([]any)
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
	return withMeta(object, "managedFields", out)
}
