package yamlfast

import (
	"bytes"
	"strconv"
	"strings"
)

// plainString reports whether a plain scalar is certainly a string. It starts
// with an ASCII letter, or with one of a few harmless characters, and is not a
// word of YAML, e.g. yes. It may also start with a dot and a letter if it is
// longer than such words.
func plainString(s string) bool {
	if s[0] == '.' && len(s) > 5 {
		s = s[1:]
	}
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

// canonicalInteger reads a decimal integer without a plus sign, leading zeros
// or separators.
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

// scalar reads a scalar, or a flow collection on one line. It starts with text,
// on the line that ends at end.
func (r *reader) scalar(text string, end, parent int) any {
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

// plain reads a plain scalar with its continuation lines. A line break between
// two lines is a space; n empty lines are n line breaks.
func (r *reader) plain(text string, end, parent int) any {
	r.at = end
	text, cut := cutComment(text)
	if !plainLine(text) {
		return r.giveUp()
	}
	if cut {
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
		return string(long)
	}
	return r.resolve(text)
}

// cutComment cuts a comment and white space from the end of the first line of a
// plain scalar.
func cutComment(text string) (rest string, cut bool) {
	text, _, cut = strings.Cut(text, " #")
	return strings.TrimRight(text, " "), cut
}

// plainLine reports whether a line can be part of a plain scalar: it has no
// key, no comment and no tab.
func plainLine(text string) bool {
	return colon(text) < 0 && !strings.Contains(text, " #") && !strings.Contains(text, "\t")
}

// resolve returns the value of a plain scalar: a string, an integer, a bool or
// null.
func (r *reader) resolve(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	case "null", "~":
		return nil
	}
	if plainString(text) {
		return text
	}
	if n, ok := canonicalInteger(text); ok {
		return n
	}
	return r.snippet(text)
}

// snippet has the library decode a piece of YAML that means the same alone. To
// start the library takes about as long as to decode 100 bytes. If snippets are
// denser than that, the whole document is faster: the reader gives up.
func (r *reader) snippet(text string) any {
	const few, bytesEach = 100, 100
	if r.snippets++; r.snippets > few && r.snippets*bytesEach > r.at {
		return r.giveUp()
	}
	value, strict, err := r.library([]byte(text))
	if err != nil || len(strict) > 0 {
		return r.giveUp()
	}
	return value
}

// quoted reads a quoted scalar, which may extend over many lines.
func (r *reader) quoted(text string, end int) any {
	start := end - 1 - len(text) // in data
	quote := text[0]
	for i := start + 1; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '\\' && quote == '"':
			i++
		case c == '\'' && r.data[i+1] == '\'':
			i++
		case c == quote:
			return r.closeQuoted(r.data[start:i+1], i+1)
		}
	}
	return r.giveUp()
}

// closeQuoted takes a complete quoted scalar. Only white space or a comment may
// follow on its last line.
func (r *reader) closeQuoted(raw string, after int) any {
	end := after + strings.IndexByte(r.data[after:], '\n') + 1
	rest := r.data[after : end-1]
	trimmed := strings.TrimLeft(rest, " ")
	if trimmed != "" && (trimmed[0] != '#' || len(trimmed) == len(rest)) {
		return r.giveUp()
	}
	r.at = end
	if strings.Contains(raw, "\n---") || strings.Contains(raw, "\n...") {
		return r.giveUp()
	}
	if text, ok := unquote(raw[1:len(raw)-1], raw[0]); ok {
		return text
	}
	return r.snippet(raw)
}

// unquote returns the string between quotes. It reports false if there are tabs
// or rare escapes.
func unquote(inner string, quote byte) (text string, ok bool) {
	special := "\n\t'"
	if quote == '"' {
		special = "\n\t\\"
	}
	if !strings.ContainsAny(inner, special) {
		return inner, true
	}
	out := make([]byte, 0, len(inner))
	for joined := false; inner != ""; {
		after := joined // after an escaped line break
		joined = false
		switch c := inner[0]; {
		case c == '\t':
			return "", false
		case c == ' ' || c == '\n':
			rest := strings.TrimLeft(inner, " \n")
			out = appendBlank(out, inner[:len(inner)-len(rest)], after)
			inner = rest
		case c == '\\' && quote == '"':
			at := strings.IndexByte("\nn\"\\", inner[1])
			if at < 0 {
				return "", false
			}
			if joined = at == 0; !joined {
				out = append(out, "\n\n\"\\"[at])
			}
			inner = inner[2:]
		case c == quote:
			out = append(out, c)
			inner = inner[2:]
		default:
			end := len(inner)
			if i := strings.IndexAny(inner[1:], special+" "); i >= 0 {
				end = 1 + i
			}
			out = append(out, inner[:end]...)
			inner = inner[end:]
		}
	}
	return string(out), true
}

// appendBlank appends the spaces and line breaks between two words. Spaces stay
// as they are. A line break with spaces around it is a space, and n empty lines
// are n line breaks. An escaped line break and the spaces after it are dropped.
func appendBlank(out []byte, blank string, escaped bool) []byte {
	breaks := strings.Count(blank, "\n")
	switch {
	case escaped:
	case breaks == 0:
		return append(out, blank...)
	case breaks == 1:
		return append(out, ' ')
	default:
		breaks--
	}
	return append(out, strings.Repeat("\n", breaks)...)
}

// flow reads a flow collection that ends on its first line.
func (r *reader) flow(text string, end int) any {
	r.at = end
	text = strings.TrimRight(text, " ")
	switch text {
	case "{}":
		return map[string]any{}
	case "[]":
		return []any{}
	}
	if closing(text) != len(text)-1 || strings.IndexByte(text, '\t') >= 0 {
		return r.giveUp()
	}
	return r.snippet(text)
}

// closing returns the index of the bracket that closes the first one, ignoring
// quoted text. It returns -1 without one, or if quotes make it unclear.
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

// literal reads the text after |, which a chomping indicator may follow. Text
// with an indentation indicator goes to the library.
func (r *reader) literal(header string, end, parent int) any {
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
	return chomp(&text, header, breaks)
}

// literalIndent returns the indentation of literal text: that of its first line
// with content.
func (r *reader) literalIndent(parent int) (indent int, ok bool) {
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

// chomp ends literal text as its header says. The argument breaks counts the
// line breaks after its last line with content.
func chomp(text *bytes.Buffer, header string, breaks int) string {
	switch {
	case header == "|":
		text.WriteByte('\n')
	case header == "|+":
		for ; breaks > 0; breaks-- {
			text.WriteByte('\n')
		}
	}
	return text.String()
}
