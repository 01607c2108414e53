package storage

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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

func texts(objects List) string {
	var all []string
	for o := range objects.All() {
		all = append(all, fmt.Sprintf("%s=%v", o.Key, o.Content()["spec"]))
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
		{"/c/1", 8, "/b/1=5 /b/3=6"},
		{"/b/0", 9, "/b/0=9 /b/1=5 /b/3=6"},
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

// Events that are read are those of the reader, also if others are appended.
func TestEventsAreNotShared(t *testing.T) {
	c := New().Collection()
	for i := range 3 {
		write(t, c, "/a", i)
	}
	got := append(c.Since(1).Events, Event{Revision: 99})
	write(t, c, "/a", 3)
	if len(got) != 4 || got[3].Revision != 99 || len(c.Since(1).Events) != 4 ||
		c.Since(1).Events[3].Revision != 5 {
		t.Errorf("%+v", got)
	}
}

// Objects that are restored keep their revisions. Watches cannot begin before
// them.
func TestRestore(t *testing.T) {
	s := New()
	c := s.Collection()
	for _, revision := range []uint64{7, 5} {
		restored := object(revision)
		restored.Key, restored.Revision = fmt.Sprint("/", revision), revision
		c.Restore(restored)
	}
	if s.Revision() != 7 || c.Revision() != 7 {
		t.Errorf("revisions %d and %d", s.Revision(), c.Revision())
	}
	objects, revision := c.List("/")
	if got := texts(objects); got != "/5=5 /7=7" || revision != 7 {
		t.Errorf("%s at %d", got, revision)
	}
	if c.Since(6).Complete || !c.Since(7).Complete || c.Len() != 2 {
		t.Error("a watch may begin before an object")
	}
	if _, ok := c.At("/", 6); ok {
		t.Error("a list before an object")
	}
	if past, ok := c.At("/", 7); !ok || texts(past) != "/5=5 /7=7" {
		t.Errorf("at 7: %s, %t", texts(past), ok)
	}
	if next := write(t, c, "/8", 8); next.Revision != 8 || c.Revision() != 8 {
		t.Errorf("the next write has revision %d", next.Revision)
	}
}

// A collection knows its last write, also if it is long ago.
func TestRevision(t *testing.T) {
	s := New()
	c, other := s.Collection(), s.Collection()
	write(t, other, "/a", 1)
	if c.Revision() != 0 || s.Revision() != 2 || other.Revision() != 2 {
		t.Errorf("%d of %d", c.Revision(), s.Revision())
	}
	for i := range 2 * maxEvents {
		write(t, c, "/a", i)
	}
	first := c.Since(2).Events[0].Revision
	if news := c.Since(2); first != 3 || len(news.Events) != 2*maxEvents || !news.Complete {
		t.Errorf("%d events, the first %d", len(news.Events), first)
	}
	write(t, c, "/a", 0)
	news := c.Since(maxEvents + 2)
	if len(news.Events) != maxEvents+1 || !news.Complete || c.Since(maxEvents+1).Complete {
		t.Errorf("%d events", len(news.Events))
	}
	if _, ok := c.At("/", maxEvents+2); !ok {
		t.Error("the oldest list is forgotten")
	}
	for i := range maxEvents {
		write(t, c, "/a", i)
	}
	news = c.Since(2*maxEvents + 2)
	if len(news.Events) != maxEvents+1 || !news.Complete || c.Since(2*maxEvents+1).Complete {
		t.Errorf("%d events after more writes", len(news.Events))
	}
}

// A removal that finds nothing writes nothing. The end of a collection wakes
// its watches.
func TestRemove(t *testing.T) {
	s := New()
	c := s.Collection()
	write(t, c, "/a", 1)
	<-s.Written()
	select {
	case <-s.Written():
		t.Error("written twice")
	default:
	}
	write(t, c, "/b", 1)
	c.Remove("/b")
	<-s.Written() // one value for both
	select {
	case <-s.Written():
		t.Error("written twice")
	default:
	}
	c.Remove("/a")
	c.Remove("/a")
	if gone, done := c.Swap("/a", nil, nil); gone != nil || !done || s.Revision() != 5 {
		t.Errorf("revision %d, %v", s.Revision(), gone)
	}
	if events := c.Since(4).Events; c.Len() != 0 || len(events) != 1 || events[0].Key() != "/a" ||
		events[0].After != nil {
		t.Errorf("%d objects, events %v", c.Len(), events)
	}
	write(t, c, "/c", 1)
	news := c.Since(3)
	c.End()
	<-news.Next
	after := c.Since(3)
	select {
	case <-after.Next:
		t.Error("a write after the end")
	default:
	}
	_, done := c.Swap("/d", nil, &Object{Key: "/d"})
	if news.Ended || !after.Ended || c.Get("/c") != nil || done || s.Revision() != 7 ||
		after.Events[len(after.Events)-1].Key() != "/c" || !c.Ended() {
		t.Errorf("the end is not known: %+v, %+v", news, after)
	}
}

// Events below another prefix and after the list do not count, and the objects
// of a past list are in the order of their keys.
func TestPast(t *testing.T) {
	c := New().Collection()
	for _, key := range []string{"/b/1", "/b/2", "/b/3", "/c/1"} {
		write(t, c, key, 1)
	}
	for _, key := range []string{"/b/1", "/b/3", "/c/1"} {
		write(t, c, key, nil)
	}
	write(t, c, "/b/2", 2)
	write(t, c, "/b/0", 2)
	for revision, want := range map[uint64]string{
		1: "", 2: "/b/1=1", 5: "/b/1=1 /b/2=1 /b/3=1", 6: "/b/2=1 /b/3=1", 8: "/b/2=1", 9: "/b/2=2",
		10: "/b/0=2 /b/2=2",
	} {
		past, ok := c.At("/b/", revision)
		if got := texts(past); got != want || !ok {
			t.Errorf("at %d: %s, want %s", revision, got, want)
		}
	}
}

// Only a -0 makes an object one with a negative zero, anywhere in it.
func TestNegativeZero(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, test := range []struct {
		value any
		want  bool
	}{
		{minus, true}, {0.0, false}, {-1.5, false}, {int64(0), false}, {[]any{1.0, minus}, true},
		{map[string]any{"a": 1.0, "b": map[string]any{"c": minus}}, true}, {nil, false},
	} {
		o := NewObject("/a", nil, map[string]any{"a": test.value})
		if o.NegativeZero != test.want || o.Key != "/a" {
			t.Errorf("%v: %t", test.value, o.NegativeZero)
		}
	}
}

// A changed object is the same as a new one with its content.
func TestChanged(t *testing.T) {
	spec, status := map[string]any{"a": "b"}, map[string]any{"c": math.Copysign(0, -1)}
	for _, test := range []struct {
		name     string
		from, to map[string]any
	}{
		{"the same", map[string]any{"spec": spec}, map[string]any{"spec": spec}},
		{"more", map[string]any{"spec": spec}, map[string]any{"spec": spec, "status": status}},
		{"less", map[string]any{"spec": spec, "status": status}, map[string]any{"spec": spec}},
		{"equal", map[string]any{"spec": spec}, map[string]any{"spec": maps.Clone(spec)}},
		{"other", map[string]any{"a": 1.5, "spec": spec}, map[string]any{"a": nil, "spec": status}},
		{"empty", map[string]any{"spec": spec}, map[string]any{}},
	} {
		got := NewObject("/a", test.from, test.from).Changed(test.from, test.to)
		want := NewObject("/a", test.to, test.to)
		if got.Size != want.Size || got.NegativeZero != want.NegativeZero || got.Key != want.Key ||
			!reflect.DeepEqual(got.Content(), test.to) {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

// A list that was read stays as it is, whatever is written then, and is that of
// a plain map at all times.
func TestListsStay(t *testing.T) {
	c := New().Collection()
	random := rand.New(rand.NewPCG(1, 1))
	plain := map[string]string{}
	type read struct {
		list List
		want string
	}
	var reads []read
	for i := range 4_000 {
		key := fmt.Sprintf("/%c/%03d", "ab"[random.IntN(2)], random.IntN(500))
		if random.IntN(3) == 0 {
			delete(plain, key)
			write(t, c, key, nil)
		} else {
			plain[key] = fmt.Sprintf("%s=%v ", key, i)
			write(t, c, key, i)
		}
		if i%100 > 0 {
			continue
		}
		for _, prefix := range []string{"", "/a/", "/b/", "/b/1", "/c/"} {
			after := prefix + fmt.Sprintf("%02d", random.IntN(100))
			list, _ := c.List(prefix)
			all, rest := "", ""
			for _, key := range slices.Sorted(maps.Keys(plain)) {
				if strings.HasPrefix(key, prefix) {
					all += plain[key]
				}
				if strings.HasPrefix(key, prefix) && key > after {
					rest += plain[key]
				}
			}
			reads = append(reads, read{list, all}, read{list.After(after), rest})
		}
	}
	for i, read := range reads {
		if got := texts(read.list); got != strings.TrimSpace(read.want) {
			t.Fatalf("list %d: %s\nwant %s", i, got, read.want)
		}
		if read.list.Len() != strings.Count(read.want, "=") {
			t.Fatalf("list %d has %d objects", i, read.list.Len())
		}
		for _, part := range read.list {
			if len(part) == 0 || len(part) > maxPart {
				t.Fatalf("list %d has a part of %d objects", i, len(part))
			}
		}
	}
}

// A collection keeps the JSON of its objects, and the fields of the last ones.
// What has no JSON is kept as it is, as everything in a decoded collection.
func TestJSONIsKept(t *testing.T) {
	s := New()
	c, decoded := s.Collection(), s.Decoded()
	first := write(t, c, "/a", "x")
	if first.text == nil || first.content.Load() == nil || int64(len(first.text)) != first.Size {
		t.Errorf("stored is %+v", first)
	}
	large := strings.Repeat("x", maxRecent/4)
	for i := range 5 {
		write(t, c, fmt.Sprint("/b", i), large)
	}
	if first.content.Load() != nil || s.recent.bytes > maxRecent {
		t.Errorf("the fields of the first object are kept, %d bytes", s.recent.bytes)
	}
	if got := first.Content(); got["spec"] != "x" || first.content.Load() != nil {
		t.Errorf("read is %v", got)
	}
	if c.Get("/a") != first || first.content.Load() == nil {
		t.Error("the fields of an object that is read are not kept")
	}
	odd := write(t, c, "/c", math.NaN())
	if _, err := odd.JSON(); err == nil || odd.Content()["spec"] == nil {
		t.Errorf("what has no JSON is %v", odd.Content())
	}
	one := write(t, decoded, "/a", "x")
	text, err := one.JSON()
	if one.text != nil || err != nil || string(text) != string(first.text) {
		t.Errorf("decoded is %s, %v", text, err)
	}
	decoded.Restore(Packed("/b", 99, text))
	if got := decoded.Get("/b"); got.text != nil || got.Content()["spec"] != "x" || got.Size != 12 {
		t.Errorf("restored is %+v", got)
	}
	c.Restore(Packed("/d", 100, text))
	if got := c.Get("/d"); got.Content()["spec"] != "x" || got.Revision != 100 {
		t.Errorf("restored is %+v", got)
	}
}
