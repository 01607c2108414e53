package merge

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/schema"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Extract returns the part of an object that a field set names: its fields and
// items, with the keys of the items. For a live object and the field set of a
// manager, that is what the manager has applied. Paths that the object does not
// have are ignored. The object is not changed, and the result shares nothing
// with it. The error is a [*TypeError].
func (t *Type) Extract(object map[string]any, fields FieldSet) (map[string]any, error) {
	if err := t.check(object); err != nil {
		return nil, err
	}
	c := &checker{schema: t.schema, allowDuplicates: true}
	out, _ := c.extract(object, t.parser.TypeRef, fields.orEmpty().Leaves()).(map[string]any)
	if out == nil {
		out = map[string]any{}
	}
	return out, nil
}

// extract returns the part of a value that a set names, nil if that is nothing.
// Scalars, null, empty objects and lists, and atomic values are kept whole. The
// value fits its type.
func (c *checker) extract(v any, ref schema.TypeRef, set *fieldpath.Set) any {
	atom, _ := c.schema.Resolve(ref)
	switch v := v.(type) {
	case map[string]any:
		if atom.Map.ElementRelationship != schema.Atomic && len(v) > 0 {
			if out := c.extractObject(v, atom.Map, set); len(out) > 0 {
				return out
			}
			return nil
		}
	case []any:
		if atom.List.ElementRelationship == schema.Associative && len(v) > 0 {
			if out := c.extractList(v, atom.List, set); len(out) > 0 {
				return out
			}
			return nil
		}
	}
	return jsonvalue.DeepCopy(v)
}

// extractObject extracts the fields of an object. Below a field that is itself
// a member of the set, the set stays the same, as in the server's client
// library.
func (c *checker) extractObject(
	object map[string]any, m *schema.Map, set *fieldpath.Set,
) map[string]any {
	out := map[string]any{}
	for name, value := range object {
		element := fieldpath.PathElement{FieldName: &name}
		below := set.WithPrefix(element)
		switch {
		case set.Members.Has(element):
			below = set
		case below.Empty():
			continue
		}
		out[name] = c.extract(value, memberType(m, name), below)
	}
	return out
}

func (c *checker) extractList(list []any, l *schema.List, set *fieldpath.Set) []any {
	out := []any{}
	for _, item := range list {
		element, _ := c.element(item, l) // the item fits
		below := set.WithPrefix(element)
		if !set.Members.Has(element) && below.Empty() {
			continue
		}
		kept := c.extract(item, l.ElementType, below)
		if object, ok := kept.(map[string]any); ok {
			addKeys(object, item.(map[string]any), l.Keys)
		}
		out = append(out, kept)
	}
	return out
}

// addKeys copies the list-map keys that an item has.
func addKeys(kept, item map[string]any, keys []string) {
	for name, value := range item {
		if slices.Contains(keys, name) {
			kept[name] = jsonvalue.DeepCopy(value)
		}
	}
}
