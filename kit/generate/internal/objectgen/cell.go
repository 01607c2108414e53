package objectgen

import (
	"maps"
	"slices"
	"strconv"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// cell is a value of an object that can be read and set, e.g. that of
// self.ports[0].name. Its value may be absent.
type cell struct {
	path   string
	node   Node
	get    func() (v any, ok bool)
	set    func(v any)
	remove func() bool // reports whether the value may be absent

	isKey bool // the key of a map, not a value
	wish  wish
}

// value returns the value, or the default that stands for an absent one.
func (c *cell) value() (any, bool) {
	if v, ok := c.get(); ok {
		return v, true
	}
	def := c.node.Default()
	return def, def != nil
}

// typed returns a value of the cell as rules read it: a string of the format
// date-time or duration is a timestamp or a duration.
func (c *cell) typed(v any) any {
	function := map[string]string{"date-time": "timestamp", "duration": "duration"}[c.node.format()]
	if text, ok := v.(string); ok && function != "" {
		return special{function, text}
	}
	return v
}

// cellAt returns the cell with a path; a new one has the given functions.
func (s *solver) cellAt(c cell) *cell {
	if known, ok := s.cells[c.path]; ok {
		return known
	}
	c.node = s.m.Resolved(c.node)
	s.cells[c.path] = &c
	return &c
}

// member returns the cell of a member of an object.
func (s *solver) member(of *cell, name string) *cell {
	node, declared := of.node.Property(name)
	if !declared {
		node, _ = of.node.Additional()
	}
	if of.path == "self.metadata" && name == "name" {
		node = NodeOf(objectName())
	}
	isRequired := slices.Contains(of.node.required(), name)
	return s.cellAt(cell{
		path: of.path + "." + name, node: node,
		get: func() (any, bool) {
			v, _ := of.value()
			object, _ := v.(map[string]any)
			member, ok := object[name]
			return member, ok
		},
		set: func(v any) { s.object(of)[name] = v },
		remove: func() bool {
			v, _ := of.get()
			object, _ := v.(map[string]any)
			if !isRequired {
				delete(object, name)
			}
			return !isRequired
		},
	})
}

// object returns the object of a cell, which is made if it is absent.
func (s *solver) object(of *cell) map[string]any {
	v, _ := of.get()
	object, ok := v.(map[string]any)
	if !ok {
		if object, ok = s.fresh(of).(map[string]any); !ok {
			object = map[string]any{}
		}
		of.set(object)
	}
	return object
}

// fresh makes a value for a cell: a small one, so that less of it breaks rules.
func (s *solver) fresh(c *cell) any {
	if def := c.node.Default(); def != nil {
		return jsonvalue.DeepCopy(def)
	}
	return s.m.value(c.node, MaxDepth/2)
}

// item returns the cell of an item of a list.
func (s *solver) item(of *cell, at int) *cell {
	node, _ := of.node.Items()
	list := func() []any {
		v, _ := of.value()
		list, _ := v.([]any)
		return list
	}
	return s.cellAt(cell{
		path: of.path + "[" + strconv.Itoa(at) + "]", node: node,
		get: func() (any, bool) {
			if have := list(); at < len(have) {
				return have[at], true
			}
			return nil, false
		},
		set: func(v any) {
			have := slices.Clone(list())
			for len(have) <= at && at < maxItemsMade {
				have = append(have, s.m.value(node, MaxDepth/2))
			}
			if at < len(have) {
				have[at] = v
				of.set(have)
			}
		},
		remove: func() bool {
			if have := list(); at < len(have) {
				of.set(slices.Delete(slices.Clone(have), at, at+1))
				return true
			}
			return false
		},
	})
}

// maxItemsMade is how many items or members are made for a rule.
const maxItemsMade = 256

// key returns the cell of a key of a map. To set it renames the member.
func (s *solver) key(of *cell, name string) *cell {
	return s.cellAt(cell{
		path: of.path + "{" + name + "}", isKey: true,
		get: func() (any, bool) { return name, true },
		set: func(v any) {
			object := s.object(of)
			if to, ok := v.(string); ok && to != name {
				object[to] = object[name]
				delete(object, name)
			}
		},
		remove: func() bool { return false },
	})
}

// resize makes a list or map longer or shorter. It reports whether it could.
func (s *solver) resize(c *cell, size int) bool {
	if size < 0 || size > maxItemsMade {
		return false
	}
	v, ok := c.value()
	if !ok {
		v = s.m.value(c.node, MaxDepth/2)
	}
	switch v := v.(type) {
	case []any:
		items, _ := c.node.Items()
		v = slices.Clone(v[:min(len(v), size)])
		others := distinct(c.node, items, v...)
		for range 8 * (size - len(v)) {
			if len(v) == size || s.m.isSpent() {
				break
			}
			if item := s.m.value(items, MaxDepth/2); others.add(item) {
				v = append(v, item)
			}
		}
		c.set(v)
		return len(v) == size
	case map[string]any:
		return s.resizeMap(c, maps.Clone(v), size)
	}
	return false
}

func (s *solver) resizeMap(c *cell, v map[string]any, size int) bool {
	required := c.node.required()
	for _, name := range jsonvalue.SortedKeys(v) {
		if len(v) > size && !slices.Contains(required, name) {
			delete(v, name)
		}
	}
	for _, name := range c.node.PropertyNames() {
		if _, has := v[name]; !has && len(v) < size && !s.m.isSpent() {
			property, _ := c.node.Property(name)
			v[name] = s.m.value(property, MaxDepth/2)
		}
	}
	for i := 0; len(v) < size && c.node.allowsAdditional() && i < maxItemsMade &&
		!s.m.isSpent(); i++ {
		v["k"+strconv.Itoa(i)] = s.m.additional(c.node, MaxDepth/2)
	}
	c.set(v)
	return len(v) == size
}
