package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// MaxDocument is the number of bytes that a document may have.
const MaxDocument = 256 << 20

// Read yields the documents of a manifest in their order. name is the name of
// the file, for positions. Documents without content are left out: comments
// only, or null, as kubectl does.
//
// A document that is too long yields an *[Error] in its place, and the next
// documents follow. An error of the reader yields an *Error and ends the
// sequence. Text that is neither YAML nor JSON is a document too;
// [Document.Object] returns its error.
func Read(name string, in io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		r := &reader{name: name, in: bufio.NewReaderSize(in, readSize), limit: MaxDocument}
		r.run(yield)
	}
}

const readSize = 4 << 10

// reader cuts a manifest into its documents, line by line.
type reader struct {
	name  string
	in    *bufio.Reader
	limit int
	// whole is the length from which a list is cut into its items, and long
	// lines come in parts; 0 if neither.
	whole int

	text    []byte // of the document so far, from its first line with content
	line    int    // of the file, from 1; the last one that was read
	start   int    // the line on which text starts
	before  int    // the number of characters before text on that line
	content bool   // text is more than directives
	tooLong bool   // text was dropped
	json    braces

	list     cutter // of the list that is being cut
	isObject bool   // the document is known to be no list
	open     bool   // the last part of a line was not its end
	skip     bool   // the rest of the line is left out
	white    bool   // the line is white space so far
	passed   int    // the characters of the line before the part
}

func (r *reader) run(yield func(*Document, error) bool) {
	for {
		line, err := r.readLine()
		if len(line) > 0 && !r.takePart(line, yield) {
			return
		}
		if err == nil {
			continue
		}
		if !r.flush(yield) {
			return
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, &Error{Position: Position{File: r.name}, Err: err})
		}
		return
	}
}

// readLine returns the next line with its end. The line is valid until the next
// call. Of a line that is too long it returns the first part. If lists are cut,
// it returns one part of a long line after the other.
func (r *reader) readLine() ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	if r.whole > 0 {
		return line, nil
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.in.ReadSlice('\n')
		if len(long) <= r.limit {
			long = append(long, line...)
		}
	}
	return long, err
}

// takePart takes a line, or the next part of one.
func (r *reader) takePart(part []byte, yield func(*Document, error) bool) bool {
	isRest := r.open
	r.open = r.whole > 0 && part[len(part)-1] != '\n'
	defer func() { r.passed += characters(part) }()
	switch {
	case !isRest:
		r.line++
		r.passed, r.skip = 0, false
		return r.take(part, yield)
	case r.skip:
		return true
	case r.white || !r.started():
		isBlank := kindOf(part) == blank
		r.white = isWhiteSpace(part)
		if isBlank && !r.started() {
			r.skip = !r.white
			return true
		}
		r.content = r.content || !isBlank
	}
	return r.add(part, yield)
}

// started reports whether the document has some text.
func (r *reader) started() bool { return len(r.text) > 0 || r.tooLong || r.list != nil }

// take adds a line to the document, or ends the document.
func (r *reader) take(line []byte, yield func(*Document, error) bool) bool {
	if r.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\uFEFF")) // the byte order mark
	}
	r.white = isWhiteSpace(line)
	switch kind := kindOf(line); {
	case kind == separator && (r.content || len(r.text) == 0), kind == end:
		r.skip = true
		return r.flush(yield)
	case kind == start && r.content && !r.flush(yield):
		return false
	case kind == blank && len(r.text) == 0 && r.list == nil:
		r.skip = !r.white
		return true
	case kind == text, kind == start:
		r.content = true
	}
	return r.add(line, yield)
}

// add adds a line to the text. A JSON document ends with its last brace.
func (r *reader) add(line []byte, yield func(*Document, error) bool) bool {
	for rest := line; len(rest) > 0; {
		if !r.started() {
			rest = r.begin(line, rest)
		}
		size := r.json.next(rest)
		if !r.keep(rest[:size], yield) {
			return false
		}
		rest = rest[size:]
		if !r.json.complete {
			continue
		}
		if !r.flush(yield) {
			return false
		}
		r.content = len(rest) > 0
	}
	return true
}

// keep keeps a part of the document. A list that gets long is cut.
func (r *reader) keep(text []byte, yield func(*Document, error) bool) bool {
	switch {
	case r.list != nil:
		return r.list.write(text, yield)
	case r.tooLong || len(r.text)+len(text) > r.limit:
		r.text, r.tooLong = nil, true
		return true
	}
	r.text = append(r.text, text...)
	return r.whole == 0 || len(r.text) <= r.whole || r.isObject || r.cut(yield)
}

// begin notes where a document begins: at the rest of a line.
func (r *reader) begin(line, rest []byte) []byte {
	if trimmed := bytes.TrimLeft(rest, " \t"); r.content && trimmed[0] == '{' {
		rest = trimmed
		r.json.active = true
	}
	r.start, r.before = r.line, r.passed+characters(line[:len(line)-len(rest)])
	return rest
}

// flush yields the document, if it has content, and starts the next one.
func (r *reader) flush(yield func(*Document, error) bool) bool {
	doc := &Document{File: r.name, Line: r.start, Data: r.text, before: r.before}
	tooLong, content, list := r.tooLong, r.content, r.list
	r.text, r.content, r.tooLong, r.json = nil, false, false, braces{}
	r.list, r.isObject = nil, false
	switch {
	case list != nil:
		return list.end(yield)
	case tooLong:
		return yield(nil, &Error{
			Position: Position{File: r.name, Line: r.start},
			Err:      fmt.Errorf("the document is longer than %d bytes", r.limit),
		})
	case content && !isNull(doc.Data):
		return yield(doc, nil)
	default:
		return true
	}
}

// isNull reports whether a document is null, in one of the ways in which YAML
// writes it.
func isNull(document []byte) bool {
	found := false
	for line := range bytes.Lines(document) {
		if kind := kindOf(line); kind == blank || kind == directive || kind == separator {
			continue
		}
		word, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte("---")), []byte(" #"))
		switch string(bytes.TrimSpace(word)) {
		case "null", "Null", "NULL", "~":
		default:
			return false
		}
		if found {
			return false // e.g. a string of two lines
		}
		found = true
	}
	return found
}

// lineKind is what a line means for the borders between documents.
type lineKind uint8

const (
	text      lineKind = iota
	blank              // white space or a comment
	directive          // %YAML 1.1
	separator          // ---
	start              // --- and the start of a document
	end                // ...
)

func kindOf(line []byte) lineKind {
	trimmed := bytes.TrimSpace(line)
	switch {
	case len(trimmed) == 0, trimmed[0] == '#':
		return blank
	case line[0] == '%':
		return directive
	case bytes.HasPrefix(line, []byte("---")):
		rest := line[len("---"):]
		switch after := bytes.TrimSpace(rest); {
		case len(after) == 0, isSpace(rest[0]) && after[0] == '#':
			return separator
		case isSpace(rest[0]):
			return start
		}
	case bytes.HasPrefix(line, []byte("...")) && len(trimmed) == len("..."):
		return end
	}
	return text
}

func isWhiteSpace(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

// braces finds the end of a JSON object. It does not look at anything but
// braces and strings; the decoder does.
type braces struct {
	active   bool
	complete bool // the object has ended
	quoted   bool // within a string
	escaped  bool // after a backslash
	depth    int
}

// next returns the number of bytes of a line that belong to the object, with
// the white space after it. Another object may follow on the line. If something
// else follows, the text is not JSON, and braces do not end it.
func (b *braces) next(line []byte) int {
	if !b.active {
		return len(line)
	}
	for i, c := range line {
		switch {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = c == '\\', c != '"'
		case c == '"':
			b.quoted = true
		case c == '{':
			b.depth++
		case c == '}':
			b.depth--
		}
		if b.depth == 0 {
			rest := bytes.TrimLeft(line[i+1:], " \t\r\n")
			b.complete = len(rest) == 0 || rest[0] == '{'
			b.active = b.complete
			if b.complete {
				return len(line) - len(rest)
			}
			return len(line)
		}
	}
	return len(line)
}
