package server

import (
	"maps"
	"strconv"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

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

// withMeta returns a copy of an object with another value in its metadata; a
// nil value is removed. The copy shares all other content.
func withMeta(object map[string]any, key string, value any) map[string]any {
	out, metadata := maps.Clone(object), maps.Clone(metaOf(object))
	if out == nil {
		out = map[string]any{}
	}
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

// finalizersOf returns the finalizers of an object.
func finalizersOf(object map[string]any) []string {
	list, _ := metaOf(object)["finalizers"].([]any)
	finalizers := make([]string, 0, len(list))
	for _, item := range list {
		if text, ok := item.(string); ok {
			finalizers = append(finalizers, text)
		}
	}
	return finalizers
}

// versioned returns a stored object with its resourceVersion.
func versioned(s *storage.Object) map[string]any { return withRevision(s.Content(), s.Revision) }

// withRevision returns a copy of an object with a resourceVersion. It shares
// all other content.
func withRevision(object map[string]any, revision uint64) map[string]any {
	return withMeta(object, "resourceVersion", strconv.FormatUint(revision, 10))
}

// isSameStored reports whether a write changes nothing.
func isSameStored(old, next *storage.Object) bool {
	if old.Size != next.Size || old.NegativeZero != next.NegativeZero {
		return false
	}
	return isSame(old.Content(), next.Content())
}
