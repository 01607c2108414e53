package storage

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// maxEvents is how many writes a collection keeps for watches.
const maxEvents = 1000

// Store holds collections. It is safe for concurrent use.
type Store struct {
	// Limits bound what is kept. They must not be changed after the first
	// write.
	Limits Limits

	revision atomic.Uint64
	bytes    atomic.Int64  // of all objects
	history  atomic.Int64  // of the events of all collections
	written  chan struct{} // has a value after a write
	recent   recent

	mu          sync.Mutex // taken before that of a collection
	collections map[*Collection]bool
}

// New returns an empty store. Its first write has revision 2.
func New() *Store {
	s := &Store{
		Limits:      DefaultLimits,
		written:     make(chan struct{}, 1),
		collections: map[*Collection]bool{},
	}
	s.revision.Store(1)
	return s
}

// Revision returns the revision of the last write.
func (s *Store) Revision() uint64 { return s.revision.Load() }

// Written returns a channel that has a value if something was written since
// the last one was received. It is for one receiver.
func (s *Store) Written() <-chan struct{} { return s.written }

// Restore sets the revision of a store to that of another, if it is higher.
func (s *Store) Restore(revision uint64) {
	for now := s.Revision(); now < revision; now = s.Revision() {
		s.revision.CompareAndSwap(now, revision)
	}
}

// Event is one write: a creation if Before is nil, a deletion if After is nil.
type Event struct {
	Revision      uint64
	Before, After *Object
}

// Key returns the key of the object that was written.
func (e Event) Key() string {
	if e.After != nil {
		return e.After.Key
	}
	return e.Before.Key
}

// Collection holds the objects of one resource by their keys. It is safe for
// concurrent use.
type Collection struct {
	store *Store

	// decoded says that the content of all objects is kept, and not their JSON.
	decoded bool

	mu      sync.RWMutex // guards what follows
	objects List
	events  []Event       // the last writes, in order
	past    int64         // the bytes of the events
	forgot  uint64        // the revision of the last event that is no longer kept
	written chan struct{} // closed by the next write
	ended   bool
}

// Collection returns a new and empty collection, which keeps the JSON of its
// objects.
func (s *Store) Collection() *Collection {
	c := &Collection{store: s, written: make(chan struct{})}
	s.register(c)
	return c
}

// Decoded returns a new and empty collection, which keeps the content of its
// objects: what an object shares with the one that it was made from stays
// shared.
func (s *Store) Decoded() *Collection {
	c := s.Collection()
	c.decoded = true
	return c
}

// Get returns the object of a key, nil if nothing is there.
func (c *Collection) Get(key string) *Object {
	c.mu.RLock()
	object := c.objects.get(key)
	c.mu.RUnlock()
	if object != nil && object.content.Load() == nil {
		c.store.recent.add(object, object.Content())
	}
	return object
}

// Len returns how many objects there are.
func (c *Collection) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.objects.Len()
}

// Swap stores next in place of old under a key, with the next revision. A nil
// old creates the object, a nil next removes it. It stores nothing and reports
// false if the object is no longer old, or if the collection has ended.
func (c *Collection) Swap(key string, old, next *Object) (*Object, bool) {
	defer c.store.bound() // after the lock
	var after *Object
	if next != nil {
		after = next.stored(key, c.decoded)
	}
	c.mu.Lock()
	done := c.swap(key, old, after)
	c.mu.Unlock()
	if !done {
		return nil, false
	}
	if after != nil {
		c.store.recent.add(after, next.Content())
	}
	return after, true
}

// swap is Swap for a caller that holds the lock.
func (c *Collection) swap(key string, old, after *Object) bool {
	if c.objects.get(key) != old || c.ended {
		return false
	}
	if old == nil && after == nil {
		return true
	}
	e := Event{Revision: c.store.revision.Add(1), Before: old, After: after}
	if old != nil {
		c.store.bytes.Add(-old.Size)
	}
	if after == nil {
		c.objects.remove(key)
	} else {
		after.Revision = e.Revision
		c.store.bytes.Add(after.Size)
		c.objects.put(after)
	}
	c.record(e)
	return true
}

// Remove removes the object of a key, if there is one. It does nothing if the
// collection has ended.
func (c *Collection) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.swap(key, c.objects.get(key), nil)
}

// record keeps a write and wakes the watches. The caller holds the lock.
func (c *Collection) record(e Event) {
	if len(c.events) >= 2*maxEvents {
		c.drop(maxEvents)
	}
	c.events = append(c.events, e)
	c.past += e.bytes()
	c.store.history.Add(e.bytes())
	close(c.written)
	c.written = make(chan struct{})
	select {
	case c.store.written <- struct{}{}:
	default: // it has a value
	}
}

// Restore stores an object with the revision that it has, in place of one with
// its key. Watches do not see it, and cannot begin before it.
func (c *Collection) Restore(object *Object) {
	if c.decoded {
		object.content.Store(&fields{object.Content()})
		object.text = nil
	}
	c.store.Restore(object.Revision)
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.objects.get(object.Key); old != nil {
		c.store.bytes.Add(-old.Size)
	}
	c.store.bytes.Add(object.Size)
	c.objects.put(object)
	c.forgot = max(c.forgot, object.Revision)
}

// Revision returns the revision of the last write to the collection.
func (c *Collection) Revision() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if len(c.events) == 0 {
		return c.forgot
	}
	return c.events[len(c.events)-1].Revision
}

// Ended reports whether nothing can be written any more.
func (c *Collection) Ended() bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ended
}

// End removes all objects and ends the watches of a collection. Nothing can be
// written any more.
func (c *Collection) End() {
	defer c.store.release(c) // after the lock
	c.mu.Lock()
	defer c.mu.Unlock()
	for object := range c.objects.below("").All() {
		c.swap(object.Key, object, nil)
	}
	c.ended = true
	close(c.written)
	c.written = make(chan struct{})
}

// News is what was written after a revision.
type News struct {
	Events []Event
	// Revision is that of the last write of the store.
	Revision uint64
	// Next is closed by the next write.
	Next <-chan struct{}
	// Complete reports that all events are still there.
	Complete bool
	// Ended reports that there will be no more.
	Ended bool
}

// Since returns the writes after a revision.
func (c *Collection) Since(revision uint64) News {
	c.mu.RLock()
	defer c.mu.RUnlock()
	i, _ := slices.BinarySearchFunc(c.events, revision+1, func(e Event, r uint64) int {
		return cmp.Compare(e.Revision, r)
	})
	return News{
		Events: c.events[i:len(c.events):len(c.events)], Revision: c.store.Revision(),
		Next: c.written, Complete: revision >= c.forgot, Ended: c.ended,
	}
}
