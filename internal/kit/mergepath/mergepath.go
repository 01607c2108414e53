// Package mergepath follows the paths of structured-merge-diff in objects, e.g.
// .spec.ports[name="http"].port.
package mergepath

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Indexed returns a path of structured-merge-diff with the indexes of items
// in place of their keys and values, e.g. spec.ports[0].port. It stops where
// the value has no such member or item.
func Indexed(value any, path string) string {
	indexed, _, _ := Follow(value, path)
	return indexed
}

// Follow follows a path of structured-merge-diff. It returns the indexed path,
// the value there, and the rest of the path that the value does not have.
func Follow(value any, path string) (indexed string, at any, left string) {
	var b strings.Builder
	for path != "" {
		next, step, rest := member(value, path)
		if path[0] == '[' {
			next, step, rest = item(value, path)
		}
		if step == "" {
			break
		}
		b.WriteString(step)
		value, path = next, rest
	}
	return strings.TrimPrefix(b.String(), "."), value, path
}

// member follows a path that starts with a member, which can have dots in its
// name: the longest name counts.
func member(value any, path string) (next any, step, rest string) {
	object, _ := value.(map[string]any)
	best := ""
	for name := range object {
		after, ok := strings.CutPrefix(path, "."+name)
		if ok && (after == "" || after[0] == '.' || after[0] == '[') && len(name) > len(best) {
			best, rest = name, after
		}
	}
	switch {
	case best == "":
		return nil, "", path
	case strings.ContainsAny(best, "./"):
		return object[best], "[" + best + "]", rest
	default:
		return object[best], "." + best, rest
	}
}

// item follows a path that starts with an item, e.g. [2], [="a"] or
// [name="http",port=80].
func item(value any, path string) (next any, step, rest string) {
	list, _ := value.([]any)
	if inner, rest, _ := strings.Cut(path[1:], "]"); inner != "" {
		if i, err := strconv.Atoi(inner); err == nil && i >= 0 && i < len(list) {
			return list[i], fmt.Sprintf("[%d]", i), rest
		}
	}
	wanted, rest := itemKeys(path[1:])
	if wanted == nil {
		return nil, "", path
	}
	found, parts := 0, 0
	for i, entry := range list {
		has, isPart := hasKeys(entry, wanted)
		if has {
			return entry, fmt.Sprintf("[%d]", i), rest
		}
		if isPart {
			found, parts = i, parts+1
		}
	}
	if parts != 1 {
		return nil, "", path
	}
	return list[found], fmt.Sprintf("[%d]", found), rest
}

// itemKeys reads what follows the bracket of an item: its keys with their
// values, or its own value under an empty key. It returns nil for any
// other text.
func itemKeys(text string) (keys map[string]any, rest string) {
	keys = map[string]any{}
	for {
		name, after, ok := strings.Cut(text, "=")
		if !ok {
			return nil, ""
		}
		decoder := json.NewDecoder(strings.NewReader(after))
		var value any
		if decoder.Decode(&value) != nil {
			return nil, ""
		}
		keys[name] = value
		after = after[decoder.InputOffset():]
		switch {
		case strings.HasPrefix(after, "]"):
			return keys, after[1:]
		case !strings.HasPrefix(after, ","):
			return nil, ""
		}
		text = after[1:]
	}
}

// hasKeys reports whether an item has values of keys, or is the value of an
// empty key. isPart reports whether it has some of them and lacks the others,
// which may have defaults.
func hasKeys(item any, keys map[string]any) (has, isPart bool) {
	object, _ := item.(map[string]any)
	equal := 0
	for name, want := range keys {
		own, isThere := object[name]
		if name == "" {
			own, isThere = item, true
		}
		if n, ok := own.(int64); ok {
			own = float64(n)
		}
		switch {
		case reflect.DeepEqual(own, want):
			equal++
		case isThere:
			return false, false
		}
	}
	return equal == len(keys), equal > 0
}
