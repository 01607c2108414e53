package screen

import (
	"bytes"
	"testing"
	"time"
)

// Colors and source lines are for terminals, and NO_COLOR turns colors off.
func TestStyle(t *testing.T) {
	for _, c := range []struct {
		noColor, terminal  string
		isTerminal         bool
		colors, sourceLine bool
	}{
		{"", "xterm", true, true, true},
		{"1", "xterm", true, false, true},
		{"", "dumb", true, false, true},
		{"", "xterm", false, false, false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.terminal)
		style := (&Screen{isTerminal: c.isTerminal}).Style(false)
		if style.Colors != c.colors || style.Sources != c.sourceLine {
			t.Errorf("%+v: %+v", c, style)
		}
	}
	if style := (&Screen{}).Style(true); !style.Sources || style.Colors {
		t.Errorf("verbose: %+v", style)
	}
	s := New(&bytes.Buffer{}, &bytes.Buffer{})
	if s.isTerminal || s.progresses {
		t.Errorf("a buffer is a terminal: %+v", s)
	}
}

// The line of progress appears after a second, and goes before the next line.
func TestProgress(t *testing.T) {
	var out, errs bytes.Buffer
	s := New(&out, &errs)
	s.isTerminal, s.progresses = true, true
	s.Advance(1, "documents")
	if errs.Len() > 0 {
		t.Errorf("at once: %q", errs.String())
	}
	s.started = time.Now().Add(-2 * progressAfter)
	s.Advance(7, "documents")
	s.Advance(8, "documents")
	if _, err := s.Write([]byte("a line\n")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "\r\x1b[K7 documents\r\x1b[K"
	if got := errs.String(); got != want || out.String() != "a line\n" {
		t.Errorf("%q, want %q; %q", got, want, out.String())
	}
}
