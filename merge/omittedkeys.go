package merge

import (
	"math"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/schema"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// absent stands for a list-map key that an item omits.
//
// Since 1.34 the server addresses such an item by the keys that it has, or that
// have defaults; before, it is an error. The merge library in use here requires
// all keys, as the older servers do. Therefore every
// key without a default gets the default absent in the schema that the library
// works with (fillKeys), field sets gain it on their way into the library
// (withAbsent), and lose it on their way out (withoutAbsent). No JSON number is
// infinite, so no object has this value.
var absent = math.Inf(1)

// fillKeys returns the type of a list's items with absent as the default of
// every key that has no default; filled reports whether there is such a key. A
// list with one key is left as it is. The argument is not changed.
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
	items.Inlined.Map = &schema.Map{
		Fields:              fields,
		ElementType:         m.ElementType,
		ElementRelationship: m.ElementRelationship,
	}
	return items, filled
}

// isAbsent reports whether a key stands for an omitted one.
func isAbsent(key value.Field) bool {
	return key.Value.IsFloat() && key.Value.AsFloat() == absent
}

// withoutAbsent returns a set in the server's form: path elements have the keys
// that the items have. The argument is not changed.
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

// bare copies a path without omitted keys.
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

// withAbsent returns a set in the merge library's form: path elements have all
// keys. The argument is not changed.
func (t *Type) withAbsent(set *fieldpath.Set) *fieldpath.Set {
	if !t.omits {
		return set
	}
	out := fieldpath.NewSet()
	set.Iterate(func(p fieldpath.Path) { out.Insert(t.full(p)) })
	return out
}

// full copies a path and adds its omitted keys, as far as the type has the
// path.
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

// allKeys adds the keys that are omitted.
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

// memberType returns the type of a field of an object.
func memberType(m *schema.Map, name string) schema.TypeRef {
	if f, known := m.FindField(name); known {
		return f.Type
	}
	return m.ElementType
}

// defaultOf returns the default of a key of a list's items, or nil.
func defaultOf(s *schema.Schema, l *schema.List, name string) any {
	atom, ok := s.Resolve(l.ElementType)
	if !ok || atom.Map == nil {
		return nil
	}
	f, _ := atom.Map.FindField(name)
	return f.Default
}

// omitsAll reports whether a value has an item that omits all keys of its list.
// That is an error, and the merge library does not see it if absent is the
// default of the keys.
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

// isWithoutKeys reports whether an item has no key of its list, not even by
// default.
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
