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
// those that say a part of it. ok is false if no patch says anything of it. It
// must not be called concurrently.
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
	if p.sources == nil {
		p.sources = newSources(p.steps)
	}
	for at := range p.sources.about(keys) {
		step := &p.steps[at]
		found, fits := step.source(p.sources, p.Object, keys, has, value)
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
func (s *step) source(
	known *sources, object any, keys []string, has int, value any,
) (out Source, fits bool) {
	if s.at != nil {
		return s.operation(keys, has, value)
	}
	out = Source{Patch: s.patch, Index: s.index, Document: s.patch.Objects[s.index]}
	said, whole := any(s.patch.parts[s.index]), object
	for n, key := range keys {
		if n == has { // the object lacks it
			next, ok := member(said, key)
			isRemoved := ok && next == nil
			out.Path = pathOf(out.Path, keys[n:]...)
			out.Shared = !isRemoved && !jsonvalue.Equal(said, whole)
			return out, isRemoved || n > 0
		}
		at := key
		if items, isList := whole.([]any); isList {
			at = known.likeItem(said, items, key)
		}
		next, ok := member(said, at)
		if !ok {
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
		for i, item := range v {
			isLike := func(other any) bool { return isWithin(item, other) }
			if i < len(list) && isLike(list[i]) { // as in a list that is replaced
				continue
			}
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

// pointer returns the keys of the place where an operation of JSON 6902 writes.
func pointer(operation map[string]any) []string {
	path, _ := operation["path"].(string)
	keys := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, key := range keys {
		keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
	}
	return keys
}

// resolved returns the keys of a place with the length of a list for the key -,
// which stands for the item behind the last one.
func resolved(object any, keys []string) []string {
	for i, key := range keys {
		if items, isList := object.([]any); isList && key == "-" {
			keys[i] = strconv.Itoa(len(items))
		}
		object, _ = member(object, keys[i])
	}
	return keys
}
