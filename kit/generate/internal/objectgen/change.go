package objectgen

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Change makes one change at a place of a value that the schema describes. It
// changes the value in place where it can, and returns the result.
func (m *Maker) Change(n Node, v any) any {
	m.start()
	return m.change(n, v, 0)
}

func (m *Maker) change(n Node, v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		names := n.PropertyNames()
		if len(names) == 0 || depth > 0 && Chance(m.Rand, 0.1) {
			break
		}
		name := Pick(m.Rand, names...)
		property, _ := n.Property(name)
		if member, has := v[name]; has {
			v[name] = m.change(property, member, depth+1)
		} else {
			v[name] = m.value(property, depth+1)
		}
		return v
	case []any:
		return m.changeList(n, v, depth)
	}
	return m.value(n, depth)
}

func (m *Maker) changeList(n Node, v []any, depth int) any {
	items, ok := n.Items()
	if ok && len(v) == 0 && m.Kind == Valid {
		return []any{m.value(items, depth+1)}
	}
	if !ok || len(v) == 0 || Chance(m.Rand, 0.25) {
		return VaryList(m.Rand, v)
	}
	i := m.Rand.IntN(len(v))
	v[i] = m.change(items, v[i], depth+1)
	return v
}

// VaryList returns a copy of a list that is shuffled, or has an item more or
// less.
func VaryList(r *rand.Rand, items []any) any {
	out, _ := jsonvalue.DeepCopy(items).([]any)
	switch {
	case len(out) == 0:
		return []any{Any(r)}
	case Chance(r, 0.3):
		r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
		return out
	case Chance(r, 0.4):
		return append(out, jsonvalue.DeepCopy(Pick(r, out...)))
	}
	i := r.IntN(len(out))
	return append(out[:i], out[i+1:]...)
}

// Extend gives an object the node that a path leads to, where properties lead
// to it. It changes the object.
func (m *Maker) Extend(n Node, object map[string]any, to NodePath) {
	m.start()
	for len(to) > 0 {
		name, isMember := strings.CutPrefix(to[0], MemberStep)
		property, ok := n.Property(name)
		if !isMember || !ok {
			return
		}
		to = to[1:]
		member, isObject := object[name].(map[string]any)
		if !isObject {
			object[name] = m.Below(property, to, 2)
			return
		}
		n, object = property, member
	}
}

// ChangeAlong changes one thing about a value, in place where it can: something
// that the hints mention, if they mention anything that is there.
func (m *Maker) ChangeAlong(h *Hints, n Node, v any) any {
	if enum := m.enum(n); len(enum) > 0 {
		return m.enumAlong(h, enum)
	}
	switch v := v.(type) {
	case map[string]any:
		if n.hasProperties() || hasAdditional(n) || n.typ() == "object" {
			m.changeMember(h, n, v)
			return v
		}
	case []any:
		return m.listAlong(h, n, v)
	case string:
		return m.stringAlong(h, n, v)
	case int64:
		return m.numberAlong(h, n, v)
	case bool:
		return !v
	}
	return m.value(n, 3)
}

// enumAlong makes a value of an enum, more often one that the hints mention.
func (m *Maker) enumAlong(h *Hints, enum []any) any {
	if Chance(m.Rand, 0.6) {
		mentioned := []any{}
		for _, s := range h.strings {
			mentioned = append(mentioned, s)
		}
		m.step(len(enum))
		if both := common(enum, mentioned); len(both) > 0 {
			return jsonvalue.DeepCopy(Pick(m.Rand, both...))
		}
	}
	return jsonvalue.DeepCopy(Pick(m.Rand, enum...))
}

// changeMember removes, adds or changes a member of an object.
func (m *Maker) changeMember(h *Hints, n Node, v map[string]any) {
	additional, hasSchema := n.Additional()
	if hasSchema && Chance(m.Rand, 0.5) {
		m.changeKey(h, n, v)
		return
	}
	names := m.memberNames(h, n, v)
	if len(names) == 0 {
		return
	}
	name := Pick(m.Rand, names...)
	property, ok := n.Property(name)
	if !ok {
		property = additional
	}
	member, has := v[name]
	switch {
	case !has:
		v[name] = m.valueAlong(h, property)
	case Chance(m.Rand, 0.35):
		delete(v, name)
	case Chance(m.Rand, 0.6):
		v[name] = m.ChangeAlong(h, m.Resolved(property), member)
	default:
		v[name] = m.valueAlong(h, property)
	}
}

// memberNames lists the members that the hints mention, or else all.
func (m *Maker) memberNames(h *Hints, n Node, v map[string]any) []string {
	var mentioned []string
	for _, name := range h.members {
		_, has := v[name]
		if _, declared := n.Property(name); has || declared {
			mentioned = append(mentioned, name)
		}
	}
	if len(mentioned) > 0 && Chance(m.Rand, 0.9) {
		return mentioned
	}
	all := append(slices.Clone(n.PropertyNames()), jsonvalue.SortedKeys(v)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// changeKey adds a member that is no property, or removes a member.
func (m *Maker) changeKey(h *Hints, n Node, v map[string]any) {
	key := Pick(m.Rand, "k", "key", "a", "80", "", "*", "A b",
		strings.Repeat("k", 70), strings.Repeat("k", 260)+"/a")
	if len(h.strings) > 0 && Chance(m.Rand, 0.5) {
		key = Pick(m.Rand, h.strings...)
	} else if len(h.patterns) > 0 && Chance(m.Rand, 0.5) {
		key, _ = m.matching(Pick(m.Rand, h.patterns...), Node{})
	}
	if Chance(m.Rand, 0.4) && len(v) > 0 {
		delete(v, Pick(m.Rand, jsonvalue.SortedKeys(v)...))
		return
	}
	v[key] = m.additional(n, 4)
}

// valueAlong makes a value, about as often one that the hints mention as any.
func (m *Maker) valueAlong(h *Hints, n Node) any {
	n = m.Resolved(n)
	if enum := m.enum(n); len(enum) > 0 {
		return m.enumAlong(h, enum)
	}
	if n.typ() == "string" && Chance(m.Rand, 0.5) {
		return m.stringAlong(h, n, "a")
	}
	return m.value(n, 4)
}

// listAlong adds, removes, repeats or changes an item.
func (m *Maker) listAlong(h *Hints, n Node, v []any) any {
	items, _ := n.Items()
	if len(v) == 0 {
		return []any{m.valueAlong(h, items)}
	}
	i := m.Rand.IntN(len(v))
	switch m.Rand.IntN(6) {
	case 0:
		return append(v[:i:i], v[i+1:]...)
	case 1:
		return v[:1]
	case 2:
		another := m.ChangeAlong(h, m.Resolved(items), jsonvalue.DeepCopy(v[i]))
		return append(v[:len(v):len(v)], another)
	case 3:
		return append(v[:len(v):len(v)], m.valueAlong(h, items))
	}
	v[i] = m.ChangeAlong(h, m.Resolved(items), v[i])
	return v
}

// stringAlong makes a string: like the current one, like one that the hints
// mention, or any.
func (m *Maker) stringAlong(h *Hints, n Node, v string) any {
	switch m.Rand.IntN(7) {
	case 0, 1:
		if len(h.strings) > 0 {
			s := Pick(m.Rand, h.strings...)
			return Pick(m.Rand, s, s, s+"a", "a"+s, v+s, "/a"+s)
		}
	case 2, 3:
		if len(h.patterns) > 0 {
			if s, ok := m.matching(Pick(m.Rand, h.patterns...), n); ok {
				return s
			}
		}
	case 4:
		return Pick(m.Rand, "", v+"xxxxx", strings.ToUpper(v), strings.ToLower(v), v+"*", "5", "*")
	}
	return m.string(n)
}

// numberAlong makes a number: near the current one, near one that the hints
// mention, or any.
func (m *Maker) numberAlong(h *Hints, n Node, v int64) any {
	if len(h.numbers) > 0 && Chance(m.Rand, 0.5) {
		v = Pick(m.Rand, h.numbers...)
	}
	if Chance(m.Rand, 0.5) {
		return Pick(m.Rand, v, v+1, v-1)
	}
	return m.value(n, 3)
}
