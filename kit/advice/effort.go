package advice

import (
	"context"
	"reflect"
	"slices"

	"github.com/crdsem/crdsem/internal/kit/nearest"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// maxSteps bounds the work for all hints on one object or definition. A step is
// a pair of characters that are compared, a byte of a path or a node that is
// visited. When they are spent, hints are less specific.
const maxSteps = 1 << 25

// effort is what the hints on one object or definition share: the steps that
// are spent, and what several of them need.
type effort struct {
	spent   int
	cures   int // rules that were written otherwise, and tried
	names   map[cacheKey]*knownNames
	schemas map[cacheKey]*structural.Schema
	// declared are the properties of each name.
	declared map[string][]declared
	// examples are strings that match patterns, by the node of the pattern.
	examples map[*structural.Schema]string
	// validators try the values of hints, by the node of the value.
	validators map[*structural.Schema]*validation.Validator
}

// cacheKey identifies what is derived from a schema, or from a map of an object
// or a definition.
type cacheKey struct {
	what  string
	value any // a *structural.Schema or the address of a map
}

// keyOfMap returns the key of what is derived from a map.
func keyOfMap(what string, of map[string]any) cacheKey {
	return cacheKey{what, reflect.ValueOf(of).Pointer()}
}

// knownNames are names that somebody may mean.
type knownNames struct {
	sorted []string
	set    *nearest.Set
}

// has reports whether a name is known.
func (k *knownNames) has(name string) bool {
	_, ok := slices.BinarySearch(k.sorted, name)
	return ok
}

// spend spends steps. It returns false if too many are spent or the context has
// ended.
func (f *finding) spend(steps int) bool {
	const often = 1 << 12 // steps between looks at the context
	before := f.effort.spent
	if f.effort.spent = min(before+steps, maxSteps); f.effort.spent == maxSteps {
		return false
	}
	return before/often == f.effort.spent/often || f.ctx.Err() == nil
}

// known returns names that are made once. There are none if no steps are left.
func (f *finding) known(key cacheKey, list func() []string) *knownNames {
	e := f.effort
	if found := e.names[key]; found != nil {
		return found
	}
	if !f.spend(1) {
		return &knownNames{}
	}
	names := list()
	if !slices.IsSorted(names) {
		names = slices.Sorted(slices.Values(names))
	}
	f.spend(len(names))
	if e.names == nil {
		e.names = map[cacheKey]*knownNames{}
	}
	e.names[key] = &knownNames{names, nearest.NewSet(names)}
	return e.names[key]
}

// near returns the name nearest to another one, "" if no name is near.
func (f *finding) near(name string, among *knownNames) string {
	return among.set.Name(name, f.spend)
}

// properties returns the names of a schema's properties.
func (f *finding) properties(of *structural.Schema) *knownNames {
	return f.known(cacheKey{"properties", of}, of.PropertyNames)
}

// about returns a finding on an error, with the place that it is about in an
// object.
func (o *Object) about(ctx context.Context, path string) *finding {
	f := &finding{ctx: ctx, object: o, definition: &Definition{}, effort: &o.effort}
	if f.spend(1 + len(path)) {
		f.at = locate(o.Object, o.Schema, path)
	}
	return f
}
