package storage

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func object(value any) *Object {
	content := map[string]any{"spec": value}
	return NewObject("", content, content)
}

// write stores a value under a key, or removes the key without one.
func write(t *testing.T, c *Collection, key string, value any) *Object {
	t.Helper()
	var next *Object
	if value != nil {
		next = object(value)
	}
	stored, done := c.Swap(key, c.Get(key), next)
	if !done {
		t.Fatalf("%s was not written", key)
	}
	return stored
}

func texts(objects []*Object) string {
	var all []string
	for _, o := range objects {
		all = append(all, fmt.Sprintf("%s=%v", o.Key, o.Content["spec"]))
	}
	return strings.Join(all, " ")
}

// Lists are in the order of the keys after every kind of write, now and in the
// past.
func TestList(t *testing.T) {
	c := New().Collection()
	writes := []struct {
		key   string
		value any
		list  string
	}{
		{"/b/2", 1, "/b/2=1"},
		{"/b/1", 2, "/b/1=2 /b/2=1"},
		{"/a/9", 3, "/b/1=2 /b/2=1"}, // not below the prefix
		{"/b/2", 4, "/b/1=2 /b/2=4"},
		{"/b/1", nil, "/b/2=4"},
		{"/b/1", 5, "/b/1=5 /b/2=4"},
		{"/b/3", 6, "/b/1=5 /b/2=4 /b/3=6"},
		{"/b/2", nil, "/b/1=5 /b/3=6"},
		{"/b", 7, "/b/1=5 /b/3=6"},
	}
	lists := map[uint64]string{}
	for _, w := range writes {
		write(t, c, w.key, w.value)
		objects, revision := c.List("/b/")
		if got := texts(objects); got != w.list {
			t.Errorf("after %s: %s, want %s", w.key, got, w.list)
		}
		lists[revision] = w.list
		for at, want := range lists {
			past, ok := c.At("/b/", at)
			if got := texts(past); !ok || got != want {
				t.Errorf("after %s, at %d: %s, want %s", w.key, at, got, want)
			}
		}
	}
}

// A write does not happen if the object is not the one that was read.
func TestSwap(t *testing.T) {
	c := New().Collection()
	first := write(t, c, "/a", 1)
	second := write(t, c, "/a", 2)
	for name, old := range map[string]*Object{"an old one": first, "none": nil} {
		if _, done := c.Swap("/a", old, object(3)); done {
			t.Errorf("written in place of %s", name)
		}
	}
	if got := c.Get("/a"); got != second || got.Revision != 3 {
		t.Errorf("stored is %+v", got)
	}
	c.End()
	if _, done := c.Swap("/a", second, object(3)); done {
		t.Error("written after the end")
	}
}

// A watch sees all events after a revision, and learns if some are forgotten.
func TestSince(t *testing.T) {
	c := New().Collection()
	start := write(t, c, "/a", 0).Revision
	news := c.Since(start)
	if len(news.Events) != 0 || !news.Complete {
		t.Errorf("without a write: %+v", news)
	}
	write(t, c, "/a", 1)
	<-news.Next
	if news = c.Since(start); len(news.Events) != 1 || news.Events[0].Before.Revision != start {
		t.Errorf("after a write: %+v", news)
	}
	for i := range 2 * maxEvents {
		write(t, c, "/a", i)
	}
	if _, ok := c.At("/a", start); c.Since(start).Complete || ok {
		t.Error("an event that is forgotten is not missed")
	}
}

// Equal managedFields are in memory once; those that differ stay as they are.
func TestManagersAreShared(t *testing.T) {
	s := New()
	entry := func(time string) map[string]any {
		return map[string]any{"manager": "m", "time": time, "fieldsV1": map[string]any{
			"f:spec": map[string]any{".": map[string]any{}},
		}}
	}
	stored := func(time string) map[string]any {
		return s.shared(map[string]any{"metadata": map[string]any{
			"name": time, "managedFields": []any{entry(time)},
		}})["metadata"].(map[string]any)["managedFields"].([]any)[0].(map[string]any)
	}
	first, same, later := stored("1"), stored("1"), stored("2")
	is := func(a, b any) bool {
		return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	}
	if !is(first, same) || is(first, later) || !is(first["fieldsV1"], later["fieldsV1"]) {
		t.Error("entries or their fields are not shared")
	}
	if !reflect.DeepEqual(later, entry("2")) {
		t.Errorf("stored %v", later)
	}
}
