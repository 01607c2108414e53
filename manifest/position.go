package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Position is a place in a file. Lines and columns count from 1. The zero Line
// stands for the file as a whole, and the zero Column for the whole line.
type Position struct {
	File         string
	Line, Column int
}

// String returns the position as compilers print it, e.g. app.yaml:12:13.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
}

// compare orders the positions of one file.
func (p Position) compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// lineStarts has the offset of every line of a text. YAML ends a line also at
// a carriage return and at some characters of Unicode; editors do not.
type lineStarts struct {
	text []byte
	ends func(text []byte) (width int)
	at   []int
}

func newLineStarts(text []byte, ends func([]byte) int) lineStarts {
	s := lineStarts{text: text, ends: ends, at: []int{0}}
	for i := 0; i < len(text); {
		if width := ends(text[i:]); width > 0 {
			i += width
			s.at = append(s.at, i)
			continue
		}
		i++
	}
	return s
}

// lineFeed returns the width of the line end that a text starts with, or 0.
func lineFeed(text []byte) int {
	if text[0] == '\n' {
		return 1
	}
	return 0
}

// yamlBreak is like lineFeed for the line ends of YAML 1.1.
func yamlBreak(text []byte) int {
	switch c := text[0]; {
	case c == '\n':
		return 1
	case c == '\r' && len(text) > 1 && text[1] == '\n':
		return len("\r\n")
	case c == '\r':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	switch r, width := utf8.DecodeRune(text); r {
	case '\u0085', '\u2028', '\u2029':
		return width
	}
	return 0
}

// offset returns the offset of a character. Lines and columns count from 1.
func (s *lineStarts) offset(line, column int) int {
	if line < 1 || line > len(s.at) {
		return len(s.text)
	}
	at := s.at[line-1]
	for ; column > 1 && at < len(s.text) && s.ends(s.text[at:]) == 0; column-- {
		_, width := utf8.DecodeRune(s.text[at:])
		at += width
	}
	return at
}

// lineOf returns the line and the column of an offset, from 1.
func (s *lineStarts) lineOf(offset int) (line, column int) {
	low, high := 0, len(s.at)
	for high-low > 1 {
		if middle := (low + high) / 2; s.at[middle] <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return low + 1, utf8.RuneCount(s.text[s.at[low]:offset]) + 1
}

// LineText returns a line of the file without its end, e.g. to show a finding.
// It returns an empty string for a line that is not of the document.
func (d *Document) LineText(line int) string {
	d = d.whole()
	d.counting.Do(d.countLines)
	i := line - d.Line
	if i < 0 || i >= len(d.lines.at) {
		return ""
	}
	text := d.Data[d.lines.at[i]:]
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		text = text[:end]
	}
	text = bytes.TrimSuffix(text, []byte("\r"))
	if i > 0 {
		return string(text)
	}
	return strings.Repeat(" ", d.before) + string(text)
}

func (d *Document) countLines() { d.lines = newLineStarts(d.Data, lineFeed) }
