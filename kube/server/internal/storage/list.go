package storage

import (
	"slices"
	"strings"
)

// keys are the keys of a collection. They are sorted when a list needs them.
type keys struct {
	sorted  []string
	added   []string // since then
	removed bool     // whether an object was removed since then
}

// settle sorts the keys of the objects that there are.
func (k *keys) settle(objects map[string]*Object) {
	slices.Sort(k.added)
	all := make([]string, 0, len(objects))
	for old, added := k.sorted, k.added; len(old)+len(added) > 0; {
		from := &old
		if len(old) == 0 || len(added) > 0 && added[0] < old[0] {
			from = &added
		}
		key := (*from)[0]
		*from = (*from)[1:]
		// An object that was removed and made once more has its key twice.
		if objects[key] != nil && (len(all) == 0 || all[len(all)-1] != key) {
			all = append(all, key)
		}
	}
	*k = keys{sorted: all}
}

// lockSorted locks a collection for a read of its sorted keys.
func (c *Collection) lockSorted() (unlock func()) {
	c.mu.RLock()
	if len(c.keys.added) == 0 && !c.keys.removed {
		return c.mu.RUnlock
	}
	c.mu.RUnlock()
	c.mu.Lock()
	c.keys.settle(c.objects)
	return c.mu.Unlock
}

// below returns the objects whose keys begin with a prefix. The caller holds
// the lock.
func (c *Collection) below(prefix string) []*Object {
	first, _ := slices.BinarySearch(c.keys.sorted, prefix)
	var all []*Object
	for _, key := range c.keys.sorted[first:] {
		if !strings.HasPrefix(key, prefix) {
			break
		}
		all = append(all, c.objects[key])
	}
	return all
}

// listing is a list of a collection.
type listing struct {
	prefix  string
	changes uint64 // of the collection
	objects []*Object
}

// List returns the objects whose keys begin with a prefix, in the order of the
// keys, and the revision at which they were. Others may have the same list,
// which must not be changed: many watches that begin together do.
func (c *Collection) List(prefix string) ([]*Object, uint64) {
	defer c.lockSorted()()
	last := c.listed.Load()
	if last == nil || last.prefix != prefix || last.changes != c.changes {
		last = &listing{prefix, c.changes, slices.Clip(c.below(prefix))}
		c.listed.Store(last)
	}
	return last.objects, c.store.Revision()
}

// At is like List at a past revision. ok is false if it is no longer known.
func (c *Collection) At(prefix string, revision uint64) (objects []*Object, ok bool) {
	defer c.lockSorted()()
	if revision < c.forgot {
		return nil, false
	}
	then := map[string]*Object{}
	for _, e := range slices.Backward(c.events) {
		if e.Revision <= revision {
			break
		}
		if strings.HasPrefix(e.Key(), prefix) {
			then[e.Key()] = e.Before
		}
	}
	for _, object := range c.below(prefix) {
		before, changed := then[object.Key]
		if delete(then, object.Key); !changed {
			before = object
		}
		if before != nil {
			objects = append(objects, before)
		}
	}
	for _, before := range then { // of objects that are gone
		if before != nil {
			objects = append(objects, before)
		}
	}
	slices.SortFunc(objects, func(a, b *Object) int { return strings.Compare(a.Key, b.Key) })
	return objects, true
}
