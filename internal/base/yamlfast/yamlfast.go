package yamlfast

import (
	"strings"

	"github.com/crdsem/crdsem/internal/base/dom"
)

// Manifests are mostly block mappings, block sequences, plain or quoted scalars and literal text, and most of the time
// that the YAML library takes goes into machinery for everything else. Decode reads that plain part directly.
//
// Implementation notes:
//   - It answers only where it is sure to agree with the library, and otherwise hands the whole document back
//     (ok false): anchors, tags, directives, folded text, tabs, duplicate or odd keys, anything malformed.
//   - A scalar or a flow collection that needs more than a look goes to the library by itself (snippet).
//   - at is the offset of the next unread line; a line's indent is its number of leading spaces.
//   - parent is always the column of the block that holds a scalar: its continuation lines are indented more.
//   - The twin is the library: FuzzYAML compares the two.

// Decode decodes one YAML document of the plain kind. ok is false where only the library can tell.
func Decode(data []byte) (value any, ok bool) {
	return new(reader).document(data)
}

// DecodeNode is Decode for a document that becomes nodes.
func DecodeNode(data []byte) (root *dom.Node, ok bool) {
	r := &reader{nodes: &dom.Builder{}}
	value, ok := r.document(data)
	root, _ = value.(*dom.Node)
	return root, ok
}

func (r *reader) document(data []byte) (value any, ok bool) {
	if !plainText(data) {
		return nil, false
	}
	r.data = string(data)
	if line, found := r.peek(); found && line.indent == 0 && strings.TrimRight(line.text, " ") == "---" {
		r.at = line.end
	}
	line, found := r.peek()
	if !found {
		return nil, false
	}
	value = r.block(line, line.indent, 0)
	if _, more := r.peek(); more || r.unsure {
		return nil, false
	}
	return value, true
}

const (
	maxPlainDepth = 1000
	maxPlainKey   = 512 // YAML bounds a key's length; this is well below
)

type reader struct {
	data   string
	at     int
	unsure bool

	line      sourceLine // that lineAt found last
	lineStart int

	nodes *dom.Builder // all that is read becomes a *dom.Node of these; nil: it becomes what Decode gives

	// What was read of the mappings and sequences that are not at their ends.
	members []member
	items   []any
}

type member struct {
	key   string
	value any
}

// sourceLine is a line with content: text starts at the first character that is no space.
type sourceLine struct {
	indent, end int
	text        string
}

// giveUp makes Decode hand the document to the library.
func (r *reader) giveUp() any {
	r.unsure = true
	r.at = len(r.data)
	return nil
}

// peek finds the next line that is neither empty nor a comment, without reading it.
func (r *reader) peek() (sourceLine, bool) {
	for r.at < len(r.data) {
		line := r.lineAt(r.at)
		if line.text != "" && line.text[0] != '#' {
			if line.text[0] == '\t' || line.indent == 0 && (line.text[0] == '%' || strings.HasPrefix(line.text, "...")) {
				r.giveUp()
				return sourceLine{}, false
			}
			return line, true
		}
		r.at = line.end
	}
	return sourceLine{}, false
}

// lineAt returns the line that starts at an offset. The same line is asked for again and again.
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

// block reads the collection that starts with this line, whose first item stands in column col.
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
		next, found := r.peek()
		if !found || next.indent < col || next.indent == col && !isDash(next.text) {
			return r.list(start)
		}
		if next.indent > col || strings.HasPrefix(next.text, "---") {
			return r.giveUp()
		}
		line = next
	}
}

// item reads one item of a sequence; rest is what follows its dash.
func (r *reader) item(line sourceLine, rest string, col, depth int) any {
	inner := col + len(line.text) - len(rest)
	if rest == "" || rest[0] == '#' {
		r.at = line.end
		next, found := r.peek()
		if !found || next.indent <= col {
			return nil
		}
		return r.nested(next, col, depth)
	}
	if isDash(rest) || isKey(rest) {
		return r.block(sourceLine{indent: inner, end: line.end, text: rest}, inner, depth+1)
	}
	return r.scalar(rest, line.end, col)
}

// nested reads the node that stands on lines of its own below its parent.
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
		if !ok || isDash(line.text) {
			return r.giveUp()
		}
		value := r.valueOf(line, rest, col, depth)
		r.members = append(r.members, member{key, value})
		next, found := r.peek()
		if !found || next.indent < col {
			return r.object(start)
		}
		if next.indent > col {
			return r.giveUp()
		}
		line = next
	}
}

// valueOf reads the value of a key in column col; rest is what follows the colon.
func (r *reader) valueOf(line sourceLine, rest string, col, depth int) any {
	if rest != "" && rest[0] != '#' {
		return r.scalar(rest, line.end, col)
	}
	r.at = line.end
	next, found := r.peek()
	switch {
	case !found || next.indent < col:
		return nil
	case next.indent > col:
		return r.nested(next, col, depth)
	case isDash(next.text):
		return r.sequence(next, col, depth+1)
	default:
		return nil
	}
}

// isKey tells whether a text starts with a key. It may say so of what splitKey then refuses.
func isKey(text string) bool {
	_, _, ok := splitKey(text)
	return ok || strings.HasSuffix(text, ":") || strings.Contains(text, ": ")
}

// splitKey cuts "key: rest". Only keys that are plainly strings, or integers in canonical form, are taken.
func splitKey(text string) (key, rest string, ok bool) {
	if c := text[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(text[1:], c)
		if end < 0 {
			return "", "", false
		}
		key, rest = text[1:end+1], text[end+2:]
		if len(key) > maxPlainKey || strings.IndexByte(key, '\\') >= 0 || strings.HasPrefix(rest, "'") {
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

// colon finds the first colon that is followed by a space or the end of the text.
func colon(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], ':')
		if i < 0 {
			return -1
		}
		i += from
		if i+1 == len(text) || text[i+1] == ' ' {
			return i
		}
		from = i + 1
	}
}

// comment finds the first # after a space; -1 if there is none.
func comment(text string) int {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '#')
		if i < 0 {
			return -1
		}
		i += from
		if i > 0 && text[i-1] == ' ' {
			return i
		}
		from = i + 1
	}
}

func plainKey(key string) bool {
	if comment(key) >= 0 || strings.IndexByte(key, '\t') >= 0 {
		return false
	}
	if _, ok := canonicalInteger(key); ok {
		return true
	}
	return plainString(key)
}
