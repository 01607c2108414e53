package jsonpatch

import (
	"slices"
	"strconv"
	"strings"
)

// location is where a path leads: a key of an opened object or list. For
// /spec/ports/0 it is the key 0 of the list ports.
type location struct {
	in  *node
	key string
}

var unescaper = strings.NewReplacer("~1", "/", "~0", "~")

// locate follows the path in a member of an operation: path or from. Whatever
// is before the first slash of the path is ignored.
func (d *document) locate(op Operation, member string) (location, error) {
	path, err := op.text(member)
	if err != nil {
		return location{}, err
	}
	_, path, found := strings.Cut(path, "/")
	if !found {
		return location{}, errMissing
	}
	p := location{in: d.root}
	for {
		token, rest, more := strings.Cut(path, "/")
		p.key, path = unescaper.Replace(token), rest
		if !more {
			return p, nil
		}
		next, err := p.get()
		if err != nil || next == nil || next.text == nil || !next.open() {
			return location{}, errMissing
		}
		p.in = next
	}
}

// get returns the value at the location. A member that an object does not have
// is null; an item that a list does not have is an error.
func (l location) get() (*node, error) {
	if l.in.kind != list {
		return l.in.fields[l.key], nil
	}
	i, err := l.index(len(l.in.items))
	if err != nil {
		return nil, err
	}
	return l.in.items[i], nil
}

// set replaces the value at the location. An object need not have the member.
func (l location) set(value *node) error {
	if l.in.kind != list {
		return l.add(value)
	}
	i, err := l.index(len(l.in.items))
	if err != nil {
		return err
	}
	l.in.items[i] = value
	return nil
}

// add adds a value. In an object it replaces the value at the location, in a
// list it goes before it.
func (l location) add(value *node) error {
	switch {
	case l.in.kind != list && l.in.fields == nil:
		return ErrCrash
	case l.in.kind != list:
		l.in.fields[l.key] = value
		return nil
	case l.key == "-":
		l.in.items = append(l.in.items, value)
		return nil
	}
	i, err := l.index(len(l.in.items) + 1)
	if err != nil {
		return err
	}
	l.in.items = slices.Insert(l.in.items, i, value)
	return nil
}

func (l location) remove() error {
	if l.in.kind != list {
		if _, ok := l.in.fields[l.key]; !ok {
			return errMissing
		}
		delete(l.in.fields, l.key)
		return nil
	}
	i, err := l.index(len(l.in.items))
	if err != nil {
		return err
	}
	l.in.items = slices.Delete(l.in.items, i, i+1)
	return nil
}

// index returns the key as one of so many positions. A negative key counts from
// the end.
func (l location) index(positions int) (int, error) {
	i, err := strconv.Atoi(l.key)
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
