package generate

import (
	"slices"
	"strings"
)

// nudged changes one thing about a value, in place where it can: something that the
// hints speak of, where they speak of what is there.
func (o *objects) nudged(n node, v any, h *hints) any {
	if enum := list(n["enum"]); len(enum) > 0 {
		return o.nudgeEnum(enum, h)
	}
	switch v := v.(type) {
	case map[string]any:
		if n["properties"] != nil || n["additionalProperties"] != nil || n["type"] == "object" {
			o.nudgeMap(n, v, h)
			return v
		}
	case []any:
		return o.nudgeList(n, v, h)
	case string:
		return o.nudgeText(n, v, h)
	case int64:
		return o.nudgeNumber(n, v, h)
	case bool:
		return !v
	}
	return o.value(n, 3)
}

func (o *objects) nudgeEnum(enum []any, h *hints) any {
	if o.r.chance(0.6) {
		spoken := []any{}
		for _, text := range h.texts {
			spoken = append(spoken, text)
		}
		if both := common(enum, spoken); len(both) > 0 {
			return Clone(both[o.r.Intn(len(both))])
		}
	}
	return Clone(enum[o.r.Intn(len(enum))])
}

// nudgeMap takes away, adds or changes a member.
func (o *objects) nudgeMap(n node, v map[string]any, h *hints) {
	properties, _ := n["properties"].(node)
	additional, _ := n["additionalProperties"].(node)
	if additional != nil && o.r.chance(0.5) {
		o.addKey(n, v, h)
		return
	}
	known := o.spoken(properties, v, h)
	if len(known) == 0 {
		return
	}
	name := known[o.r.Intn(len(known))]
	property, ok := properties[name].(node)
	if !ok {
		property = additional
	}
	member, there := v[name]
	switch {
	case !there:
		v[name] = o.hinted(property, h)
	case o.r.chance(0.35):
		delete(v, name)
	case o.r.chance(0.6):
		v[name] = o.nudged(o.merged(property), member, h)
	default:
		v[name] = o.hinted(property, h)
	}
}

// spoken lists the members that hints speak of, or that hold something that they
// speak of; where there are none, all members.
func (o *objects) spoken(properties node, v map[string]any, h *hints) []string {
	var direct []string
	for _, name := range h.members {
		if _, there := v[name]; there || properties[name] != nil {
			direct = append(direct, name)
		}
	}
	if len(direct) > 0 && o.r.chance(0.9) {
		return direct
	}
	all := append(names(properties), names(v)...)
	slices.Sort(all)
	return slices.Compact(all)
}

// addKey adds a member that is no property, or takes one away.
func (o *objects) addKey(n node, v map[string]any, h *hints) {
	key := pick(o.r, "k", "key", "a", "80", "", "*", "A b", strings.Repeat("k", 70), strings.Repeat("k", 260)+"/a")
	if len(h.texts) > 0 && o.r.chance(0.5) {
		key = h.texts[o.r.Intn(len(h.texts))]
	} else if len(h.patterns) > 0 && o.r.chance(0.5) {
		key, _ = o.matching(h.patterns[o.r.Intn(len(h.patterns))], node{})
	}
	if o.r.chance(0.4) && len(v) > 0 {
		have := names(v)
		delete(v, have[o.r.Intn(len(have))])
		return
	}
	v[key] = o.extra(n, 4)
}

// hinted makes a value: of what the hints speak, or any.
func (o *objects) hinted(n node, h *hints) any {
	n = o.merged(n)
	if enum := list(n["enum"]); len(enum) > 0 {
		return o.nudgeEnum(enum, h)
	}
	if n["type"] == "string" && o.r.chance(0.5) {
		return o.nudgeText(n, "a", h)
	}
	return o.value(n, 4)
}

// nudgeList adds, takes away, repeats or changes an item.
func (o *objects) nudgeList(n node, v []any, h *hints) any {
	items, _ := n["items"].(node)
	if len(v) == 0 {
		return []any{o.hinted(items, h)}
	}
	i := o.r.Intn(len(v))
	switch o.r.Intn(6) {
	case 0:
		return append(v[:i:i], v[i+1:]...)
	case 1:
		return v[:1]
	case 2:
		return append(v[:len(v):len(v)], o.nudged(o.merged(items), Clone(v[i]), h))
	case 3:
		return append(v[:len(v):len(v)], o.hinted(items, h))
	}
	v[i] = o.nudged(o.merged(items), v[i], h)
	return v
}

// nudgeText makes a text near to one, near to what the hints speak of, or any.
func (o *objects) nudgeText(n node, v string, h *hints) any {
	switch o.r.Intn(7) {
	case 0, 1:
		if len(h.texts) > 0 {
			text := h.texts[o.r.Intn(len(h.texts))]
			return pick(o.r, text, text, text+"a", "a"+text, v+text, "/a"+text)
		}
	case 2, 3:
		if len(h.patterns) > 0 {
			if s, ok := o.matching(h.patterns[o.r.Intn(len(h.patterns))], n); ok {
				return s
			}
		}
	case 4:
		return pick(o.r, "", v+"xxxxx", strings.ToUpper(v), strings.ToLower(v), v+"*", "5", "*")
	}
	return o.text(n)
}

// nudgeNumber makes a number near to one, near to what the hints speak of, or any.
func (o *objects) nudgeNumber(n node, v int64, h *hints) any {
	if len(h.numbers) > 0 && o.r.chance(0.5) {
		v = h.numbers[o.r.Intn(len(h.numbers))]
	}
	if o.r.chance(0.5) {
		return pick(o.r, v, v+1, v-1)
	}
	return o.value(n, 3)
}
