package upgrade

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/entail"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// example says what an object is like that may show a change: which fields it
// has, and their values. Old is that of the object which it replaces.
type example struct{ object, old []placed }

// placed is a value at a path from the root, removed{} for one that is not
// there, or anyValue{}.
type placed struct {
	path  []string
	value any
	rank  int // of several at one path the last one counts
}

type anyValue struct{}

// example returns what an object of a model is like.
func (l *logic) example(m *entail.Model) (e example) {
	add := func(isOld bool, path []string, value any, rank int) {
		list := &e.object
		if isOld {
			list = &e.old
		}
		*list = append(*list, placed{path, value, rank})
	}
	for key, path := range l.read {
		value, has := m.Value(l.variables[key])
		switch isOld := strings.HasPrefix(key, "old "); {
		case has && value == 0:
			add(isOld, path, removed{}, 0)
		case has:
			add(isOld, path, anyValue{}, 0)
		}
	}
	for _, t := range l.terms {
		value, has := m.Value(t.is)
		if !has || t.path == nil || len(t.path) == 0 {
			continue
		}
		if sample := l.sample(m, t, value); sample != nil {
			add(t.isOld, t.path, sample, 1+int(t.kind))
		}
	}
	for _, list := range [][]placed{e.object, e.old} {
		slices.SortFunc(list, func(a, b placed) int {
			return cmp.Or(len(a.path)-len(b.path), slices.Compare(a.path, b.path),
				a.rank-b.rank, cmp.Compare(canonical(a.value), canonical(b.value)))
		})
	}
	return e
}

// sample returns a value of a term that is in a range.
func (l *logic) sample(m *entail.Model, t *term, value int) any {
	switch {
	case t.kind == boolTerm:
		return value == 1
	case t.kind == textTerm && value < len(t.texts):
		return t.texts[value]
	case t.kind == textTerm:
		return l.otherText(m, t, value)
	case !t.kind.isOrdered() || len(t.points) == 0:
		return nil
	case value%2 == 1:
		return t.points[value/2].literal
	}
	if t.kind == amountTerm {
		return t.amount(value / 2)
	}
	low, high := t.bounds(value)
	switch {
	case !math.IsInf(low, 0) && (t.kind == intTerm || math.IsInf(high, 0)):
		return int64(low) + 1
	case !math.IsInf(low, 0):
		return (low + high) / 2
	case !math.IsInf(high, 0):
		return int64(high) - 1
	}
	return nil
}

// amount returns a text between two points, or beyond one.
func (t *term) amount(i int) any {
	near := func(p point, larger bool) any {
		list := amountsNear(p.literal.(string))
		switch {
		case len(list) < 2:
			return nil
		case larger:
			return list[0]
		}
		return list[1]
	}
	if i > 0 {
		return near(t.points[i-1], true)
	}
	return near(t.points[0], false)
}

// otherText returns a text that matches what a model says.
func (l *logic) otherText(m *entail.Model, t *term, value int) any {
	in := relang.Language{}
	if t.size != nil && len(t.size.points) > 0 {
		in.MinLength, in.MaxLength = t.lengths(value - len(t.texts))
	}
	not := append([]any{}, "")
	for _, text := range t.texts {
		not = append(not, text)
	}
	excluded := exactly(not)
	for _, other := range l.tests {
		if is, has := m.Value(other.is); has && other.of == t {
			if is == 1 {
				in.Patterns = append(in.Patterns, other.pattern)
			} else {
				excluded += "|" + other.pattern
			}
		}
	}
	found := relang.Difference(l.judges.ctx, in, relang.Language{Patterns: []string{excluded}})
	if !found.Found || found.Long {
		return nil
	}
	return found.Word
}

// exampled adds the objects that logic has in mind.
func (b *builder) exampled() {
	for _, e := range b.w.change.target.examples {
		for _, base := range b.bases {
			object := b.placedIn(base, e.object)
			if object == nil {
				continue
			}
			if !b.w.isTransition() {
				b.add(object, nil)
				continue
			}
			if old := b.placedIn(base, e.old); old != nil {
				b.add(object, old)
			}
			b.add(object, base)
		}
	}
}

// placedIn returns a copy of an object with what an example says, nil if there
// is no place for it.
func (b *builder) placedIn(base map[string]any, list []placed) map[string]any {
	object := jsonvalue.DeepCopyMap(base)
	random := rand.New(rand.NewPCG(uint64(len(list)), 3))
	for _, p := range list {
		if len(p.path) > 0 && !b.place(object, p, random) {
			return nil
		}
	}
	return object
}

// place puts a value into an object, with what is missing around it.
func (b *builder) place(object map[string]any, p placed, random *rand.Rand) bool {
	node := nodeOf(p.path)
	if _, isRemoval := p.value.(removed); isRemoval {
		if len(valuesAt(object, node)) > 0 {
			replaceAt(object, node, func(any) (any, bool) { return nil, false })
		}
		return true
	}
	for depth := 1; depth <= len(node); depth++ {
		at := node[:depth]
		_, isAny := p.value.(anyValue)
		isLast := depth == len(node) && !isAny
		if len(valuesAt(object, at)) > 0 && !isLast {
			continue
		}
		schema := schemaAt(b.w.admits.Schema(), at)
		if schema == nil {
			return false
		}
		value := p.value
		if !isLast {
			value = smallest(random, schema)
		}
		if !strings.HasPrefix(at[depth-1], memberStep) {
			around := at[:depth-1]
			if schemaAt(b.w.admits.Schema(), around).Items() == nil {
				return false
			}
			at, value = around, []any{value}
		}
		keep := func(any) (any, bool) { return jsonvalue.DeepCopy(value), true }
		if !replaceAt(object, at, keep) {
			return false
		}
	}
	return true
}

// smallest returns a value of a schema: an empty object where that may do.
func smallest(random *rand.Rand, s *structural.Schema) any {
	if s.Type() == "object" && len(s.Values().Required) == 0 {
		return map[string]any{}
	}
	return generate.Object(random, s)
}
