package jsonpatch

import (
	"bytes"
	"maps"
	"slices"
)

// equal reports whether two values are equal, scalars by their spelling. It
// opens both values as far as it compares them. With an error they are not.
func equal(a, b *node) (bool, error) {
	switch {
	case a == nil || b == nil:
		return false, ErrCrash // a null in a list
	case !a.open():
		return bytes.Equal(a.text, b.text), nil
	case !b.open():
		return false, nil
	case a.kind == list:
		return equalItems(a, b)
	case b.kind == list || len(a.fields) != len(b.fields):
		return false, nil
	}
	return equalFields(a.fields, b.fields)
}

func equalItems(a, b *node) (bool, error) {
	if b.kind != list || len(a.items) != len(b.items) {
		return false, nil
	}
	for i, item := range a.items {
		if same, err := equal(item, b.items[i]); !same {
			return false, err
		}
	}
	return true, nil
}

func equalFields(a, b map[string]*node) (bool, error) {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		other, ok := b[key]
		switch {
		case !ok || (a[key] == nil) != (other == nil):
			return false, nil
		case other == nil:
			continue
		}
		if same, err := equal(a[key], other); !same {
			return false, err
		}
	}
	return true, nil
}
