package manifest

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Within returns the position of a character in a string, e.g. in the text of a
// rule of CEL. Lines and columns count from 1 within the string. It knows
// quotes, escapes, literal and folded blocks. If the place holds no such string
// or the string ends before, it returns Value.
func (p Place) Within(line, column int) Position {
	if p.Missing != "" || p.node == nil {
		return p.Value
	}
	node := p.node
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.ScalarNode {
		return p.Value
	}
	text := p.document.alignment(node)
	target, ok := text.offset(line, column)
	if !ok || target/block >= len(text.marks) {
		return p.Value
	}
	a := text.marks[target/block]
	if !a.advance(len(node.Value) - target) {
		return p.Value
	}
	return p.document.position(a.at)
}

// alignment is what is known of where a string is in the source of a document.
type alignment struct {
	lines lineStarts // of the string
	marks []aligner  // at each block of the string, as far as it fits the source
}

// alignment returns that of a scalar, which is made once.
func (d *Document) alignment(node *yaml.Node) *alignment {
	made, _ := d.aligned.LoadOrStore(node, sync.OnceValue(func() *alignment {
		text := alignment{lines: newLineStarts([]byte(node.Value), lineFeed)}
		a := newAligner(d, node)
		for at := 0; at <= len(node.Value) && a.advance(len(node.Value)-at); at += block {
			text.marks = append(text.marks, *a)
		}
		return &text
	}))
	return made.(func() *alignment)()
}

// offset returns the offset of a character, or of the end of its line.
func (a *alignment) offset(line, column int) (offset int, ok bool) {
	s := &a.lines
	if line < 1 || column < 1 || line > len(s.at) {
		return 0, false
	}
	end := len(s.text)
	if line < len(s.at) {
		end = s.at[line] - 1
	}
	if column-1 > s.characters(end)-s.characters(s.at[line-1]) {
		return 0, false
	}
	return s.offset(line, column), true
}

// aligner walks over the source of a scalar and over its value side by side.
// The value decides how a line end was read: as a space or as line feeds.
type aligner struct {
	source []byte
	at     int    // in source
	value  string // the rest
	style  yaml.Style
	indent int // of the lines of a block
}

func newAligner(d *Document, node *yaml.Node) *aligner {
	a := &aligner{
		source: d.Data, at: d.breaks.offset(node.Line, node.Column), value: node.Value,
		style: node.Style &^ (yaml.TaggedStyle | yaml.FlowStyle),
	}
	a.skipProperties()
	switch a.style {
	case yaml.DoubleQuotedStyle, yaml.SingleQuotedStyle:
		a.at = min(a.at+1, len(a.source))
	case yaml.LiteralStyle, yaml.FoldedStyle:
		a.startBlock()
	}
	return a
}

// skipProperties skips the anchor and the tag before a scalar.
func (a *aligner) skipProperties() {
	for a.at < len(a.source) && (a.source[a.at] == '&' || a.source[a.at] == '!') {
		rest := a.source[a.at:]
		end := bytes.IndexAny(rest, " \t\r\n")
		if end < 0 {
			return
		}
		rest = bytes.TrimLeft(rest[end:], " \t\r\n")
		a.at = len(a.source) - len(rest)
	}
}

// startBlock skips the header of a block, e.g. |2-, and the indentation of its
// first line. Empty lines at the start of the block stay.
func (a *aligner) startBlock() {
	header := a.source[a.at:]
	if end := bytes.IndexByte(header, '\n'); end >= 0 {
		header = header[:end]
	}
	a.at = min(a.at+len(header)+1, len(a.source))
	body := a.source[a.at:]
	text := bytes.TrimLeft(body, " \r\n")
	lead := body[:len(body)-len(text)]
	a.indent = len(lead) - 1 - bytes.LastIndexByte(lead, '\n')
	leading := len(a.value) - len(strings.TrimLeft(a.value, " \n"))
	a.indent -= leading - 1 - strings.LastIndexByte(a.value[:leading], '\n')
	a.nextLine()
}

// advance walks until only left bytes of the value are left. It reports false
// if source and value do not fit together.
func (a *aligner) advance(left int) bool {
	for len(a.value) > left {
		if end := a.lineEnd(); end > 0 {
			a.fold(end)
			continue
		}
		r, width := utf8.DecodeRuneInString(a.value)
		size := a.sourceWidth(r)
		if size == 0 || size > len(a.source)-a.at {
			return false
		}
		a.at, a.value = a.at+size, a.value[width:]
	}
	for a.isContinued() {
		a.fold(a.lineEnd())
	}
	return true
}

// isContinued reports whether the line ends in a backslash, so that the string
// goes on with the next line.
func (a *aligner) isContinued() bool {
	return bytes.HasPrefix(a.source[a.at:], []byte(`\`)) && a.lineEnd() > 0
}

// sourceWidth returns the number of bytes in the source that stand for a
// character of the value, or 0 if there is another character.
func (a *aligner) sourceWidth(r rune) int {
	rest := a.source[a.at:]
	switch {
	case a.style == yaml.DoubleQuotedStyle && bytes.HasPrefix(rest, []byte(`\`)):
		return escapeWidth(rest, r)
	case a.style == yaml.SingleQuotedStyle && bytes.HasPrefix(rest, []byte("''")):
		return len("''")
	}
	if got, size := utf8.DecodeRune(rest); got == r {
		return size
	}
	return 0
}

// escapeWidth returns the length of the escape of a character that a text
// starts with.
func escapeWidth(text []byte, r rune) int {
	switch {
	case bytes.HasPrefix(text, []byte(`\x`)):
		return len(`\xff`)
	case bytes.HasPrefix(text, []byte(`\u`)) && r > '\uffff':
		return len(`\ud83d\ude00`) // a surrogate pair in JSON
	case bytes.HasPrefix(text, []byte(`\u`)):
		return len(`\uffff`)
	case bytes.HasPrefix(text, []byte(`\U`)):
		return len(`\Uffffffff`)
	}
	return len(`\n`)
}

// lineEnd returns the number of bytes up to the end of the line if the value
// does not have what is left of the line, otherwise 0.
func (a *aligner) lineEnd() int {
	rest := a.source[a.at:]
	escaped := a.style == yaml.DoubleQuotedStyle &&
		(bytes.HasPrefix(rest, []byte("\\\n")) || bytes.HasPrefix(rest, []byte("\\\r")))
	if escaped {
		rest = rest[1:]
	}
	blank := 0
	if a.style != yaml.LiteralStyle && a.style != yaml.FoldedStyle {
		for blank < len(rest) && isSpace(rest[blank]) {
			blank++
		}
	}
	end := bytes.IndexByte(rest, '\n') + 1
	if end == 0 || len(bytes.Trim(rest[blank:end], "\r\n")) > 0 {
		return 0
	}
	if escaped {
		return end + 1
	}
	return end
}

// fold skips a line end in the source, and what it became in the value.
func (a *aligner) fold(end int) {
	if !a.isContinued() {
		a.value = strings.TrimPrefix(a.value, " ")
	}
	a.at += end
	a.nextLine()
}

// nextLine skips empty lines and the indentation of the next line, and the
// line feeds of the value.
func (a *aligner) nextLine() {
	a.value = strings.TrimLeft(a.value, "\n")
	for a.at < len(a.source) {
		line := a.source[a.at:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		blank := len(bytes.TrimLeft(line, " \t\r\n")) == 0
		if !blank || !bytes.HasSuffix(line, []byte("\n")) {
			if a.style == yaml.LiteralStyle || a.style == yaml.FoldedStyle {
				a.at += min(a.indent, len(line))
			} else {
				a.at += len(line) - len(bytes.TrimLeft(line, " \t"))
			}
			return
		}
		a.at += len(line)
	}
}
