package visible

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer passes on what is written to it, without anything that acts on a
// terminal or in a log. It keeps tabs, line feeds and its own colors. After an
// error it writes nothing.
type Writer struct {
	out     io.Writer
	scan    scanner
	pending []byte // the start of something that may act
	text    []byte
	err     error
}

// NewWriter returns a writer on another one.
func NewWriter(out io.Writer, keep Keep) *Writer {
	return &Writer{out: out, scan: scanner{keep: keep}}
}

// Keep selects what a Writer passes on although it acts.
type Keep uint8

// What a Writer can keep.
const (
	Nothing  Keep = 0
	Colors   Keep = 1 << iota // the colors of this package
	Commands                  // workflow commands of GitHub at the start of a line
)

// The escape sequences that color text on a terminal.
const (
	Bold   = "\x1b[1m"
	Red    = "\x1b[1;31m"
	Yellow = "\x1b[1;33m"
	Blue   = "\x1b[1;34m"
	Green  = "\x1b[32m"
	Plain  = "\x1b[0m"
)

var colors = []string{Bold, Red, Yellow, Blue, Green, Plain}

// Keep passes on more than before.
func (w *Writer) Keep(more Keep) { w.scan.keep |= more }

// Write returns the first error of the writer below.
func (w *Writer) Write(data []byte) (int, error) {
	whole := append(w.pending, data...)
	var rest []byte
	w.text, rest = w.scan.scan(w.text[:0], whole, moreFollows)
	w.pending = bytes.Clone(rest)
	w.pass()
	if w.err != nil {
		return 0, w.err
	}
	return len(data), nil
}

// Flush writes what is left, and returns the first error.
func (w *Writer) Flush() error {
	w.text, _ = w.scan.scan(w.text[:0], w.pending, atEnd)
	w.pending = nil
	w.pass()
	return w.err
}

// Unwrap returns the writer below.
func (w *Writer) Unwrap() io.Writer { return w.out }

func (w *Writer) pass() {
	if w.err == nil && len(w.text) > 0 {
		_, w.err = w.out.Write(w.text)
	}
}

// scanner finds what acts. It knows whether a line has begun.
type scanner struct {
	keep    Keep
	midLine bool // the line has more than spaces
}

// end is whether the text goes on after the scanned part.
type end uint8

const (
	atEnd end = iota
	moreFollows
)

// legacy starts a command of Azure Pipelines and of old GitHub runners, in any
// place of a line; command starts one of GitHub after spaces.
const (
	legacy  = "##["
	command = "::"
)

// scan appends a text to another one. It returns the rest of the text that can
// only be judged with what follows.
func (s *scanner) scan(out, text []byte, end end) (scanned, rest []byte) {
	for {
		n := s.plain(text)
		out, text = append(out, text[:n]...), text[n:]
		if len(text) == 0 {
			return out, nil
		}
		if end == moreFollows && s.isUndecided(text) {
			return out, text
		}
		out, n = s.one(out, text)
		text = text[n:]
	}
}

// plain returns the number of bytes that a text begins with and that certainly
// do not act.
func (s *scanner) plain(text []byte) int {
	for i, c := range text {
		switch {
		case c == '\n':
			s.midLine = false
		case c == ' ':
		case c == '#' || c == ':' || c < ' ' || c >= 0x7f:
			return i
		default:
			s.midLine = true
		}
	}
	return len(text)
}

// isUndecided reports whether a text may be the start of more.
func (s *scanner) isUndecided(text []byte) bool {
	starts := func(whole string) bool {
		return len(text) < len(whole) && strings.HasPrefix(whole, string(text))
	}
	switch {
	case !utf8.FullRune(text):
		return true
	case text[0] == '\x1b' && s.keep&Colors != 0:
		for _, color := range colors {
			if starts(color) {
				return true
			}
		}
		return false
	}
	return starts(legacy) || starts(command)
}

// one appends the character or command at the start of a text, and returns its
// length.
func (s *scanner) one(out, text []byte) ([]byte, int) {
	begins := !s.midLine
	s.midLine = true
	switch {
	case bytes.HasPrefix(text, []byte(legacy)):
		return append(out, `##\u005b`...), len(legacy)
	case begins && s.keep&Commands == 0 && bytes.HasPrefix(text, []byte(command)):
		return append(out, `\u003a:`...), len(command)
	case s.keep&Colors != 0:
		for _, color := range colors {
			if bytes.HasPrefix(text, []byte(color)) {
				s.midLine = !begins
				return append(out, color...), len(color)
			}
		}
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case acts(r):
		return fmt.Appendf(out, `\u%04x`, r), n
	case unicode.IsSpace(r):
		s.midLine = !begins
	}
	return utf8.AppendRune(out, r), n
}

// acts reports whether a terminal obeys a character: controls other than tabs
// and line feeds, line breaks of Unicode, and those that change the direction
// of text. Line feeds do not get here.
func acts(r rune) bool {
	return unicode.IsControl(r) && r != '\t' ||
		r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}
