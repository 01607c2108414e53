package upgrade

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// candidates returns objects that may show the change: objects that one of the
// sides admits, with a hint in the place of a value, and objects that break the
// keyword.
func (w *witnessSearch) candidates(round int) []candidate {
	if w.isTransition() && round%3 == 2 {
		old, object, err := w.after.BrokenUpdate(w.change.Keyword, w.change.target.rule)
		if err != nil {
			return nil
		}
		return []candidate{{object, old}}
	}
	var object map[string]any
	var err error
	isDirect := w.change.Class != ChangesStorage && !w.change.target.isIndirect
	switch {
	case round%3 == 2 && isDirect:
		object, err = w.after.Broken(w.brokenKeyword(), w.change.target.rule)
	case round%2 == 0:
		object, err = w.after.Valid()
	default:
		object, err = w.before.Valid()
	}
	if err != nil || object == nil {
		return nil
	}
	if w.change.Class == Stricter {
		object = w.known(object)
	}
	if w.change.target.expression != nil {
		return w.probes(object)
	}
	return append(w.planted(object), candidate{object: object})
}

// probes returns copies of an object, each with another value where the rule of
// the change looks. A transition rule looks at two states of the object.
func (w *witnessSearch) probes(object map[string]any) []candidate {
	const mostReads, mostValues = 8, 8
	x := w.change.target.expression
	list := w.joint(x, object)
	literals := x.literals()
	literals = literals[:min(len(literals), mostValues)]
	for _, r := range x.reads[:min(len(x.reads), mostReads)] {
		node := w.change.target.node[:len(w.change.target.node):len(w.change.target.node)]
		for _, name := range r.path {
			if name == anyChild {
				node = append(node, itemStep)
			} else {
				node = append(node, memberStep+name)
			}
		}
		if len(node) == 0 {
			continue
		}
		for _, literal := range literals {
			copied := jsonvalue.DeepCopyMap(object)
			if !replaceAt(copied, node, func(any) (any, bool) { return literal, true }) {
				continue
			}
			if !w.isTransition() {
				list = append(list, candidate{object: copied})
				continue
			}
			other := jsonvalue.DeepCopyMap(copied)
			replaceAt(other, node, func(v any) (any, bool) { return another(v), true })
			list = append(list, candidate{other, copied}, candidate{other, object},
				candidate{copied, object})
		}
	}
	return append(list, candidate{object: object})
}

// another returns another value of the same type.
func another(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case int64:
		return v + 1
	case bool:
		return !v
	}
	return v
}

// isTransition reports whether the change is that of a transition rule, which
// only an update can show.
func (w *witnessSearch) isTransition() bool {
	return isTransition(&structural.Rule{Rule: w.change.target.rule})
}

// brokenKeyword returns the keyword whose breaking may show the change.
func (w *witnessSearch) brokenKeyword() string {
	switch keyword := w.change.Keyword; keyword {
	case "exclusiveMaximum":
		return "maximum"
	case "exclusiveMinimum":
		return "minimum"
	case "x-kubernetes-list-map-keys":
		return "x-kubernetes-list-type"
	case "properties": // a field that is checked on one side only
		return "type"
	default:
		return keyword
	}
}

// planted returns copies of an object, each with a hint as the value at the
// change.
func (w *witnessSearch) planted(object map[string]any) []candidate {
	most := 8
	if slices.Contains(junctors, w.change.Keyword) {
		most = 64 // below the node, too
	}
	node, hints := w.change.target.node, w.change.target.hints
	if len(node) == 0 {
		return nil
	}
	var list []candidate
	for _, hint := range hints[:min(len(hints), most)] {
		copied, place := jsonvalue.DeepCopyMap(object), node
		if d, isDeeper := hint.(deeper); isDeeper {
			place, hint = slices.Concat(node, d.node), d.value
		}
		_, isRemoval := hint.(removed)
		replace := func(v any) (any, bool) { return withHint(v, hint), !isRemoval }
		if replaceAt(copied, place, replace) {
			list = append(list, candidate{object: copied})
		}
	}
	return list
}

// withHint returns a copy of a hint, or the value with what the hint says.
func withHint(v, hint any) any {
	switch hint.(type) {
	case unknownField:
		object, ok := v.(map[string]any)
		if !ok {
			object = map[string]any{}
		}
		object["unknown"] = "x"
		return object
	case duplicate:
		if list, ok := v.([]any); ok && len(list) > 0 {
			return append(list, jsonvalue.DeepCopy(list[0]))
		}
		return v
	}
	return jsonvalue.DeepCopy(hint)
}

// replaceAt replaces every value at a node, or removes it if keep is false. It
// reports whether there was a place for one.
func replaceAt(v any, node []string, replace func(any) (value any, keep bool)) bool {
	step, rest := node[0], node[1:]
	found := false
	switch v := v.(type) {
	case map[string]any:
		name, isMember := strings.CutPrefix(step, memberStep)
		for key, member := range v {
			if isMember && key != name {
				continue
			}
			if len(rest) > 0 {
				found = replaceAt(member, rest, replace) || found
				continue
			}
			found = true
			if value, keep := replace(member); keep {
				v[key] = value
			} else {
				delete(v, key)
			}
		}
		if isMember && len(rest) == 0 && !found {
			if value, keep := replace(nil); keep {
				v[name], found = value, true
			}
		}
	case []any:
		for i := range v {
			if len(rest) > 0 {
				found = replaceAt(v[i], rest, replace) || found
			} else if value, keep := replace(v[i]); keep {
				v[i], found = value, true
			}
		}
	}
	return found
}

// valuesAt returns the values at a node, in the order of the object's keys and
// items.
func valuesAt(v any, node []string) []any {
	if len(node) == 0 {
		return []any{v}
	}
	var values []any
	switch v := v.(type) {
	case map[string]any:
		name, isMember := strings.CutPrefix(node[0], memberStep)
		if !isMember {
			for _, key := range jsonvalue.SortedKeys(v) {
				values = append(values, valuesAt(v[key], node[1:])...)
			}
		} else if member, ok := v[name]; ok {
			return valuesAt(member, node[1:])
		}
	case []any:
		for _, item := range v {
			values = append(values, valuesAt(item, node[1:])...)
		}
	}
	return values
}
