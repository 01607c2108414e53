package storage

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// The size of a value is that of its JSON.
func TestSizeOf(t *testing.T) {
	for _, value := range []any{
		nil, true, false, "", "a", "é", "<a&b>", "\u2028\u2029", "\x00\n\t\"\\", "\u007f",
		int64(0), int64(-12), int64(math.MaxInt64), 1.5, -0.25, []any{}, []any{"a"},
		[]any{int64(1), nil, "b"}, map[string]any{}, map[string]any{"a": "b"},
		map[string]any{"<": []any{map[string]any{"c": 2.5}}, "d": nil},
	} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if got := sizeOf(value); got != int64(len(text)) {
			t.Errorf("%s: %d, want %d", text, got, len(text))
		}
	}
}

// What does not fit is said before it is stored. A smaller object takes the
// place of a larger one in a full store.
func TestFits(t *testing.T) {
	s := New()
	s.Limits = Limits{Object: 1000, Objects: 1500, History: 1 << 20}
	c := s.Collection()
	large := object(strings.Repeat("x", 900))
	if err := s.Fits(nil, object(strings.Repeat("x", 1001))); err != ErrTooLarge {
		t.Error(err)
	}
	if err := s.Fits(nil, large); err != nil {
		t.Error(err)
	}
	stored, _ := c.Swap("/a", nil, large)
	if err := s.Fits(nil, large); err != ErrFull {
		t.Error(err)
	}
	if err := s.Fits(stored, large); err != nil {
		t.Errorf("in its own place: %v", err)
	}
	if err := s.Fits(stored, object("y")); err != nil {
		t.Errorf("a smaller one: %v", err)
	}
	c.Remove("/a")
	if err := s.Fits(nil, large); err != nil {
		t.Errorf("after its removal: %v", err)
	}
}

// The history is within its limit whatever is written, and the past that is
// forgotten is not complete. The oldest events of all collections go first.
func TestHistoryIsBounded(t *testing.T) {
	s := New()
	s.Limits.History = 100_000
	quiet, busy := s.Collection(), s.Collection()
	for i := range 5 {
		write(t, quiet, "/q", i)
	}
	began := s.Revision()
	for i := range 200 {
		write(t, busy, "/b", fmt.Sprint(i)+strings.Repeat("x", 5_000))
		if s.history.Load() > s.Limits.History {
			t.Fatalf("%d bytes after %d writes", s.history.Load(), i)
		}
	}
	if busy.Since(began).Complete || quiet.Since(1).Complete {
		t.Error("the first events are still there")
	}
	if got := busy.Since(s.Revision() - 3); !got.Complete || len(got.Events) != 3 {
		t.Errorf("the last events: %+v", got)
	}
	if _, ok := busy.At("", began); ok {
		t.Error("a list of a forgotten state")
	}
	if objects, ok := busy.At("", s.Revision()-3); !ok || objects.Len() != 1 {
		t.Error("a list of a state that is kept", objects, ok)
	}
	kept := s.history.Load()
	busy.End()
	quiet.End()
	if s.history.Load() != 0 || kept < s.Limits.History/4 {
		t.Errorf("%d bytes, %d without collections", kept, s.history.Load())
	}
	if s.bytes.Load() != 0 {
		t.Errorf("%d bytes of no object", s.bytes.Load())
	}
}
