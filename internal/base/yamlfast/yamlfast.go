package yamlfast

import (
	"math"
	"strings"
)

// Manifests are mostly block mappings, block sequences, plain or quoted scalars
// and literal text. The YAML library spends most of its time on machinery for
// everything else. The reader reads that ordinary part directly.
//
// Structure:
//
//   - yamlfast.go: the entry points, and block mappings and sequences.
//   - scalar.go: plain, quoted and literal scalars, and flow collections.
//   - text.go: the check that the text has no unusual characters.
//
// Invariants:
//
//   - The reader answers only where it is sure to agree with the library.
//     Otherwise it gives up, and the library decodes the whole document:
//     anchors, tags, directives, folded text, tabs, duplicate or unusual keys,
//     and anything malformed. Method giveUp moves to the end, so that all loops
//     stop.
//   - A scalar that needs more than a look, e.g. 0x10, goes to the library
//     alone (method snippet), and so does a flow collection.
//   - The field at is the offset of the next unread line.
//   - The indent of a line is the number of its leading spaces.
//   - The argument parent is the column of the block that holds a scalar. The
//     continuation lines of the scalar are indented more.
//   - The library is the twin: FuzzYAML compares the two.

// Library decodes a piece of YAML with the library. The errors strict are about
// duplicate keys.
type Library func(data []byte) (value any, strict []error, err error)

// Decode decodes one YAML document of the ordinary kind, with the help of the
// library for single scalars. It reports false for all others, which the caller
// passes on to the library.
func Decode(data []byte, library Library) (value any, ok bool) {
	r := reader{library: library}
	return r.document(data)
}

func (r *reader) document(data []byte) (value any, ok bool) {
	r.data = string(data)
	if !plainText(r.data) {
		return nil, false
	}
	line := r.peek()
	if line.indent == 0 && strings.TrimRight(line.text, " ") == "---" {
		r.at = line.end
		line = r.peek()
	}
	if line.indent < 0 {
		return nil, false
	}
	value = r.block(line, line.indent, 0)
	if more := r.peek(); more.indent >= 0 || r.unsure {
		return nil, false
	}
	return value, true
}

const (
	maxPlainDepth = 1000
	maxPlainKey   = 512 // well below the limit that YAML sets
)

type reader struct {
	data   string
	at     int
	unsure bool

	snippets int // how many there were

	line      sourceLine // the last result of lineAt
	lineStart int

	library Library

	// Stacks: the members and items that were read of open mappings and
	// sequences.
	members []member
	items   []any
}

type member struct {
	key   string
	value any
}

// sourceLine is a line of the document. Its text starts at the first character
// that is not a space.
type sourceLine struct {
	indent, end int
	text        string
}

// giveUp makes the reader leave the document to the library.
func (r *reader) giveUp() any {
	r.unsure = true
	r.at = math.MaxInt
	return nil
}

// peek returns the next line that is neither empty nor a comment, without
// reading it. At the end, the line has the indent -1.
func (r *reader) peek() sourceLine {
	for r.at < len(r.data) {
		line := r.lineAt(r.at)
		if line.text != "" && line.text[0] != '#' {
			return line
		}
		r.at = line.end
	}
	return sourceLine{indent: -1}
}

// lineAt returns the line that starts at an offset. It remembers the last one,
// because the same line is often asked for again.
func (r *reader) lineAt(at int) sourceLine {
	if r.line.end > 0 && at == r.lineStart {
		return r.line
	}
	end := at + strings.IndexByte(r.data[at:], '\n') + 1
	indent := 0
	for r.data[at+indent] == ' ' {
		indent++
	}
	r.line, r.lineStart = sourceLine{indent: indent, end: end, text: r.data[at+indent : end-1]}, at
	return r.line
}

// block reads the collection that starts with this line. Its first item is in
// column col.
func (r *reader) block(line sourceLine, col, depth int) any {
	switch {
	case depth > maxPlainDepth:
		return r.giveUp()
	case isDash(line.text):
		return r.sequence(line, col, depth)
	default:
		return r.mapping(line, col, depth)
	}
}

func isDash(text string) bool {
	return text == "-" || strings.HasPrefix(text, "- ")
}

func (r *reader) sequence(line sourceLine, col, depth int) any {
	start := len(r.items)
	for {
		rest := strings.TrimLeft(line.text[1:], " ")
		item := r.item(line, rest, col, depth)
		r.items = append(r.items, item)
		next := r.peek()
		if next.indent < col || next.indent == col && !isDash(next.text) {
			return r.list(start)
		}
		if next.indent > col {
			return r.giveUp()
		}
		line = next
	}
}

// item reads one item of a sequence. The argument rest is what follows its
// dash.
func (r *reader) item(line sourceLine, rest string, col, depth int) any {
	inner := col + len(line.text) - len(rest)
	if rest == "" || rest[0] == '#' {
		r.at = line.end
		next := r.peek()
		if next.indent <= col {
			return nil
		}
		return r.nested(next, col, depth)
	}
	if isDash(rest) || isKey(rest) {
		return r.block(sourceLine{indent: inner, end: line.end, text: rest}, inner, depth+1)
	}
	return r.scalar(rest, line.end, col)
}

// nested reads a value that starts on a line below its key or dash.
func (r *reader) nested(next sourceLine, parent, depth int) any {
	if isDash(next.text) || isKey(next.text) {
		return r.block(next, next.indent, depth+1)
	}
	return r.scalar(next.text, next.end, parent)
}

func (r *reader) mapping(line sourceLine, col, depth int) any {
	start := len(r.members)
	for {
		key, rest, ok := splitKey(line.text)
		if !ok {
			return r.giveUp()
		}
		value := r.valueOf(line, rest, col, depth)
		r.members = append(r.members, member{key, value})
		next := r.peek()
		if next.indent < col {
			return r.object(start)
		}
		if next.indent > col {
			return r.giveUp()
		}
		line = next
	}
}

// valueOf reads the value of a key in column col. The argument rest is what
// follows the colon.
func (r *reader) valueOf(line sourceLine, rest string, col, depth int) any {
	if rest != "" && rest[0] != '#' {
		return r.scalar(rest, line.end, col)
	}
	r.at = line.end
	next := r.peek()
	switch {
	case next.indent < col:
		return nil
	case next.indent > col:
		return r.nested(next, col, depth)
	case isDash(next.text):
		return r.sequence(next, col, depth+1)
	default:
		return nil
	}
}

// isKey reports whether a text may start with a key. It may be true for a text
// that splitKey rejects.
func isKey(text string) bool {
	return colon(text) >= 0
}

// splitKey cuts "key: rest". It takes only keys that are clearly strings, or
// integers in canonical form.
func splitKey(text string) (key, rest string, ok bool) {
	if c := text[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(text[1:], c)
		if end < 0 {
			return "", "", false
		}
		key, rest = text[1:end+1], text[end+2:]
		if len(key) > maxPlainKey || strings.Contains(key, `\`) {
			return "", "", false
		}
		if rest == ":" || strings.HasPrefix(rest, ": ") {
			return key, strings.TrimLeft(rest[1:], " "), true
		}
		return "", "", false
	}
	end := colon(text)
	if end <= 0 || end > maxPlainKey {
		return "", "", false
	}
	key = strings.TrimRight(text[:end], " ")
	if !plainKey(key) {
		return "", "", false
	}
	return key, strings.TrimLeft(text[end+1:], " "), true
}

// colon returns the index of the first colon that ends the text or that a space
// follows, or -1.
func colon(text string) int {
	i := strings.Index(text, ": ")
	if i < 0 && strings.HasSuffix(text, ":") {
		return len(text) - 1
	}
	return i
}

func plainKey(key string) bool {
	if strings.Contains(key, " #") || strings.Contains(key, "\t") {
		return false
	}
	if _, ok := canonicalInteger(key); ok {
		return true
	}
	return plainString(key)
}

// list returns the items that were read since start.
func (r *reader) list(start int) any {
	items := r.items[start:]
	r.items = r.items[:start]
	return append(make([]any, 0, len(items)), items...)
}

// object returns the members that were read since start. A duplicate key makes
// the reader give up.
func (r *reader) object(start int) any {
	members := r.members[start:]
	r.members = r.members[:start]
	object := make(map[string]any, len(members))
	for _, m := range members {
		object[m.key] = m.value
	}
	if len(object) < len(members) {
		return r.giveUp()
	}
	return object
}
