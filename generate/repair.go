package generate

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// spot is a place of an object that an error is about.
type spot struct {
	node   node      // what the schema says of it
	exists bool      // whether there is a value
	set    func(any) // puts a value there
	remove func()    // takes it away; nil where that cannot be
}

// repair changes an object where errors are found in it: what is missing is added, what
// is wrong is made anew or taken away. It reports whether it changed anything.
func (o *objects) repair(schema node, root map[string]any, errs field.ErrorList) bool {
	changed := false
	for _, err := range errs {
		at := placeOf(err)
		replaceRoot := func(v any) {
			if object, ok := v.(map[string]any); ok {
				clear(root)
				for name, member := range object {
					root[name] = member
				}
			}
		}
		found, ok := o.find(spot{schema, true, replaceRoot, nil}, root, at)
		if !ok {
			continue
		}
		changed = true
		if found.exists && found.remove != nil && o.r.chance(0.4) {
			found.remove()
		} else {
			found.set(o.value(found.node, len(strings.Split(at, "."))))
		}
	}
	return changed
}

// placeOf returns the path that an error is about: its field, or for an error of a
// junctor, which is reported at the root, the path that its text begins with.
func placeOf(err *field.Error) string {
	if err.Field != "" && err.Field != "<nil>" {
		return err.Field
	}
	if quoted, e := strconv.QuotedPrefix(err.Detail); e == nil {
		if path, e := strconv.Unquote(quoted); e == nil {
			return strings.TrimPrefix(path, ".")
		}
	}
	return ""
}

// find follows a path from a spot with a value down to another spot. Names may have
// points and brackets in them, so it goes by the names that are there.
func (o *objects) find(from spot, v any, path string) (found spot, ok bool) {
	path = strings.TrimPrefix(path, ".")
	if path == "" {
		return from, true
	}
	n := o.merged(from.node)
	switch v := v.(type) {
	case map[string]any:
		return o.findMember(n, v, path)
	case []any:
		index, rest, closed := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(index)
		if err != nil || !closed || i < 0 || i >= len(v) {
			return from, true
		}
		items, _ := n["items"].(node)
		remove := func() { from.set(append(v[:i:i], v[i+1:]...)) }
		return o.find(spot{items, true, func(x any) { v[i] = x }, remove}, v[i], rest)
	}
	return from, true
}

func (o *objects) findMember(n node, v map[string]any, path string) (found spot, ok bool) {
	below, name := node(nil), ""
	known, _ := n["properties"].(node)
	for _, candidates := range []map[string]any{v, known} {
		for candidate := range candidates {
			if len(candidate) > len(name) && startsWith(path, candidate) {
				name = candidate
			}
		}
	}
	if name == "" {
		if strings.ContainsAny(path, ".[") {
			return found, false
		}
		name = path // what is required and nowhere declared
	}
	below, declared := known[name].(node)
	if !declared {
		below, _ = n["additionalProperties"].(node)
	}
	value, exists := v[name]
	s := spot{below, exists, func(x any) { v[name] = x }, func() { delete(v, name) }}
	if !exists {
		return s, true
	}
	return o.find(s, value, strings.TrimPrefix(path, name))
}

// startsWith reports whether a path begins with a name as a whole.
func startsWith(path, name string) bool {
	rest, ok := strings.CutPrefix(path, name)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
