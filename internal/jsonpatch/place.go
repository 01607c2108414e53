package jsonpatch

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
)

// get returns the value there. A member that an object does not have is null, an item that a list does not have an error.
func (p place) get() (*node, error) {
	if p.in.kind != list {
		return p.in.fields[p.key], nil
	}
	i, err := p.index(len(p.in.items))
	if err != nil {
		return nil, err
	}
	return p.in.items[i], nil
}

// set puts a value in the place of another; an object need not have it.
func (p place) set(value *node) error {
	if p.in.kind != list {
		return p.add(value)
	}
	i, err := p.index(len(p.in.items))
	if err != nil {
		return err
	}
	p.in.items[i] = value
	return nil
}

// add puts a value: in an object in the place of another, in a list before what is there.
func (p place) add(value *node) error {
	switch {
	case p.in.kind != list && p.in.fields == nil:
		return ErrCrash
	case p.in.kind != list:
		p.in.fields[p.key] = value
		return nil
	case p.key == "-":
		p.in.items = append(p.in.items, value)
		return nil
	}
	i, err := p.index(len(p.in.items) + 1)
	if err != nil {
		return err
	}
	p.in.items = slices.Insert(p.in.items, i, value)
	return nil
}

func (p place) remove() error {
	if p.in.kind != list {
		if _, ok := p.in.fields[p.key]; !ok {
			return errMissing
		}
		delete(p.in.fields, p.key)
		return nil
	}
	i, err := p.index(len(p.in.items))
	if err != nil {
		return err
	}
	p.in.items = slices.Delete(p.in.items, i, i+1)
	return nil
}

// index reads the key as one of so many positions; a negative one counts from the end.
func (p place) index(positions int) (int, error) {
	i, err := strconv.Atoi(p.key)
	if err != nil {
		return 0, errIndex
	}
	if i < 0 {
		i += positions
	}
	if i < 0 || i >= positions {
		return 0, errIndex
	}
	return i, nil
}

// equal tells whether two values are the same, scalars by their spelling. It opens both as far as it looks.
func equal(a, b *node) (bool, error) {
	switch {
	case a == nil || b == nil:
		return false, ErrCrash // a null in a list
	case !a.open():
		return !b.opened && bytes.Equal(a.text, b.text), nil
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
		if same, err := equal(item, b.items[i]); err != nil || !same {
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
		if same, err := equal(a[key], other); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
