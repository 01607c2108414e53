package lru

import (
	"strings"
	"testing"
)

// The values that were not used for the longest time are dropped.
func TestCache(t *testing.T) {
	keys := func(c *Cache[string, int]) string {
		var all []string
		for _, key := range []string{"a", "b", "c", "d"} {
			if _, has := c.byKey[key]; has {
				all = append(all, key)
			}
		}
		return strings.Join(all, "")
	}
	c := New[string, int](10)
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"empty", func() {}, ""},
		{"room for all", func() { c.Add("a", 1, 3); c.Add("b", 2, 3); c.Add("c", 3, 4) }, "abc"},
		{"the oldest goes", func() { c.Add("d", 4, 1) }, "bcd"},
		{"a use keeps", func() { c.Get("b"); c.Add("a", 1, 4) }, "abd"},
		{"a larger value for a key", func() { c.Add("b", 2, 6) }, "ab"},
		{"larger than the cache", func() { c.Add("c", 3, 11) }, "c"},
		{"and gone", func() { c.Add("d", 4, 1) }, "d"},
	}
	for _, s := range steps {
		s.do()
		if got := keys(c); got != s.want || c.Len() != len(s.want) || c.recent.Len() != c.Len() {
			t.Errorf("%s: %q of %d, want %q", s.name, got, c.Len(), s.want)
		}
	}
	if value, ok := c.Get("d"); !ok || value != 4 {
		t.Errorf("d is %d, %t", value, ok)
	}
	if value, ok := c.Get("a"); ok {
		t.Errorf("a is %d", value)
	}
	if c.size != 1 {
		t.Errorf("size %d", c.size)
	}
}
