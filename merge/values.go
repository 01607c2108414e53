package merge

import (
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// valuesAt returns the values of an object at the paths of some sets, nil if
// there are none.
func valuesAt(object map[string]any, sets ...*fieldpath.Set) map[string]any {
	var values map[string]any
	for _, set := range sets {
		set.Iterate(func(path fieldpath.Path) {
			found, ok := valueAt(object, path)
			if !ok {
				return
			}
			if values == nil {
				values = map[string]any{}
			}
			values[bare(path).String()] = found
		})
	}
	return values
}

func valueAt(at any, path fieldpath.Path) (any, bool) {
	for _, element := range path {
		var ok bool
		if at, ok = step(at, element); !ok {
			return nil, false
		}
	}
	return at, true
}

// step returns the member or item that a path element names. It finds none by
// an index, which no comparison has.
func step(at any, element fieldpath.PathElement) (any, bool) {
	switch {
	case element.FieldName != nil:
		object, _ := at.(map[string]any)
		member, ok := object[*element.FieldName]
		return member, ok
	case element.Value != nil:
		return (*element.Value).Unstructured(), true
	}
	list, _ := at.([]any)
	if element.Key == nil {
		return nil, false
	}
	for _, match := range [...]keyMatch{exactly, withDefaults} {
		for _, item := range list {
			if object, ok := item.(map[string]any); ok && match.hasKeys(object, element.Key) {
				return item, true
			}
		}
	}
	return nil, false
}

// keyMatch says how an item has the keys of a path element.
type keyMatch uint8

const (
	exactly      keyMatch = iota // the item has every key
	withDefaults                 // the item may lack keys, which then have their defaults
)

// hasKeys reports whether an item of a list has the values of list-map keys.
func (m keyMatch) hasKeys(item map[string]any, keys *value.FieldList) bool {
	for _, key := range *keys {
		own, has := item[key.Name]
		switch {
		case isAbsent(key):
			if has {
				return false
			}
		case !has:
			if m == exactly {
				return false
			}
		case !value.Equals(value.NewValueInterface(own), key.Value):
			return false
		}
	}
	return true
}
