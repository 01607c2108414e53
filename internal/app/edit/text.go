package edit

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encoding is what columns count.
type Encoding string

// The encodings, by their names in the language server protocol.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16"
	UTF32 Encoding = "utf-32"
)

// Position is a place in a text. Line and Column count from 0.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Range is a part of a text. End is behind its last character.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Edit replaces a part of a text.
type Edit struct {
	Range Range  `json:"range"`
	Text  string `json:"text"`
}

// size returns how much a character counts.
func (e Encoding) size(r rune) int {
	switch e {
	case UTF8:
		return utf8.RuneLen(r)
	case UTF32:
		return 1
	default:
		return utf16.RuneLen(r)
	}
}

// column returns the column of a byte of a line.
func (e Encoding) column(line string, offset int) (column int) {
	for at, r := range line {
		if at >= offset {
			break
		}
		column += e.size(r)
	}
	return column
}

// offset returns the byte of a column of a line, at most the line's end.
func (e Encoding) offset(line string, column int) int {
	for at, r := range line {
		if column <= 0 {
			return at
		}
		column -= e.size(r)
	}
	return len(line)
}

// Apply returns a text with an edit made. What lies behind the end of a line or
// of the text is at its end.
func (e Encoding) Apply(text string, edit Edit) string {
	start, end := e.index(text, edit.Range.Start), e.index(text, edit.Range.End)
	return text[:start] + edit.Text + text[max(start, end):]
}

// index returns the byte of a position.
func (e Encoding) index(text string, p Position) int {
	start := 0
	for range p.Line {
		next := strings.IndexByte(text[start:], '\n')
		if next < 0 {
			return len(text)
		}
		start += next + 1
	}
	line, _, _ := strings.Cut(text[start:], "\n")
	return start + e.offset(line, p.Column)
}
