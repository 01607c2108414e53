package merge

import (
	"math"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/schema"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// absent stands for a key that an item omits, in the path elements of the merge library, which addresses items by all of their keys. No JSON number is infinite, so that no
// object has it; it never gets into objects, and into field sets only on their way through the merge library.
var absent = math.Inf(1)

// fillKeys makes absent the default of every key without one, for a list with several keys; filled tells whether there is such a key. The list's own items are not changed.
func fillKeys(items schema.TypeRef, keys []string) (ref schema.TypeRef, filled bool) {
	m := items.Inlined.Map
	if len(keys) < 2 || m == nil {
		return items, false
	}
	fields := slices.Clone(m.Fields)
	for i, f := range fields {
		if f.Default == nil && slices.Contains(keys, f.Name) {
			fields[i].Default = absent
			filled = true
		}
	}
	if !filled {
		return items, false
	}
	items.Inlined.Map = &schema.Map{Fields: fields, ElementType: m.ElementType, ElementRelationship: m.ElementRelationship}
	return items, true
}

// isAbsent tells whether a key stands for one that is omitted.
func isAbsent(key value.Field) bool {
	return key.Value.IsFloat() && key.Value.AsFloat() == absent
}

// withoutAbsent is a set as the world sees it: path elements have the keys that the items have. The argument is not changed.
func withoutAbsent(set *fieldpath.Set) *fieldpath.Set {
	found := false
	set.Iterate(func(p fieldpath.Path) {
		found = found || slices.ContainsFunc(p, hasAbsent)
	})
	if !found {
		return set
	}
	out := fieldpath.NewSet()
	set.Iterate(func(p fieldpath.Path) { out.Insert(bare(p)) })
	return out
}

func hasAbsent(e fieldpath.PathElement) bool {
	return e.Key != nil && slices.ContainsFunc(*e.Key, isAbsent)
}

// bare copies a path without the keys that are omitted.
func bare(p fieldpath.Path) fieldpath.Path {
	out := p.Copy()
	for i, e := range out {
		if hasAbsent(e) {
			keys := slices.DeleteFunc(slices.Clone(*e.Key), isAbsent)
			out[i].Key = &keys
		}
	}
	return out
}

// withAbsent is a set as the merge library takes it for this type: path elements have all keys. The argument is not changed.
func (t *Type) withAbsent(set *fieldpath.Set) *fieldpath.Set {
	if !t.omits {
		return set
	}
	out := fieldpath.NewSet()
	set.Iterate(func(p fieldpath.Path) { out.Insert(t.full(p)) })
	return out
}

// full copies a path with the keys that it omits, as far as the type knows the path.
func (t *Type) full(p fieldpath.Path) fieldpath.Path {
	out := p.Copy()
	ref := t.parser.TypeRef
	for i, e := range out {
		atom, ok := t.parser.Schema.Resolve(ref)
		switch {
		case ok && e.FieldName != nil && atom.Map != nil:
			ref = memberType(atom.Map, *e.FieldName)
		case ok && e.FieldName == nil && atom.List != nil:
			if e.Key != nil {
				out[i].Key = t.allKeys(*e.Key, atom.List)
			}
			ref = atom.List.ElementType
		default:
			return out
		}
	}
	return out
}

// allKeys adds the keys that may be omitted.
func (t *Type) allKeys(keys value.FieldList, l *schema.List) *value.FieldList {
	all := slices.Clone(keys)
	for _, name := range l.Keys {
		has := slices.ContainsFunc(keys, func(f value.Field) bool { return f.Name == name })
		if !has && defaultOf(t.parser.Schema, l, name) == absent {
			all = append(all, value.Field{Name: name, Value: value.NewValueInterface(absent)})
		}
	}
	all.Sort()
	return &all
}

// memberType is the type of a field of an object.
func memberType(m *schema.Map, name string) schema.TypeRef {
	if f, known := m.FindField(name); known {
		return f.Type
	}
	return m.ElementType
}

// defaultOf is the default of a key of a list's items, or nil.
func defaultOf(s *schema.Schema, l *schema.List, name string) any {
	atom, ok := s.Resolve(l.ElementType)
	if !ok || atom.Map == nil {
		return nil
	}
	f, _ := atom.Map.FindField(name)
	return f.Default
}

// omitsAll tells whether there is an item that omits all keys of its list, which the merge library does not see if they have absent for a default.
func (t *Type) omitsAll(v any, ref schema.TypeRef) bool {
	if ref.NamedType != nil && *ref.NamedType != rootName {
		return false // These types have no lists with several keys.
	}
	atom, _ := t.schema.Resolve(ref)
	switch v := v.(type) {
	case map[string]any:
		if atom.Map == nil {
			return false
		}
		for name, member := range v {
			if t.omitsAll(member, memberType(atom.Map, name)) {
				return true
			}
		}
	case []any:
		return atom.List != nil && slices.ContainsFunc(v, func(item any) bool {
			return t.isWithoutKeys(item, atom.List) || t.omitsAll(item, atom.List.ElementType)
		})
	}
	return false
}

// isWithoutKeys tells whether an item has none of its list's keys, not even by default.
func (t *Type) isWithoutKeys(item any, l *schema.List) bool {
	object, ok := item.(map[string]any)
	if !ok || len(l.Keys) == 0 {
		return false
	}
	return !slices.ContainsFunc(l.Keys, func(name string) bool {
		_, has := object[name]
		return has || defaultOf(t.schema, l, name) != nil
	})
}
