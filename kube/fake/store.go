package fake

import (
	"slices"
	"strconv"
	"strings"
)

// maxEvents is how many writes are kept for watches.
const maxEvents = 1000

// store holds stored objects and the last writes.
type store struct {
	revision uint64
	objects  map[string]*stored // by key
	events   []event            // the last writes, in order
	written  chan struct{}      // closed by the next write
}

// stored is a stored object. It is immutable.
type stored struct {
	object   map[string]any // without resourceVersion
	revision uint64
}

// event is one write: a creation if before is nil, a deletion if after is nil.
type event struct {
	key           string
	revision      uint64
	before, after *stored
}

func newStore() store {
	return store{revision: 1, objects: map[string]*stored{}, written: make(chan struct{})}
}

// put stores an object under a key.
func (s *store) put(key string, object map[string]any) *stored {
	s.revision++
	after := &stored{object: object, revision: s.revision}
	s.record(event{key: key, revision: s.revision, before: s.objects[key], after: after})
	s.objects[key] = after
	return after
}

// remove removes the object of a key.
func (s *store) remove(key string) {
	before, ok := s.objects[key]
	if !ok {
		return
	}
	s.revision++
	s.record(event{key: key, revision: s.revision, before: before})
	delete(s.objects, key)
}

// record keeps a write and wakes the watches.
func (s *store) record(e event) {
	if len(s.events) >= maxEvents {
		s.events = slices.Delete(s.events, 0, len(s.events)-maxEvents+1)
	}
	s.events = append(s.events, e)
	close(s.written)
	s.written = make(chan struct{})
}

// since returns the writes after a revision. ok is false if they are no longer
// all there.
func (s *store) since(revision uint64) (events []event, ok bool) {
	for i, e := range s.events {
		if e.revision > revision {
			return s.events[i:], i > 0 || e.revision == revision+1
		}
	}
	return nil, true
}

// keys returns the keys that begin with a prefix, in order.
func (s *store) keys(prefix string) []string {
	var keys []string
	for key := range s.objects {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// versioned returns the object with its resourceVersion.
func (s *stored) versioned() map[string]any { return withRevision(s.object, s.revision) }

// withRevision returns a copy of an object with a resourceVersion. It shares
// all other content.
func withRevision(object map[string]any, revision uint64) map[string]any {
	return withMeta(object, "resourceVersion", strconv.FormatUint(revision, 10))
}
