package storage

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Limits bound what a store keeps, in bytes of JSON.
type Limits struct {
	// Object is the limit of one object, and Objects that of all together.
	Object, Objects int64
	// History is the limit of the states that objects had, which watches and
	// lists of the past read. The oldest ones go first.
	History int64
}

// DefaultLimits are those of etcd (--max-request-bytes, --quota-backend-bytes),
// and as much history as a test can need.
var DefaultLimits = Limits{Object: 3 << 19, Objects: 2 << 30, History: 64 << 20}

// The errors of what does not fit have etcd's texts.
var (
	ErrTooLarge = errors.New("etcdserver: request is too large")
	ErrFull     = errors.New("etcdserver: mvcc: database space exceeded")
)

// Fits returns ErrTooLarge or ErrFull if an object cannot be stored in place of
// another one, nil for none.
func (s *Store) Fits(old, next *Object) error {
	if next.Size > s.Limits.Object {
		return ErrTooLarge
	}
	var before int64
	if old != nil {
		before = old.Size
	}
	if s.bytes.Load()+next.Size-before > s.Limits.Objects {
		return ErrFull
	}
	return nil
}

// register adds a collection to those whose history is bounded.
func (s *Store) register(c *Collection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.collections[c] = true
}

// release drops the history of a collection that has ended from the bounds.
// Its watches may still read it.
func (s *Store) release(c *Collection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.collections, c)
	s.history.Add(-c.past)
	c.past = 0
}

// bound forgets the oldest events until the history is within seven eighths of
// its limit. Each round forgets a quarter of the revisions that are left. The
// caller holds no lock of a collection.
func (s *Store) bound() {
	if s.history.Load() <= s.Limits.History {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	newest := s.Revision()
	for s.history.Load() > s.Limits.History/8*7 {
		oldest := newest
		for c := range s.collections {
			oldest = min(oldest, c.oldest())
		}
		through := oldest + (newest-oldest)/4
		for c := range s.collections {
			c.forget(through)
		}
		if through >= newest {
			return
		}
	}
}

// oldest returns the revision of the first event that is kept.
func (c *Collection) oldest() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if len(c.events) == 0 {
		return c.store.Revision()
	}
	return c.events[0].Revision
}

// forget drops the events through a revision.
func (c *Collection) forget(through uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, _ := slices.BinarySearchFunc(c.events, through+1, func(e Event, r uint64) int {
		return cmp.Compare(e.Revision, r)
	})
	c.drop(n)
}

// drop drops the first events. The caller holds the lock.
func (c *Collection) drop(n int) {
	if n == 0 {
		return
	}
	var bytes int64
	for _, e := range c.events[:n] {
		bytes += e.bytes()
	}
	c.forgot = c.events[n-1].Revision
	c.events = slices.Clone(c.events[n:])
	c.past -= bytes
	c.store.history.Add(-bytes)
}

// Size returns how many bytes the objects of an event have as JSON.
func (e Event) Size() (size int64) {
	for _, object := range []*Object{e.Before, e.After} {
		if object != nil {
			size += object.Size
		}
	}
	return size
}

// eventBytes is what an event takes without an object.
const eventBytes = 64

// bytes returns what an event keeps in memory: the state that the object had.
func (e Event) bytes() int64 {
	if e.Before == nil {
		return eventBytes
	}
	return eventBytes + e.Before.Size
}

// sizeOf returns how many bytes a value has as JSON.
func sizeOf(value any) int64 {
	switch v := value.(type) {
	case string:
		return sizeOfText(v)
	case bool:
		if v {
			return 4
		}
		return 5
	case int64:
		var text [20]byte
		return int64(len(strconv.AppendInt(text[:0], v, 10)))
	case float64:
		var text [32]byte
		return int64(len(strconv.AppendFloat(text[:0], v, 'g', -1, 64)))
	case []any:
		size := int64(2 + max(0, len(v)-1))
		for _, item := range v {
			size += sizeOf(item)
		}
		return size
	case map[string]any:
		size := int64(2 + max(0, len(v)-1))
		for key, item := range v {
			size += sizeOfText(key) + 1 + sizeOf(item)
		}
		return size
	}
	return 4 // null
}

// sizeOfText returns how many bytes a string has as JSON, with its escapes.
func sizeOfText(text string) int64 {
	size := int64(2 + len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"', c == '\\', c == '\n', c == '\r', c == '\t', c == '\b', c == '\f':
			size++
		case c < ' ', c == '<', c == '>', c == '&':
			size += 5
		case c >= utf8.RuneSelf && c == 0xe2 && isSeparator(text[i:]):
			size += 3
		}
	}
	return size
}

// isSeparator reports whether a text begins with U+2028 or U+2029, which JSON
// escapes.
func isSeparator(text string) bool {
	return len(text) > 2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9)
}
