package server

import (
	"math"
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
	// negativeZero: the object was written with a -0, which is read as 0 but is
	// not the same bytes.
	negativeZero bool
}

// newStored returns what is stored when an object is written.
func newStored(object, written map[string]any) stored {
	return stored{object: object, negativeZero: hasNegativeZero(written)}
}

// isSame reports whether a write changes nothing.
func (s *stored) isSame(next stored) bool {
	return isSame(s.object, next.object) && s.negativeZero == next.negativeZero
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

// event is one write: a creation if before is nil, a deletion if after is nil.
type event struct {
	key           string
	revision      uint64
	before, after *stored
}

func newStore() store {
	return store{revision: 1, objects: map[string]*stored{}, written: make(chan struct{})}
}

// put stores an object under a key, with the next revision.
func (s *store) put(key string, after stored) *stored {
	s.revision++
	after.revision = s.revision
	s.record(event{key: key, revision: s.revision, before: s.objects[key], after: &after})
	s.objects[key] = &after
	return &after
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
