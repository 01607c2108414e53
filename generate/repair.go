package generate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// spot is a place of an object that an error is about.
type spot struct {
	node   node      // what the schema says of it
	exists bool      // whether there is a value
	value  any       // the value
	set    func(any) // puts a value there
	remove func()    // takes it away; nil where that cannot be
	at     route     // to the node
}

// repair changes an object where errors are found in it: what is missing is added, what
// is wrong is made anew or taken away. It reports whether it changed anything.
func (o *objects) repair(schema node, root map[string]any, errs field.ErrorList) bool {
	changed := false
	for _, err := range errs {
		if strings.HasPrefix(err.Detail, unevaluated) {
			continue
		}
		at := placeOf(err)
		found, ok := o.find(rootSpot(schema, root), root, at)
		if !ok {
			continue
		}
		changed = true
		o.renew(found)
	}
	return changed
}

// renew makes a value anew or takes it away. It keeps the node that is wanted.
func (o *objects) renew(found spot) {
	onWay := len(found.at) < len(o.toward) && slices.Equal(found.at, o.toward[:len(found.at)])
	if found.exists && found.remove != nil && !onWay && o.r.chance(0.4) {
		found.remove()
		return
	}
	if onWay {
		o.route = o.toward[len(found.at):]
	}
	found.set(o.value(found.node, len(found.at)))
	o.route = nil
}

// unevaluated begins the error that the server adds where it evaluates no rules.
const unevaluated = "some validation rules were not checked"

// rootSpot is the spot of a whole object.
func rootSpot(schema node, root map[string]any) spot {
	replace := func(v any) {
		if object, ok := v.(map[string]any); ok {
			object = maps.Clone(object) // it may be root itself
			clear(root)
			maps.Copy(root, object)
		}
	}
	return spot{node: schema, exists: true, value: root, set: replace}
}

// placeOf returns the path that an error is about: its field, or, for an error of a
// junctor or of a number's format, which are reported at the root, the path that its
// text begins or ends with. The root is the empty path.
func placeOf(err *field.Error) string {
	if err.Field != "" && err.Field != "<nil>" {
		return err.Field
	}
	if quoted, e := strconv.QuotedPrefix(err.Detail); e == nil {
		if path, e := strconv.Unquote(quoted); e == nil {
			return strings.TrimPrefix(path, ".")
		}
	}
	if text, path, ok := strings.Cut(err.Detail, " in "); ok && strings.Contains(text, "value must be of type") {
		return strings.TrimPrefix(path, ".")
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
		return o.findMember(n, v, path, from.at)
	case []any:
		index, rest, closed := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(index)
		if err != nil || !closed || i < 0 || i >= len(v) {
			return from, true
		}
		items, _ := n["items"].(node)
		remove := func() { from.set(append(v[:i:i], v[i+1:]...)) }
		return o.find(spot{items, true, v[i], func(x any) { v[i] = x }, remove, from.at.to(itemStep)}, v[i], rest)
	}
	return from, true
}

func (o *objects) findMember(n node, v map[string]any, path string, at route) (found spot, ok bool) {
	below, name, rest := node(nil), "", ""
	known, _ := n["properties"].(node)
	for _, candidates := range []map[string]any{v, known} {
		for candidate := range candidates {
			if after, ok := afterName(path, candidate); ok && len(candidate) > len(name) {
				name, rest = candidate, after
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
	step := memberStep + name
	if !declared {
		below, _ = n["additionalProperties"].(node)
		step = keyStep
	}
	value, exists := v[name]
	s := spot{below, exists, value, func(x any) { v[name] = x }, func() { delete(v, name) }, at.to(step)}
	if !exists {
		return s, true
	}
	return o.find(s, value, rest)
}

// afterName returns what follows in a path that begins with a name as a whole: after a
// point or, the key of a map, in brackets.
func afterName(path, name string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(path, "["+name+"]"); ok {
		return rest, true
	}
	rest, ok = strings.CutPrefix(path, name)
	return rest, ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
