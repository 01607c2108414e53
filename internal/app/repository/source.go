package repository

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
)

// step is what one patch did to an object.
type step struct {
	patch *Patch
	// index is that of the document or of the operation, and at where the
	// operation wrote. at is nil for a document.
	index int
	at    []string
}

// Source is the part of a patch that a value of an object came from.
type Source struct {
	Patch *Patch
	// Index is that of the document, or of the operation in JSON 6902.
	Index int
	// Document is the document of a strategic patch, and Path the path of the
	// value in it. Document is nil for operations.
	Document *manifest.Document
	Path     string
	// Shared is set if only a part of the value came from the patch.
	Shared bool
}

// Source returns the patch that the value at a path came from, or that removed
// it: the last one of those that say the whole value, otherwise the last one of
// those that say a part of it. ok is false if no patch says anything of it.
func (p *Patched) Source(path string) (s Source, ok bool) {
	keys := fieldpath.Resolve(p.Object, path)
	if len(keys) == 0 {
		return s, false
	}
	value, has := any(p.Object), 0
	for ; has < len(keys); has++ {
		below, known := member(value, keys[has])
		if !known {
			break
		}
		value = below
	}
	for _, step := range slices.Backward(p.steps) {
		found, fits := step.source(p.Object, keys, has, value)
		switch {
		case fits && !found.Shared:
			return found, true
		case fits && !ok:
			s, ok = found, true
		}
	}
	return s, ok
}

// source returns what a step says of a value, whose way has some keys that the
// object has.
func (s *step) source(object any, keys []string, has int, value any) (out Source, fits bool) {
	if s.at != nil {
		return s.operation(keys, has, value)
	}
	out = Source{Patch: s.patch, Index: s.index, Document: s.patch.Objects[s.index]}
	said, whole := any(s.patch.parts[s.index]), object
	for n, key := range keys {
		if n == has { // the object lacks it
			next, known := member(said, key)
			isRemoved := known && next == nil
			out.Path = pathOf(out.Path, keys[n:]...)
			out.Shared = !isRemoved && !jsonvalue.Equal(said, whole)
			return out, isRemoved || n > 0
		}
		at := key
		if items, isList := whole.([]any); isList {
			at = likeItem(said, items, key)
		}
		next, known := member(said, at)
		if !known {
			return out, false
		}
		said = next
		whole, _ = member(whole, key)
		out.Path = pathOf(out.Path, at)
	}
	out.Shared = !jsonvalue.Equal(said, value)
	return out, !out.Shared || jsonvalue.KindOf(said) == jsonvalue.KindOf(value) && isHolder(said)
}

// isHolder reports whether a value is an object or a list.
func isHolder(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

// operation returns what an operation of JSON 6902 says of a value.
func (s *step) operation(keys []string, has int, value any) (out Source, fits bool) {
	out = Source{Patch: s.patch, Index: s.index}
	n := len(s.at)
	if n > len(keys) || !slices.Equal(s.at, keys[:n]) {
		out.Shared = true
		return out, has == len(keys) && len(keys) < n && slices.Equal(s.at[:len(keys)], keys)
	}
	operation, _ := s.patch.Operations[s.index].(map[string]any)
	said, isSaid := operation["value"]
	if n > has { // it is gone
		return out, operation["op"] == "remove"
	}
	for _, key := range keys[n:has] {
		if said, isSaid = member(said, key); !isSaid {
			break
		}
	}
	out.Shared = !jsonvalue.Equal(said, value)
	return out, isSaid || operation["op"] == "copy" || operation["op"] == "move"
}

// member returns the member or item of a value.
func member(value any, key string) (below any, ok bool) {
	switch v := value.(type) {
	case map[string]any:
		below, ok = v[key]
	case []any:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return below, ok
}

// likeItem returns the index of the item in a list of a patch that an item of
// the object came from: the one that says nothing else than the item has, of
// several the one at the same index. It is empty without one.
func likeItem(said any, list []any, key string) string {
	items, _ := said.([]any)
	index, _ := strconv.Atoi(key)
	found := ""
	for i, item := range items {
		if index < len(list) && isWithin(item, list[index]) && (found == "" || i == index) {
			found = strconv.Itoa(i)
		}
	}
	return found
}

// isWithin reports whether a value has all that a part of a patch says. Lists
// of the part count only by their items.
func isWithin(part, whole any) bool {
	switch v := part.(type) {
	case map[string]any:
		object, ok := whole.(map[string]any)
		for key, item := range v {
			below, has := object[key]
			if item != nil && !strings.HasPrefix(key, "$") && !(has && isWithin(item, below)) {
				return false
			}
		}
		return ok
	case []any:
		list, ok := whole.([]any)
		for _, item := range v {
			isLike := func(other any) bool { return isWithin(item, other) }
			if !slices.ContainsFunc(list, isLike) {
				return false
			}
		}
		return ok
	}
	return jsonvalue.Equal(part, whole)
}

// pathOf returns a path with more keys and indexes.
func pathOf(path string, keys ...string) string {
	for _, key := range keys {
		_, err := strconv.Atoi(key)
		switch {
		case err == nil || strings.ContainsAny(key, ".[]"):
			path += "[" + key + "]"
		case path == "":
			path = key
		default:
			path += "." + key
		}
	}
	return path
}

// pointer returns the keys of the place in an object where an operation of JSON
// 6902 writes.
func pointer(object any, operation any) []string {
	entries, _ := operation.(map[string]any)
	path, _ := entries["path"].(string)
	keys := []string{}
	for _, key := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		if list, is := object.([]any); is && key == "-" {
			key = strconv.Itoa(len(list))
		}
		object, _ = member(object, key)
		keys = append(keys, key)
	}
	return keys
}
