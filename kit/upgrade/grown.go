package upgrade

import (
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// grown returns an admitted object that has the node of the change, and next to
// it only what is required: fields that exclude each other are not made
// together. It is nil if none is found.
func (b *builder) grown() map[string]any {
	const mostTries = 4
	if len(b.bases) == 0 {
		return nil
	}
	for range mostTries {
		object, _ := b.smallest(b.w.admits.Schema(), b.w.change.target.node).(map[string]any)
		if object == nil {
			return nil
		}
		for _, name := range rootFields {
			object[name] = jsonvalue.DeepCopy(b.bases[0][name])
		}
		if b.w.ask(b.w.admits, candidate{object: object}).Admitted() {
			return object
		}
	}
	return nil
}

// lengthened returns the list of an object at a node with as many items as the
// bounds of the new definition, and one more: its first item again and again,
// or items that differ.
func (b *builder) lengthened(object map[string]any, node []string) (lists []any) {
	const mostItems = 32
	s, admits := schemaAt(b.w.refuses.Schema(), node), schemaAt(b.w.admits.Schema(), node)
	if s == nil || s.Type() != "array" || s.Items() == nil || admits == nil ||
		admits.Items() == nil {
		return nil
	}
	v := s.Values()
	junctors := slices.Concat([]*structural.Schema{s}, v.AllOf, v.AnyOf, v.OneOf, one(v.Not))
	for _, value := range valuesAt(object, node) {
		list, _ := value.([]any)
		for _, of := range junctors {
			for _, bound := range []*int64{of.Values().MaxItems, of.Values().MinItems} {
				if size := valueOr(bound, mostItems); len(list) > 0 && size < mostItems {
					longer := b.repeated(admits, list, int(size)+1)
					lists = append(lists, longer, longer[:min(int(size), len(longer))])
				}
			}
		}
	}
	return lists
}

// repeated returns a list with as many items as a size, or fewer if they have
// to differ and no others are found.
func (b *builder) repeated(s *structural.Schema, list []any, size int) []any {
	if listType(s) == structural.ListAtomic {
		longer := make([]any, size)
		for i := range longer {
			longer[i] = jsonvalue.DeepCopy(list[0])
		}
		return longer
	}
	longer := list[:min(len(list), size):min(len(list), size)]
	for range 8 * size {
		item := generate.Object(b.random, s.Items())
		first, isObject := list[0].(map[string]any)
		if isObject && listType(s) == structural.ListMap {
			other, _ := item.(map[string]any)
			copied := jsonvalue.DeepCopyMap(first)
			for _, key := range s.ListMapKeys() {
				copied[key] = other[key]
			}
			item = copied
		}
		isOther := !slices.ContainsFunc(longer, func(known any) bool {
			return canonical(keysOf(s, known)) == canonical(keysOf(s, item))
		})
		if len(longer) < size && isOther {
			longer = append(longer, item)
		}
	}
	return longer
}

// keysOf returns the part of an item in which the items of a list differ.
func keysOf(s *structural.Schema, item any) any {
	object, isObject := item.(map[string]any)
	if !isObject || listType(s) != structural.ListMap {
		return item
	}
	var keys []any
	for _, key := range s.ListMapKeys() {
		keys = append(keys, object[key])
	}
	return keys
}

// smallest returns a value of a schema that has a node below it, and what is
// required. It is nil if the node is not declared.
func (b *builder) smallest(s *structural.Schema, node []string) any {
	const mostItems = 16
	if len(node) == 0 {
		return generate.Object(b.random, s)
	}
	child := schemaAt(s, node[:1])
	if child == nil {
		return nil
	}
	value := b.smallest(child, node[1:])
	name, isMember := strings.CutPrefix(node[0], memberStep)
	switch {
	case value == nil:
		return nil
	case isMember:
		object := b.requiredOf(s)
		object[name] = value
		return object
	case s.Items() == nil:
		return map[string]any{"k": value}
	}
	list := []any{value}
	for int64(len(list)) < min(valueOr(s.Values().MinItems, 0), mostItems) {
		item := jsonvalue.DeepCopy(value)
		if listType(s) != structural.ListAtomic {
			item = generate.Object(b.random, child)
		}
		list = append(list, item)
	}
	return list
}

// requiredOf returns an object with the fields that a schema requires.
func (b *builder) requiredOf(s *structural.Schema) map[string]any {
	object := map[string]any{}
	if made, isObject := generate.Object(b.random, s).(map[string]any); isObject &&
		s.EmbeddedResource() {
		for _, name := range rootFields {
			if value, has := made[name]; has {
				object[name] = value
			}
		}
	}
	for _, name := range s.Values().Required {
		if property := s.Property(name); property != nil {
			object[name] = generate.Object(b.random, property)
		} else {
			object[name] = "x" // kept without a schema, if at all
		}
	}
	return object
}
