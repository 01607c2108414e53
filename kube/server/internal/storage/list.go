package storage

import (
	"iter"
	"slices"
	"strings"
)

// maxPart is how many objects a part of a list has at most. A write copies one
// part, so that lists that were read before stay as they are.
const maxPart = 256

// List is objects in the order of their keys, in parts that are not empty. It
// is not changed by writes.
type List [][]*Object

// Len returns how many objects there are.
func (l List) Len() (n int) {
	for _, part := range l {
		n += len(part)
	}
	return n
}

// All returns the objects.
func (l List) All() iter.Seq[*Object] {
	return func(yield func(*Object) bool) {
		for _, part := range l {
			for _, object := range part {
				if !yield(object) {
					return
				}
			}
		}
	}
}

// After returns the objects whose keys come after a key.
func (l List) After(key string) List { return l.between(key+"\x00", "") }

// find returns the part and the place in it at which an object with a key is,
// or would be.
func (l List) find(key string) (part, at int, found bool) {
	part, found = slices.BinarySearchFunc(l, key, func(objects []*Object, key string) int {
		return strings.Compare(objects[0].Key, key)
	})
	if found || len(l) == 0 {
		return part, 0, found
	}
	part = max(0, part-1)
	at, found = slices.BinarySearchFunc(l[part], key, func(object *Object, key string) int {
		return strings.Compare(object.Key, key)
	})
	return part, at, found
}

// get returns the object of a key, nil if there is none.
func (l List) get(key string) *Object {
	if part, at, found := l.find(key); found {
		return l[part][at]
	}
	return nil
}

// between returns a copy of the list with the objects whose keys are not before
// one key, and before another one that follows it; an empty one is no end.
func (l List) between(from, end string) List {
	if len(l) == 0 {
		return nil
	}
	first, at, _ := l.find(from)
	last := len(l) - 1
	before := len(l[last])
	if end != "" {
		last, before, _ = l.find(end)
	}
	out := slices.Clone(l[first : last+1])
	out[len(out)-1] = l[last][:before:before]
	out[0] = out[0][at:]
	return slices.DeleteFunc(out, func(part []*Object) bool { return len(part) == 0 })
}

// below returns the objects whose keys begin with a prefix.
func (l List) below(prefix string) List {
	if prefix == "" {
		return slices.Clone(l)
	}
	last := len(prefix) - 1
	return l.between(prefix, prefix[:last]+string(prefix[last]+1))
}

// put adds an object, or replaces the one with its key.
func (l *List) put(object *Object) {
	part, at, found := l.find(object.Key)
	if part == len(*l) {
		*l = List{{object}}
		return
	}
	old := (*l)[part]
	next := append(make([]*Object, 0, len(old)+1), old[:at]...)
	next = append(next, object)
	if found {
		at++
	}
	next = append(next, old[at:]...)
	if len(next) <= maxPart {
		(*l)[part] = next
		return
	}
	half := len(next) / 2
	if at == len(old) { // keys often come in their order
		half = maxPart
	}
	*l = slices.Replace(*l, part, part+1, next[:half:half], next[half:])
}

// remove removes the object of a key, if there is one.
func (l *List) remove(key string) {
	part, at, found := l.find(key)
	if !found {
		return
	}
	if next := slices.Concat((*l)[part][:at], (*l)[part][at+1:]); len(next) > 0 {
		(*l)[part] = next
		return
	}
	*l = slices.Delete(*l, part, part+1)
}

// List returns the objects whose keys begin with a prefix, and the revision at
// which they were.
func (c *Collection) List(prefix string) (List, uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.objects.below(prefix), c.store.Revision()
}

// At is like List at a past revision. ok is false if it is no longer known.
func (c *Collection) At(prefix string, revision uint64) (objects List, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if revision < c.forgot {
		return nil, false
	}
	then := slices.Clone(c.objects)
	for _, e := range slices.Backward(c.events) {
		switch {
		case e.Revision <= revision:
			return then.below(prefix), true
		case e.Before == nil:
			then.remove(e.Key())
		default:
			then.put(e.Before)
		}
	}
	return then.below(prefix), true
}
