package generate

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

const (
	maxRepairs    = 40  // of one object
	maxErrors     = 512 // an object with more is not worth repairing
	repairsAtOnce = 32
)

// settle repairs an object until the request is admitted or nothing can be
// repaired, and returns the last verdict. It keeps a wanted node.
func settle(
	m *objectgen.Maker, object map[string]any, q *request, wanted objectgen.NodePath,
) *crdsem.Result {
	fix := repair{m: m, schema: q.schema, object: object, wanted: wanted}
	var best *crdsem.Result
	var kept map[string]any // the object of best
	for step := 0; ; step++ {
		result := q.try(object)
		switch {
		case result.Admitted():
			return result
		case best == nil || weight(result) <= weight(best):
			best, kept = result, jsonvalue.DeepCopyMap(object)
		case objectgen.Chance(m.Rand, 0.7):
			clear(object)
			maps.Copy(object, jsonvalue.DeepCopyMap(kept))
			result = best
		}
		if step == maxRepairs || q.exhausted() || !fix.all(result) {
			return result
		}
		m.Sparse = min(1, m.Sparse+0.05)
	}
}

// repair changes an object at the paths of its errors.
type repair struct {
	m      *objectgen.Maker
	schema objectgen.Node
	object map[string]any
	wanted objectgen.NodePath // to a node that the object must keep
}

// all repairs what a verdict rejected. It reports whether it changed anything.
func (f *repair) all(result *crdsem.Result) bool {
	switch {
	case result.Stage == crdsem.StageDecode || len(result.Errors) > maxErrors:
		return false
	case len(result.Explanations) > 0:
		failed := objectgen.Pick(f.m.Rand, result.Explanations...)
		return f.rule(failed.Field, failed.Rule)
	}
	return f.errors(result.Errors[:min(len(result.Errors), repairsAtOnce)])
}

// rule changes what a failed rule mentions.
func (f *repair) rule(path, rule string) bool {
	if path == "<nil>" {
		path = ""
	}
	found, ok := f.find(path)
	if !ok || !found.exists {
		return false
	}
	if found.remove != nil && objectgen.Chance(f.m.Rand, 0.15) {
		found.remove()
		return true
	}
	if objectgen.Chance(f.m.Rand, 0.85) {
		if v, ok := f.m.Solve(rule, true, found.node, found.value); ok {
			found.set(v)
			return true
		}
	}
	found.set(f.m.ChangeAlong(objectgen.RuleHints(rule), found.node, found.value))
	return true
}

// errors adds missing values, and removes or replaces wrong ones.
func (f *repair) errors(errs field.ErrorList) bool {
	changed := false
	for _, err := range errs {
		if isUnevaluated(err) {
			continue
		}
		if found, ok := f.find(objectgen.ErrorPath(err)); ok {
			f.replace(found)
			changed = true
		}
	}
	return changed
}

// replace removes a value, or puts a new one in its place.
func (f *repair) replace(found position) {
	depth := len(found.at)
	leadsToWanted := depth < len(f.wanted) && slices.Equal(found.at, f.wanted[:depth])
	if found.exists && found.remove != nil && !leadsToWanted && objectgen.Chance(f.m.Rand, 0.4) {
		found.remove()
		return
	}
	var wanted objectgen.NodePath
	if leadsToWanted {
		wanted = f.wanted[depth:]
	}
	found.set(f.m.Below(found.node, wanted, depth))
}

// isUnevaluated reports whether an error says only that rules were not
// evaluated, because of other errors.
func isUnevaluated(err *field.Error) bool {
	return strings.HasPrefix(err.Detail, "some validation rules were not checked")
}

// position is where an error is: a place of an object, and the node of its
// schema.
type position struct {
	node   objectgen.Node
	at     objectgen.NodePath // to the node
	exists bool               // there is a value
	value  any
	set    func(any)
	remove func() // nil if the value cannot be removed
}

// find follows a field path, e.g. spec.ports[0].name, from the root. It returns
// false if the path leads nowhere. Where a value is not what the path expects,
// it returns the position of that value.
func (f *repair) find(path string) (found position, ok bool) {
	root := position{node: f.schema, exists: true, value: f.object, set: func(v any) {
		if object, ok := v.(map[string]any); ok {
			object = maps.Clone(object) // it may be f.object itself
			clear(f.object)
			maps.Copy(f.object, object)
		}
	}}
	return f.below(root, path)
}

// below follows a path from a position that has a value.
func (f *repair) below(from position, path string) (found position, ok bool) {
	path = strings.TrimPrefix(path, ".")
	if path == "" {
		return from, true
	}
	n := f.m.Resolved(from.node)
	switch v := from.value.(type) {
	case map[string]any:
		return f.member(n, v, path, from.at)
	case []any:
		index, rest, closed := strings.Cut(strings.TrimPrefix(path, "["), "]")
		i, err := strconv.Atoi(index)
		if err != nil || !closed || i < 0 || i >= len(v) {
			return from, true
		}
		items, _ := n.Items()
		return f.below(position{
			node: items, at: from.at.To(objectgen.ItemStep), exists: true, value: v[i],
			set:    func(x any) { v[i] = x },
			remove: func() { from.set(append(v[:i:i], v[i+1:]...)) },
		}, rest)
	}
	return from, true
}

// member follows a path that begins with the name of a member. Names may
// contain dots and brackets, so it takes the longest name that is there or
// declared.
func (f *repair) member(
	n objectgen.Node, v map[string]any, path string, at objectgen.NodePath,
) (found position, ok bool) {
	name, rest := "", ""
	for _, candidates := range [][]string{slices.Collect(maps.Keys(v)), n.PropertyNames()} {
		for _, candidate := range candidates {
			if after, ok := afterName(path, candidate); ok && len(candidate) > len(name) {
				name, rest = candidate, after
			}
		}
	}
	if name == "" {
		if strings.ContainsAny(path, ".[") {
			return found, false
		}
		name = path // required, but declared nowhere
	}
	s := position{at: at.To(objectgen.MemberStep + name),
		set: func(x any) { v[name] = x }, remove: func() { delete(v, name) }}
	var declared bool
	if s.node, declared = n.Property(name); !declared {
		s.node, _ = n.Additional()
		s.at = at.To(objectgen.KeyStep)
	}
	if s.value, s.exists = v[name]; !s.exists {
		return s, true
	}
	return f.below(s, rest)
}

// afterName returns the rest of a path that begins with a whole name: after a
// dot or, if the name is the key of a map, in brackets.
func afterName(path, name string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(path, "["+name+"]"); ok {
		return rest, true
	}
	rest, ok = strings.CutPrefix(path, name)
	return rest, ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
