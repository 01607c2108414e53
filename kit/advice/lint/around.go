package lint

import (
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
)

// isRefusedAround reports whether a rule of an object around the node reads the
// field at a path of the node, and refuses the value there: `isURL(self.u)` of
// spec, for example, next to `url(self).getHost() == 'a'` of its field u.
func (r *rule) isRefusedAround(path []string, value any) bool {
	for depth := range r.node.path {
		around := r.w.root.find(r.node.path[:depth])
		if around == nil {
			return false
		}
		below := slices.Concat(r.node.path[depth:], path)
		for _, other := range r.w.parsed(around) {
			if other.root != nil && !other.isTransition && other.refuses(below, value) {
				return true
			}
		}
	}
	return false
}

// refuses reports whether the rule reads the field at a path, and holds for no
// object that is tried with a value there.
func (r *rule) refuses(path []string, value any) bool {
	isSame := func(p []string) bool { return slices.Equal(p, path) }
	if !slices.ContainsFunc(r.looks(), isSame) {
		return false
	}
	t := r.node.own(r.text)
	if t == nil {
		return false
	}
	random, tried := generate.NewRand(5), 0
	for base := range mostBases {
		object := least(t.schema, 0)
		if base > 0 {
			object = generate.Object(random, t.schema)
		}
		object = put(object, path, t.schema, jsonvalue.DeepCopy(value))
		if len(t.keywords.Values(r.w.ctx, nil, object)) > 0 {
			continue
		}
		r.w.tried += t.count
		result := t.rules.Validate(r.w.ctx, t.placed(object), nil)
		if len(result.Errors) == 0 || evaluationError(result.Errors[0]) != "" {
			return false
		}
		tried++
	}
	return tried > 0
}
