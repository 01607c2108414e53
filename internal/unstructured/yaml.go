package unstructured

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// Manifests are mostly block mappings, block sequences, plain or quoted scalars and literal text, and most of the time
// that the YAML library takes goes into machinery for everything else. plainYAML reads that plain part directly.
//
// Implementation notes:
//   - It answers only where it is sure to agree with the library, and otherwise hands the whole document back
//     (ok false): anchors, tags, directives, folded text, tabs, duplicate or odd keys, anything malformed.
//   - A scalar or a flow collection that needs more than a look goes to the library by itself (snippet).
//   - at is the offset of the next unread line; a line's indent is its number of leading spaces.
//   - parent is always the column of the block that holds a scalar: its continuation lines are indented more.
//   - The twin is the library: FuzzYAML compares the two.

// plainYAML decodes one YAML document of the plain kind. ok is false where only the library can tell.
func plainYAML(data []byte) (value any, ok bool) {
	return new(yamlReader).document(data)
}

// plainYAMLNode is plainYAML for a document that becomes nodes.
func plainYAMLNode(data []byte) (root *Node, ok bool) {
	r := &yamlReader{nodes: &Nodes{}}
	value, ok := r.document(data)
	root, _ = value.(*Node)
	return root, ok
}

func (r *yamlReader) document(data []byte) (value any, ok bool) {
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

// plainText tells whether the bytes are valid UTF-8 that ends with a line break and holds no control character, no
// byte-order mark, and no line break but \n. Tabs are looked at where they stand.
func plainText(data []byte) bool {
	if len(data) == 0 || data[len(data)-1] != '\n' {
		return false
	}
	for i := 0; i < len(data); {
		c := data[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError || r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r&0xfffe == 0xfffe {
			return false
		}
		i += size
	}
	return true
}

const (
	maxPlainDepth = 1000
	maxPlainKey   = 512 // YAML bounds a key's length; this is well below
)

type yamlReader struct {
	data   string
	at     int
	unsure bool

	nodes *Nodes // all that is read becomes a *Node of these; nil: it becomes what Decode gives

	// What was read of the mappings and sequences that are not at their ends.
	members []yamlMember
	items   []any
}

type yamlMember struct {
	key   string
	value any
}

// text makes a scalar of the document's result from a text, scalar from any other, list and object from what was read since start.
func (r *yamlReader) text(text string) any {
	if r.nodes != nil {
		return r.nodes.ofText(text)
	}
	return text
}

func (r *yamlReader) value(value any) any {
	if r.nodes != nil && value != nil {
		return r.nodes.Of(value)
	}
	return value
}

func (r *yamlReader) list(start int) any {
	items := r.items[start:]
	r.items = r.items[:start]
	if r.nodes == nil {
		return append(make([]any, 0, len(items)), items...)
	}
	first := len(r.nodes.entries)
	for _, item := range items {
		node, _ := item.(*Node)
		r.nodes.entries = append(r.nodes.entries, Entry{Value: node})
	}
	return r.nodes.ofList(first)
}

func (r *yamlReader) object(start int) any {
	members := r.members[start:]
	r.members = r.members[:start]
	if r.nodes == nil {
		object := make(map[string]any, len(members))
		for _, m := range members {
			object[m.key] = m.value
		}
		if len(object) < len(members) {
			return r.giveUp()
		}
		return object
	}
	first := len(r.nodes.entries)
	for _, m := range members {
		node, _ := m.value.(*Node)
		r.nodes.entries = append(r.nodes.entries, Entry{r.nodes.ofText(m.key), node})
	}
	object, ok := r.nodes.ofObject(first)
	if !ok {
		return r.giveUp()
	}
	return object
}

// yamlLine is a line with content: text starts at the first character that is no space.
type yamlLine struct {
	indent, end int
	text        string
}

// giveUp makes plainYAML hand the document to the library.
func (r *yamlReader) giveUp() any {
	r.unsure = true
	r.at = len(r.data)
	return nil
}

// peek finds the next line that is neither empty nor a comment, without reading it.
func (r *yamlReader) peek() (yamlLine, bool) {
	for r.at < len(r.data) {
		line := r.lineAt(r.at)
		if line.text != "" && line.text[0] != '#' {
			if line.text[0] == '\t' || line.indent == 0 && (line.text[0] == '%' || strings.HasPrefix(line.text, "...")) {
				r.giveUp()
				return yamlLine{}, false
			}
			return line, true
		}
		r.at = line.end
	}
	return yamlLine{}, false
}

func (r *yamlReader) lineAt(at int) yamlLine {
	end := at + strings.IndexByte(r.data[at:], '\n') + 1
	indent := 0
	for r.data[at+indent] == ' ' {
		indent++
	}
	return yamlLine{indent: indent, end: end, text: r.data[at+indent : end-1]}
}

// block reads the collection that starts with this line, whose first item stands in column col.
func (r *yamlReader) block(line yamlLine, col, depth int) any {
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

func (r *yamlReader) sequence(line yamlLine, col, depth int) any {
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
func (r *yamlReader) item(line yamlLine, rest string, col, depth int) any {
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
		return r.block(yamlLine{indent: inner, end: line.end, text: rest}, inner, depth+1)
	}
	return r.scalar(rest, line.end, col)
}

// nested reads the node that stands on lines of its own below its parent.
func (r *yamlReader) nested(next yamlLine, parent, depth int) any {
	if isDash(next.text) || isKey(next.text) {
		return r.block(next, next.indent, depth+1)
	}
	return r.scalar(next.text, next.end, parent)
}

func (r *yamlReader) mapping(line yamlLine, col, depth int) any {
	start := len(r.members)
	for {
		key, rest, ok := splitKey(line.text)
		if !ok || isDash(line.text) {
			return r.giveUp()
		}
		value := r.valueOf(line, rest, col, depth)
		r.members = append(r.members, yamlMember{key, value})
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
func (r *yamlReader) valueOf(line yamlLine, rest string, col, depth int) any {
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
	for i := 0; i < len(text); i++ {
		if text[i] == ':' && (i+1 == len(text) || text[i+1] == ' ') {
			return i
		}
	}
	return -1
}

func plainKey(key string) bool {
	if strings.Contains(key, " #") || strings.IndexByte(key, '\t') >= 0 {
		return false
	}
	if _, ok := canonicalInteger(key); ok {
		return true
	}
	return plainString(key)
}

// plainString tells whether a plain scalar is surely a string: it starts with an ASCII letter or one of a few harmless
// characters and is none of YAML's words.
func plainString(s string) bool {
	c := s[0] | 0x20
	if (c < 'a' || c > 'z') && s[0] != '$' && s[0] != '/' && s[0] != '(' && s[0] != '^' {
		return false
	}
	return len(s) > 5 || !isWord(s)
}

func isWord(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// canonicalInteger reads a decimal integer without sign tricks, leading zeros or separators.
func canonicalInteger(s string) (int64, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 18 || digits[0] == '0' && s != "0" {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// scalar reads a scalar, or a flow collection on one line, that starts with text, on the line that ends at end.
func (r *yamlReader) scalar(text string, end, parent int) any {
	switch text[0] {
	case '"', '\'':
		return r.quoted(text, end)
	case '|':
		return r.literal(text, end, parent)
	case '{', '[':
		return r.flow(text, end)
	case '>', '&', '*', '!', '%', '@', '`', '?', ':', ',', ']', '}', '#', '\t':
		return r.giveUp()
	case '-':
		if isDash(text) || strings.HasPrefix(text, "---") {
			return r.giveUp()
		}
	}
	return r.plain(text, end, parent)
}

// plain reads a plain scalar with its continuation lines: a line break between two of them is a space, n empty lines are n line breaks.
func (r *yamlReader) plain(text string, end, parent int) any {
	r.at = end
	text, comment := cutComment(text)
	if !plainLine(text) {
		return r.giveUp()
	}
	if comment {
		return r.resolve(text)
	}
	var long []byte
	for breaks := 1; r.at < len(r.data); {
		line := r.lineAt(r.at)
		if line.text == "" {
			breaks++
			r.at = line.end
			continue
		}
		if line.indent <= parent || line.text[0] == '#' {
			break
		}
		more := strings.TrimRight(line.text, " ")
		if !plainLine(more) {
			return r.giveUp()
		}
		if long == nil {
			long = []byte(text)
		}
		if breaks == 1 {
			long = append(long, ' ')
		} else {
			long = append(long, strings.Repeat("\n", breaks-1)...)
		}
		long = append(long, more...)
		breaks = 1
		r.at = line.end
	}
	if long != nil {
		if !plainString(text) {
			return r.giveUp()
		}
		return r.text(string(long))
	}
	return r.resolve(text)
}

// cutComment cuts a comment and white space from the end of a plain scalar's first line.
func cutComment(text string) (rest string, comment bool) {
	rest, _, comment = strings.Cut(text, " #")
	return strings.TrimRight(rest, " "), comment
}

// plainLine tells whether a line can be part of a plain scalar without a second look: no key, no comment, no tab.
func plainLine(text string) bool {
	return colon(text) < 0 && !strings.Contains(text, " #") && strings.IndexByte(text, '\t') < 0
}

// resolve gives a plain scalar its type.
func (r *yamlReader) resolve(text string) any {
	switch text {
	case "true":
		return r.value(true)
	case "false":
		return r.value(false)
	case "null", "~":
		return nil
	}
	if plainString(text) {
		return r.text(text)
	}
	if n, ok := canonicalInteger(text); ok {
		return r.value(n)
	}
	return r.snippet(text)
}

// snippet asks the library about a piece of YAML that means the same by itself.
func (r *yamlReader) snippet(text string) any {
	asJSON, err := yaml.YAMLToJSONStrict([]byte(text))
	if err == nil && strings.Contains(text, ":") {
		asJSON, err = YAMLToJSON([]byte(text)) // the library's choice among equal keys is random
	}
	if err != nil {
		return r.giveUp()
	}
	value, strict, err := DecodeJSON(asJSON)
	if err != nil || len(strict) > 0 {
		return r.giveUp()
	}
	return r.value(value)
}

// quoted reads a quoted scalar, which may go on over many lines.
func (r *yamlReader) quoted(text string, end int) any {
	start := end - 1 - len(text) // in data
	quote := text[0]
	for i := start + 1; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == '\'' && quote == '\'' && i+1 < len(r.data) && r.data[i+1] == '\'':
			i++
		case c == quote:
			return r.closeQuoted(r.data[start:i+1], i+1)
		}
	}
	return r.giveUp()
}

// closeQuoted takes a whole quoted scalar, after which only white space or a comment may stand on its last line.
func (r *yamlReader) closeQuoted(raw string, after int) any {
	end := after + strings.IndexByte(r.data[after:], '\n') + 1
	rest := r.data[after : end-1]
	if trimmed := strings.TrimLeft(rest, " "); trimmed != "" && (trimmed[0] != '#' || len(trimmed) == len(rest)) {
		return r.giveUp()
	}
	r.at = end
	inner := raw[1 : len(raw)-1]
	if strings.ContainsAny(inner, "\n\t") {
		if strings.Contains(raw, "\n---") || strings.Contains(raw, "\n...") {
			return r.giveUp()
		}
		return r.snippet(raw)
	}
	if raw[0] == '\'' {
		return r.text(strings.ReplaceAll(inner, "''", "'"))
	}
	if strings.IndexByte(inner, '\\') >= 0 {
		return r.snippet(raw)
	}
	return r.text(inner)
}

// flow reads a flow collection that ends on the line it starts on.
func (r *yamlReader) flow(text string, end int) any {
	r.at = end
	text = strings.TrimRight(text, " ")
	switch text {
	case "{}":
		return r.value(map[string]any{})
	case "[]":
		return r.value([]any{})
	}
	if closing(text) != len(text)-1 || strings.Contains(text, " #") || strings.IndexByte(text, '\t') >= 0 {
		return r.giveUp()
	}
	return r.snippet(text)
}

// closing finds the bracket that closes the first one, quotes left out of account; -1 if there is none or if quotes make it unclear.
func closing(text string) int {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				return i
			}
		case '"', '\'':
			skip := strings.IndexByte(text[i+1:], text[i])
			if skip < 0 || strings.IndexByte(text[i+1:i+1+skip], '\\') >= 0 {
				return -1
			}
			i += skip + 1
		}
	}
	return -1
}

// literal reads text after |, with an optional chomping indicator; text with an indentation indicator goes to the library.
func (r *yamlReader) literal(header string, end, parent int) any {
	header = strings.TrimRight(header, " ")
	if header != "|" && header != "|-" && header != "|+" {
		return r.giveUp()
	}
	r.at = end
	indent, ok := r.literalIndent(parent)
	if !ok {
		return r.giveUp()
	}
	var text bytes.Buffer
	breaks := 0
	for r.at < len(r.data) {
		line := r.lineAt(r.at)
		if line.indent < indent && line.text != "" {
			break
		}
		if line.text == "" && line.indent <= indent {
			breaks++
		} else {
			for ; breaks > 0; breaks-- {
				text.WriteByte('\n')
			}
			text.WriteString(r.data[r.at+indent : line.end-1])
			breaks = 1
		}
		r.at = line.end
	}
	return r.text(chomp(&text, header, breaks))
}

// literalIndent finds the indentation of literal text: that of its first line with content.
func (r *yamlReader) literalIndent(parent int) (indent int, ok bool) {
	blank := 0
	for at := r.at; at < len(r.data); {
		line := r.lineAt(at)
		if line.text != "" {
			return line.indent, line.indent > parent && line.indent >= blank && line.text[0] != '\t'
		}
		blank = max(blank, line.indent)
		at = line.end
	}
	return 0, false
}

// chomp ends literal text as its header says; breaks counts the line breaks after its last line with content.
func chomp(text *bytes.Buffer, header string, breaks int) string {
	switch {
	case header == "|" && text.Len() > 0 && breaks > 0:
		text.WriteByte('\n')
	case header == "|+":
		for ; breaks > 0; breaks-- {
			text.WriteByte('\n')
		}
	}
	return text.String()
}
