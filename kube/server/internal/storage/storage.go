package storage

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/utils/lru"
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
	managers *lru.Cache    // of map[string]any, by their JSON

	mu          sync.Mutex // taken before that of a collection
	collections map[*Collection]bool
}

// New returns an empty store. Its first write has revision 2.
func New() *Store {
	s := &Store{
		Limits:  DefaultLimits,
		written: make(chan struct{}, 1), managers: lru.New(maxManagers),
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

// Object is a stored object. It is immutable.
type Object struct {
	Key string
	// Content has no resourceVersion.
	Content  map[string]any
	Revision uint64
	Size     int64 // how many bytes the content has as JSON
	// NegativeZero reports that the object was written with a -0, which is read
	// as 0 but is not the same bytes.
	NegativeZero bool
}

// NewObject returns what is stored when an object is written.
func NewObject(key string, content, written map[string]any) *Object {
	return &Object{
		Key: key, Content: content, Size: sizeOf(content), NegativeZero: hasNegativeZero(written),
	}
}

// hasNegativeZero reports whether there is a -0 in a value.
func hasNegativeZero(value any) bool {
	switch v := value.(type) {
	case float64:
		return v == 0 && math.Signbit(v)
	case []any:
		return slices.ContainsFunc(v, hasNegativeZero)
	case map[string]any:
		for _, below := range v {
			if hasNegativeZero(below) {
				return true
			}
		}
	}
	return false
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

	mu      sync.RWMutex // guards what follows
	objects map[string]*Object
	keys    keys
	events  []Event       // the last writes, in order
	past    int64         // the bytes of the events
	forgot  uint64        // the revision of the last event that is no longer kept
	written chan struct{} // closed by the next write
	ended   bool
	changes uint64 // how often the objects have changed

	listed atomic.Pointer[listing] // the last list
}

// Collection returns a new and empty collection.
func (s *Store) Collection() *Collection {
	c := &Collection{store: s, objects: map[string]*Object{}, written: make(chan struct{})}
	s.register(c)
	return c
}

// Get returns the object of a key, nil if nothing is there.
func (c *Collection) Get(key string) *Object {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.objects[key]
}

// Len returns how many objects there are.
func (c *Collection) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.objects)
}

// Swap stores next in place of old under a key, with the next revision. A nil
// old creates the object, a nil next removes it. It stores nothing and reports
// false if the object is no longer old, or if the collection has ended.
func (c *Collection) Swap(key string, old, next *Object) (*Object, bool) {
	defer c.store.bound() // after the lock
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.swap(key, old, next)
}

// swap is Swap for a caller that holds the lock.
func (c *Collection) swap(key string, old, next *Object) (*Object, bool) {
	if c.objects[key] != old || c.ended {
		return nil, false
	}
	if old == nil && next == nil {
		return nil, true
	}
	e := Event{Revision: c.store.revision.Add(1), Before: old}
	if old != nil {
		c.store.bytes.Add(-old.Size)
	}
	if next == nil {
		delete(c.objects, key)
		c.keys.removed = true
	} else {
		after := *next
		after.Key, after.Revision = key, e.Revision
		if after.Content = c.store.shared(after.Content); old == nil {
			c.keys.added = append(c.keys.added, key)
		}
		c.store.bytes.Add(after.Size)
		c.objects[key], e.After = &after, &after
	}
	c.record(e)
	return e.After, true
}

// Remove removes the object of a key, if there is one. It does nothing if the
// collection has ended.
func (c *Collection) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.swap(key, c.objects[key], nil)
}

// record keeps a write and wakes the watches. The caller holds the lock.
func (c *Collection) record(e Event) {
	c.changes++
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

// Restore stores an object with the revision that it has. Watches do not see
// it, and cannot begin before it.
func (c *Collection) Restore(object *Object) {
	c.store.Restore(object.Revision)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	object.Size = sizeOf(object.Content)
	if old := c.objects[object.Key]; old != nil {
		c.store.bytes.Add(-old.Size)
	}
	c.store.bytes.Add(object.Size)
	c.objects[object.Key] = object
	c.keys.added = append(c.keys.added, object.Key)
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
	for _, key := range slices.Sorted(maps.Keys(c.objects)) {
		c.swap(key, c.objects[key], nil)
	}
	c.ended = true
	c.listed.Store(nil)
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
