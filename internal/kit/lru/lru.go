// Package lru keeps values up to a total size. Beyond it, the values that were
// not used for the longest time are dropped.
//
// # Terms
//
//   - size: the weight of a value, e.g. its length in bytes. The caller
//     says what a value weighs.
package lru

import (
	"container/list"
	"sync"
)

// Cache holds values by their keys. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	maxSize int
	size    int
	byKey   map[K]*list.Element
	recent  *list.List // of *entry[K, V], the most recently used one first
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// New returns an empty cache for values of the given size together.
func New[K comparable, V any](maxSize int) *Cache[K, V] {
	return &Cache[K, V]{maxSize: maxSize, byKey: map[K]*list.Element{}, recent: list.New()}
}

// Get returns the value of a key, which counts as a use of it. ok is false if
// the cache does not have it.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.recent.MoveToFront(element)
	return element.Value.(*entry[K, V]).value, true
}

// Add sets the value of a key, which counts as a use of it, and drops other
// values until the total size fits. A value that is larger than the whole cache
// is kept until the next Add.
func (c *Cache[K, V]) Add(key K, value V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.byKey[key]; ok {
		c.drop(element)
	}
	c.byKey[key] = c.recent.PushFront(&entry[K, V]{key, value, size})
	for c.size += size; c.size > c.maxSize && c.recent.Len() > 1; {
		c.drop(c.recent.Back())
	}
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byKey)
}

func (c *Cache[K, V]) drop(element *list.Element) {
	dropped := c.recent.Remove(element).(*entry[K, V])
	delete(c.byKey, dropped.key)
	c.size -= dropped.size
}
