package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
)

// maxWhole is the number of bytes from which a list is cut. It is above the
// size of every object of a server, whose requests have at most 3 MiB.
const maxWhole = 4 << 20

// ReadObjects yields the objects of a manifest in their order: like [Read],
// with lists opened as by [Document.Items].
//
// It holds one object at a time, also of a list of any length, e.g. the output
// of kubectl get -A -o json. A list of more than 4 MiB is cut between its
// items: each is a document with its own text. Such a list is a JSON object
// with a list named items, or a YAML mapping whose key items is at the start of
// a line. Of a cut list, an item that is no object is a document too, whose
// [Document.Object] returns the error, and an item without a kind does not get
// that of the list, which may follow the items.
func ReadObjects(name string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		r := &reader{
			name: name, in: bufio.NewReaderSize(in, chunkSize), limit: MaxDocument, whole: maxWhole,
		}
		r.readObjects(yield)
	}
}

// chunkSize is the size of the parts in which long lines are read.
const chunkSize = 64 << 10

func (r *reader) readObjects(yield func(*Document, error) bool) {
	r.run(func(doc *Document, err error) bool {
		if err != nil {
			return yield(nil, err)
		}
		return doc.yieldObjects(yield)
	})
}

// Objects yields the items of a list, as [Document.Items] returns them, or the
// document itself if it is no list. A document that cannot be decoded is
// yielded, too: [Document.Object] returns the error.
func (d *Document) Objects() iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) { d.yieldObjects(yield) }
}

func (d *Document) yieldObjects(yield func(*Document, error) bool) bool {
	if d.Item != "" || !bytes.Contains(d.Data, []byte("items")) {
		return yield(d, nil)
	}
	object, strict, err := d.Object()
	if err != nil {
		return yield(d, nil)
	}
	items, isList, err := d.Items(object, strict)
	if !isList {
		d.first.Store(&decoded{object, strict})
		return yield(d, nil)
	}
	for _, item := range items {
		if !yield(item, nil) {
			return false
		}
	}
	return err == nil || yield(nil, err)
}

// cutter cuts the items out of a list that comes in parts.
type cutter interface {
	// write takes the next part.
	write(text []byte, yield func(*Document, error) bool) bool
	// end takes the end of the document.
	end(yield func(*Document, error) bool) bool
}

// cut starts to cut the text so far, if it is a list.
func (r *reader) cut(yield func(*Document, error) bool) bool {
	var text []byte
	if r.json.active {
		r.list, text = newJSONCutter(r)
	} else {
		r.list, text = newYAMLCutter(r)
	}
	if text == nil {
		r.list, r.isObject = nil, true
		return true
	}
	r.text = nil
	return r.list.write(text, yield)
}

// itemCutter is what both cutters share: the item that is being read.
type itemCutter struct {
	file  string
	limit int
	index int
	text  []byte // of the item so far
	long  bool   // text was dropped
	start Position
	ended bool // after the last item
}

func (c *itemCutter) add(text ...byte) {
	if c.long = c.long || len(c.text)+len(text) > c.limit; c.long {
		c.text = nil
		return
	}
	c.text = append(c.text, text...)
}

// flush yields the item and starts the next one.
func (c *itemCutter) flush(yield func(*Document, error) bool) bool {
	doc := &Document{
		File: c.file, Line: c.start.Line, Item: fmt.Sprintf("items[%d]", c.index), Data: c.text,
		before: c.start.Column - 1,
	}
	long := c.long
	c.index++
	c.text, c.long = nil, false
	if long {
		err := fmt.Errorf("%s: longer than %d bytes", doc.Item, c.limit)
		return yield(nil, &Error{doc.Start(), err})
	}
	return yield(doc, nil)
}

// broken yields the error of a list that has no end.
func (c *itemCutter) broken(yield func(*Document, error) bool) bool {
	err := fmt.Errorf("the list ends within items[%d]", c.index)
	return yield(nil, &Error{Position{File: c.file, Line: c.start.Line}, err})
}

// jsonCutter cuts a JSON list at the commas between its items.
type jsonCutter struct {
	itemCutter
	at              Position // of the next byte
	within          bool     // an item
	quoted, escaped bool
	depth           int // of objects and lists within the item
}

// newJSONCutter returns a cutter, and the text of the list after the bracket
// that opens its items. The text is nil if the document is no list.
func newJSONCutter(r *reader) (*jsonCutter, []byte) {
	at := itemsOffset(r.text)
	if at == -1 {
		return nil, nil
	}
	c := &jsonCutter{
		itemCutter: itemCutter{file: r.name, limit: r.limit},
		at:         Position{File: r.name, Line: r.start, Column: r.before + 1},
	}
	c.advance(r.text[:at])
	return c, r.text[at:]
}

// itemsOffset returns the offset of the first item of a JSON list whose text is
// not complete, or -1. The kind usually follows the items.
func itemsOffset(text []byte) int {
	tokens := json.NewDecoder(bytes.NewReader(text))
	_, _ = tokens.Token() // the brace
	for {
		key, _ := tokens.Token() // Decode fails after an error
		if key == "items" {
			if token, _ := tokens.Token(); token != json.Delim('[') {
				return -1
			}
			return int(tokens.InputOffset())
		}
		var value any
		if tokens.Decode(&value) != nil {
			return -1
		}
		if kind, ok := value.(string); ok && key == "kind" && !strings.HasSuffix(kind, "List") {
			return -1
		}
	}
}

// characters counts the characters of a text that may be cut within one.
func characters(text []byte) int {
	n := 0
	for _, c := range text {
		if c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// advance moves the position behind a text.
func (c *jsonCutter) advance(text []byte) {
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		c.at.Line += bytes.Count(text, []byte("\n"))
		c.at.Column = 1
		text = text[i+1:]
	}
	c.at.Column += characters(text)
}

func (c *jsonCutter) write(text []byte, yield func(*Document, error) bool) bool {
	from := 0 // the rest of the item, or of what precedes it
	for i, b := range text {
		switch {
		case c.ended:
			return true
		case c.depth == 0 && !c.quoted && (b == ',' || b == ']'):
			if c.ended = b == ']'; c.within && !c.finish(text[from:i], yield) {
				return false
			}
			c.advance(text[from : i+1])
			from = i + 1
		case c.within:
			c.take(b)
		case !isWhite(b):
			c.advance(text[from:i])
			from, c.start, c.within = i, c.at, true
			c.take(b)
		}
	}
	if c.within {
		c.add(text[from:]...)
	}
	c.advance(text[from:])
	return true
}

func isWhite(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// finish ends an item.
func (c *jsonCutter) finish(text []byte, yield func(*Document, error) bool) bool {
	c.add(text...)
	c.within = false
	return c.flush(yield)
}

// take follows one byte of an item.
func (c *jsonCutter) take(b byte) {
	switch {
	case c.escaped:
		c.escaped = false
	case c.quoted:
		c.escaped, c.quoted = b == '\\', b != '"'
	case b == '"':
		c.quoted = true
	case b == '{', b == '[':
		c.depth++
	case b == '}', b == ']':
		c.depth--
	}
}

func (c *jsonCutter) end(yield func(*Document, error) bool) bool {
	return c.ended || c.broken(yield)
}

// yamlCutter cuts a YAML list at the lines that start its items.
type yamlCutter struct {
	itemCutter
	line    int // of the next line
	partial bool
	indent  int // of the dashes, -1 before the first
}

// newYAMLCutter returns a cutter, and the text after the key of the items. The
// text is nil if the document is no list.
func newYAMLCutter(r *reader) (*yamlCutter, []byte) {
	text := r.text
	for line := range bytes.Lines(text) {
		before, after, found := bytes.Cut(line, []byte(":"))
		after = bytes.TrimSpace(after)
		key, rest := string(before), text[len(line):]
		text = rest
		switch {
		case !found:
		case key == "kind" && !bytes.HasSuffix(bytes.Trim(after, `"'`), []byte("List")):
			return nil, nil
		case key == "items" && (len(after) == 0 || after[0] == '#'):
			return &yamlCutter{
				itemCutter: itemCutter{file: r.name, limit: r.limit},
				line:       r.start + bytes.Count(r.text[:len(r.text)-len(rest)], []byte("\n")),
				indent:     -1,
			}, rest
		}
	}
	return nil, nil
}

func (c *yamlCutter) write(text []byte, yield func(*Document, error) bool) bool {
	for line := range bytes.Lines(text) {
		if !c.take(line, yield) {
			return false
		}
		if c.partial = line[len(line)-1] != '\n'; !c.partial {
			c.line++
		}
	}
	return true
}

// take takes a line, or a part of one. The dash of an item becomes a space, so
// that columns stay.
func (c *yamlCutter) take(line []byte, yield func(*Document, error) bool) bool {
	rest := bytes.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	kind := kindOf(line)
	switch {
	case c.ended:
		return true
	case c.partial, kind == blank && c.indent >= 0, indent > c.indent && c.indent >= 0:
		c.add(line...)
		return true
	case kind == blank:
		return true
	case rest[0] != '-' || len(rest) > 1 && !bytes.ContainsRune([]byte(" \t\r\n"), rune(rest[1])):
		c.ended = true
		return c.indent < 0 || c.flush(yield)
	}
	if c.indent >= 0 && !c.flush(yield) {
		return false
	}
	c.indent = indent
	c.start = Position{File: c.file, Line: c.line, Column: 1}
	c.add(line[:indent]...)
	c.add(' ')
	c.add(rest[1:]...)
	return true
}

func (c *yamlCutter) end(yield func(*Document, error) bool) bool {
	return c.ended || c.indent < 0 || c.flush(yield)
}
