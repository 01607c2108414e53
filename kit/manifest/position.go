package manifest

import (
	"bytes"
	"cmp"
	"fmt"
	"sort"
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
	// counts has the number of characters before each block, so that a column
	// is found in a long line without counting from its start.
	counts []int
}

// block is the size of a block, in bytes.
const block = 1024

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
	count := 0
	for i, c := range text {
		if i%block == 0 {
			s.counts = append(s.counts, count)
		}
		if utf8.RuneStart(c) {
			count++
		}
	}
	return s
}

// characters returns how many characters there are before an offset.
func (s *lineStarts) characters(offset int) int {
	i := min(offset/block, len(s.counts)-1)
	if i < 0 {
		return 0
	}
	count := s.counts[i]
	for _, c := range s.text[i*block : offset] {
		if utf8.RuneStart(c) {
			count++
		}
	}
	return count
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
	at, column := s.skip(line, column)
	for ; column > 1 && at < len(s.text) && s.ends(s.text[at:]) == 0; column-- {
		_, width := utf8.DecodeRune(s.text[at:])
		at += width
	}
	return at
}

// skip returns the offset of a block in a line that is not behind a column, and
// the column from there; without such a block, the start of the line.
func (s *lineStarts) skip(line, column int) (at, left int) {
	start, next := s.at[line-1], len(s.text)
	if line < len(s.at) {
		next = s.at[line]
	}
	wanted := s.characters(start) + column - 1
	behind := sort.Search(len(s.counts), func(i int) bool {
		return s.counts[i] > wanted || i*block+utf8.UTFMax >= next
	})
	at = (behind - 1) * block
	if at <= start {
		return start, column
	}
	left = wanted - s.counts[behind-1] + 1
	for at < next && !utf8.RuneStart(s.text[at]) {
		at++
	}
	return at, left
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
	return low + 1, s.characters(offset) - s.characters(s.at[low]) + 1
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
