package lint

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/kit/generate"
)

// bypassed looks for a change that a transition rule refuses, and that is
// accepted in two steps: the field, or an object around it, is removed, and set
// anew. All three writes are tried.
func (r *rule) bypassed() {
	if !r.isTransition || r.node.path == nil {
		return
	}
	t := r.w.root.trial()
	if t == nil || r.w.isOver() {
		return
	}
	places := r.removable(t)
	if len(places) == 0 {
		return
	}
	objects := r.states(t)
	if len(objects) < 2 {
		r.plainlyBypassed(places)
		return
	}
	for _, before := range objects {
		for _, after := range objects {
			if r.w.isOver() {
				return
			}
			if !t.refusesOnly(r, before, after) || !t.isFine(r.w, before, before) {
				continue
			}
			for _, place := range places {
				if r.isBypass(t, before, after, place) {
					r.reportBypass(place)
					return
				}
			}
		}
	}
}

// plainlyBypassed is for rules whose objects could not be made: it goes by the
// texts of the rules.
func (r *rule) plainlyBypassed(places [][]string) {
	path := r.node.path
	if !r.keepsWhole() || !slices.ContainsFunc(places, func(p []string) bool {
		return slices.Equal(p, path)
	}) {
		return
	}
	for i := range path {
		n := r.w.root.find(path[:i])
		if n == nil {
			return
		}
		for _, doc := range branchesOf(n.doc, "x-kubernetes-validations") {
			text, _ := doc["rule"].(string)
			text = squeezed(text)
			if text == "self==oldSelf" || text == "oldSelf==self" ||
				strings.Contains(text, "oldSelf."+celsyntax.Name(path[i])) {
				return // it says what may happen to the field
			}
		}
	}
	r.reportBypass(path)
}

// find returns the node at a path below a node, nil if it is not declared.
func (n *node) find(path []string) *node {
	for _, step := range path {
		if n == nil {
			return nil
		}
		if next := n.property(step); next != nil {
			n = next
		} else {
			n = n.elements()
		}
	}
	return n
}

// keepsWhole reports whether the rule keeps the whole value.
func (r *rule) keepsWhole() bool {
	return slices.Contains([]string{"self==oldSelf", "oldSelf==self"}, squeezed(r.text))
}

// accepts reports whether an object is accepted, as an update if there is an
// old one.
func (t *trial) accepts(w *walk, object, old any) bool {
	return len(t.keywords.Values(w.ctx, nil, object)) == 0 && t.isFine(w, object, old)
}

func (t *trial) isFine(w *walk, object, old any) bool {
	w.tried += t.count
	result := t.rules.Validate(w.ctx, object, old, celrules.WithoutRatcheting())
	return result.Err == nil && len(result.Errors) == 0
}

// refusesOnly reports whether the rule refuses an update, and nothing else
// does.
func (t *trial) refusesOnly(r *rule, before, after any) bool {
	r.w.tried += t.count
	result := t.rules.Validate(r.w.ctx, after, before, celrules.NameFailures(),
		celrules.WithoutRatcheting())
	if result.Err != nil || len(result.Errors) == 0 {
		return false
	}
	return !slices.ContainsFunc(result.Explanations, func(x celrules.Explanation) bool {
		return x.Rule != r.text
	}) && evaluationError(result.Errors[0]) == ""
}

// removable returns the paths of what may be removed: the value of the rule,
// objects around it, and fields that it reads. What is removed with the whole
// spec, or as an item of a list, is left out.
func (r *rule) removable(t *trial) (places [][]string) {
	add := func(path []string) {
		last := len(path) - 1
		isSpec := last == 0 && !(len(r.node.path) == 1 && r.keepsWhole())
		if isSpec || path[last] == anyItem || slices.ContainsFunc(places, func(p []string) bool {
			return slices.Equal(p, path)
		}) {
			return
		}
		around, s := schemaAt(t.schema, path[:last]), schemaAt(t.schema, path)
		if around != nil && s != nil && s.Default() == nil &&
			(s.Nullable() || !slices.Contains(around.Values().Required, path[last])) {
			places = append(places, path)
		}
	}
	for depth := len(r.node.path); depth > 0; depth-- {
		if r.node.path[depth-1] == anyItem {
			break // items come and go
		}
		add(r.node.path[:depth])
	}
	for _, path := range r.looks() {
		for depth := 1; depth <= len(path); depth++ {
			if path[depth-1] == anyItem {
				break
			}
			add(slices.Concat(r.node.path, path[:depth]))
		}
	}
	return places
}

// states returns objects that are accepted, and that differ in what the rule
// reads.
func (r *rule) states(t *trial) (objects []any) {
	const most = 14
	literals := r.readings().literals
	paths := r.looks()
	base := least(t.schema, 0)
	for _, path := range paths[:min(len(paths), mostLooks)] {
		base = put(base, slices.Concat(r.node.path, path), t.schema, nil)
	}
	seen := map[string]bool{}
	add := func(object any) {
		text := jsonText(object)
		if len(objects) < most && !seen[text] && t.accepts(r.w, object, nil) {
			seen[text] = true
			objects = append(objects, object)
		}
	}
	add(base)
	random := generate.NewRand(4)
	for _, path := range paths[:min(len(paths), mostLooks)] {
		at := slices.Concat(r.node.path, path)
		s := schemaAt(t.schema, at)
		if s == nil {
			continue
		}
		values := slices.Clone(s.Values().Enum)
		if s.Type() == "boolean" {
			values = append(values, true, false)
		}
		if s.Type() == "string" {
			values = append(values, amountsOf(r.text)...)
		}
		values = append(values, specials(s, literals)...)
		values = append(values, generate.Object(random, s), generate.Object(random, s))
		for _, v := range values[:min(len(values), most)] {
			if v != nil {
				add(put(jsonvalue.DeepCopy(base), at, t.schema, jsonvalue.DeepCopy(v)))
			}
		}
	}
	return objects
}

// isBypass reports whether a place can be removed from one object, and another
// one be written then.
func (r *rule) isBypass(t *trial, before, after any, place []string) bool {
	s := schemaAt(t.schema, place)
	lacking := without(jsonvalue.DeepCopy(before), place, s.Nullable() && r.isRequired(t, place))
	return lacking != nil && t.accepts(r.w, lacking, before) && t.isFine(r.w, after, lacking)
}

func (r *rule) isRequired(t *trial, place []string) bool {
	last := len(place) - 1
	return slices.Contains(schemaAt(t.schema, place[:last]).Values().Required, place[last])
}

// without returns a value without what is at a path, or with null there. It is
// nil if nothing is there.
func without(value any, path []string, isNull bool) any {
	if path[0] == anyItem && len(path) > 1 {
		for _, item := range itemsOf(value) {
			if without(item, path[1:], isNull) != nil {
				return value
			}
		}
		return nil
	}
	at, isObject := value.(map[string]any)
	if !isObject {
		return nil
	}
	member, has := at[path[0]]
	switch {
	case !has:
		return nil
	case len(path) == 1 && isNull:
		at[path[0]] = nil
	case len(path) == 1:
		delete(at, path[0])
	case without(member, path[1:], isNull) == nil:
		return nil
	}
	return value
}

// itemsOf returns the items of a list, or the values of a map in the order of
// their keys.
func itemsOf(value any) []any {
	switch value := value.(type) {
	case []any:
		return value
	case map[string]any:
		var list []any
		for _, key := range jsonvalue.SortedKeys(value) {
			list = append(list, value[key])
		}
		return list
	}
	return nil
}

// amountsOf returns texts that functions of a rule convert, in their order.
func amountsOf(rule string) (texts []any) {
	for _, of := range []struct{ function, less, more string }{
		{"quantity(", "1", "2Gi"}, {"duration(", "1s", "2h"}, {"semver(", "1.0.0", "2.0.0"},
	} {
		if strings.Contains(rule, of.function) {
			texts = append(texts, of.less, of.more)
		}
	}
	return texts
}

// reportBypass adds the finding.
func (r *rule) reportBypass(place []string) {
	names := func(from []string) string {
		text := ""
		for _, step := range from {
			text += "." + celsyntax.Name(step)
		}
		return text
	}
	name := names(place[len(place)-1:])
	depth := len(r.node.path)
	switch {
	case len(place) == depth && !r.keepsWhole():
		r.w.add("LINT-immutable", r.at+".rule",
			"add the rule `!has(oldSelf"+name+") || has(self"+name+")` to the object around the "+
				"field, or require the field",
			"the rule can be got around: the field can be removed, and then be set to a value "+
				"that the rule refuses now")
	case len(place) == depth:
		r.w.add("LINT-immutable", r.node.at+".x-kubernetes-validations",
			"add the rule `!has(oldSelf"+name+") || has(self"+name+")` to the object around it, "+
				"or require the field",
			"the field is immutable while it is there: the rule does not run if it is removed, "+
				"and it can then be set to another value")
	case len(place) > depth:
		field := names(place[depth:])
		r.w.add("LINT-immutable", r.at+".rule",
			"add the rule `!has(oldSelf"+field+") || has(self"+field+")`, or require the field",
			"the rule keeps self%s only while it is there: it can be removed, and then be set to "+
				"a value that the rule refuses now", field)
	default:
		around := strings.TrimPrefix(names(place), ".")
		r.w.add("LINT-immutable", r.at+".rule",
			"require `"+around+"`, or let the object around it have `!has(oldSelf"+name+
				") || has(self"+name+")`",
			"the rule can be got around: %s can be removed, and then be set to what the rule "+
				"refuses now", around)
	}
}
