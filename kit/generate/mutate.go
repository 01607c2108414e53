package generate

import (
	"math/rand/v2"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// Mutate returns a JSON value with a few changes made anywhere. Members are
// removed, added, or set to null or to another type; lists are shuffled, or get
// an item more or less. The value itself is not changed.
func Mutate(r *rand.Rand, v any) any {
	v = jsonvalue.DeepCopy(v)
	for range objectgen.Between(r, 1, 3) {
		v = mutateOnce(r, v)
	}
	return v
}

// mutateOnce changes one slot of a value, in slot where it can.
func mutateOnce(r *rand.Rand, v any) any {
	slots := slotsOf(v)
	if len(slots) == 0 {
		return objectgen.Any(r)
	}
	p := slots[r.IntN(len(slots))]
	switch r.IntN(9) {
	case 0:
		p.remove()
	case 1:
		p.set(nil)
	case 2, 3:
		p.set(objectgen.Any(r))
	case 4:
		p.add(r)
	case 5, 6:
		p.set(vary(r, p.get()))
	case 7:
		p.set(jsonvalue.DeepCopy(slots[r.IntN(len(slots))].get()))
	case 8:
		p.set(vary(r, p.get()))
	}
	return v
}

// vary returns a value like another one, most of the time of the same type.
func vary(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case int64:
		return objectgen.Pick[any](r, v+1, v-1, -v, float64(v), float64(v)+0.5, int64(0))
	case float64:
		return objectgen.Pick[any](r, v+0.5, -v, v/10)
	case string:
		return objectgen.Pick(r, v+"x", "", "X"+v, v+v)
	case []any:
		return objectgen.VaryList(r, v)
	case map[string]any:
		out, _ := jsonvalue.DeepCopy(v).(map[string]any)
		for _, name := range jsonvalue.SortedKeys(out) {
			if objectgen.Chance(r, 0.3) {
				delete(out, name)
			}
		}
		return out
	}
	return objectgen.Any(r)
}

// slot is where a value is kept: a member of a map or an element of a list.
type slot struct {
	object map[string]any
	name   string
	items  []any
	index  int
}

// slotsOf lists every slot of a value.
func slotsOf(v any) []slot {
	var slots []slot
	switch v := v.(type) {
	case map[string]any:
		for _, name := range jsonvalue.SortedKeys(v) {
			slots = append(slots, slot{object: v, name: name})
			slots = append(slots, slotsOf(v[name])...)
		}
	case []any:
		for i := range v {
			slots = append(slots, slot{items: v, index: i})
			slots = append(slots, slotsOf(v[i])...)
		}
	}
	return slots
}

func (p slot) get() any {
	if p.object != nil {
		return p.object[p.name]
	}
	return p.items[p.index]
}

func (p slot) set(v any) {
	if p.object != nil {
		p.object[p.name] = v
	} else {
		p.items[p.index] = v
	}
}

// remove removes a member; an element becomes null.
func (p slot) remove() {
	if p.object != nil {
		delete(p.object, p.name)
	} else {
		p.items[p.index] = nil
	}
}

// add adds an unknown member next to a slot or below it.
func (p slot) add(r *rand.Rand) {
	target := p.object
	if below, ok := p.get().(map[string]any); ok {
		target = below
	}
	if target != nil {
		target[objectgen.Pick(r, "unknownField", "a", "name", "extra.field")] = objectgen.Any(r)
	}
}
