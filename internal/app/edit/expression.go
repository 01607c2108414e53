package edit

import (
	"regexp"
	"slices"
	"strings"
)

// expression is a rule in CEL in the text of a definition, cut into tokens. It
// need not parse: while it is typed, it does not.
type expression struct {
	schema *schemaText
	self   int // the schema node that the rule is at
	tokens []token
	key    wayKey
}

// token is a part of an expression with its place: bytes of a line.
type token struct {
	kind       byte // i for an identifier, s for a string, n for a number, else itself
	text       string
	line       int
	start, end int
}

var tokenText = regexp.MustCompile(`^(?:(` + "`[^`]*`" + `|[A-Za-z_]\w*)|(\d[\w.]*)` +
	`|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\S))`)

// newExpression returns the expression that is the value of a key, up to a byte
// of a line. A line behind the last one is the whole.
func newExpression(lines []string, schema *schemaText, key wayKey, line, offset int) *expression {
	e := &expression{schema: schema, self: -1, key: key}
	if rule, ok := schema.byID[key.parent]; ok { // the item of the rule
		e.self = rule
	}
	if key.end.Column > 0 {
		e.flow(lines, line, offset)
		return e
	}
	text := lines[key.line]
	start := min(key.column+len(key.key)+1, len(text))
	if i := strings.Index(text[start:], ":"); i >= 0 && text[start-1] != ':' {
		start += i + 1 // the key is in quotes
	}
	quote := byte(0)
	if rest := strings.TrimLeft(text[start:], " "); rest != "" {
		switch {
		case blockText.MatchString(rest):
			start = len(text)
		case rest[0] == '"' || rest[0] == '\'':
			quote, start = rest[0], len(text)-len(rest)+1
		}
	}
	for n := key.line; n < len(lines) && n <= line; n++ {
		if n > key.line {
			if start = indent(lines[n]); start <= key.column && start < len(lines[n]) {
				break
			}
		}
		end := len(lines[n])
		if n == line {
			end = min(offset, end)
		}
		e.line(n, min(start, end), unescaped(lines[n][:end], quote))
	}
	return e
}

// flow reads the value of a key in flow style, up to a byte of a line.
func (e *expression) flow(lines []string, line, offset int) {
	from, end := e.key.from, e.key.end.Column
	text := lines[from.Line]
	quote := text[from.Column]
	if quote == '"' || quote == '\'' {
		if from.Column++; e.key.end.Column > from.Column && text[end-1] == quote {
			end--
		}
	}
	if from.Line == line {
		end = min(end, offset)
	}
	e.line(from.Line, min(from.Column, end), unescaped(text[:end], quote))
}

// unescaped returns a line with the same columns, in which the quotes of a YAML
// scalar cannot be taken for those of the expression.
func unescaped(line string, quote byte) string {
	switch quote {
	case '\'':
		line = strings.ReplaceAll(line, "''", " \x00")
		return strings.ReplaceAll(strings.ReplaceAll(line, "'", " "), "\x00", "'")
	case '"':
		line = strings.ReplaceAll(line, `\"`, " \x00")
		return strings.ReplaceAll(strings.ReplaceAll(line, `"`, " "), "\x00", `"`)
	}
	return line
}

// line cuts a line into tokens.
func (e *expression) line(number, from int, text string) {
	for at := from; at < len(text); {
		if text[at] == ' ' || text[at] == '\t' {
			at++
			continue
		}
		m := tokenText.FindStringSubmatch(text[at:])
		if m == nil {
			return
		}
		kind := m[0][0]
		for i, k := range []byte{'i', 'n', 's'} {
			if m[i+1] != "" {
				kind = k
			}
		}
		e.tokens = append(e.tokens, token{kind, m[0], number, at, at + len(m[0])})
		at += len(m[0])
	}
}

// is reports whether a token is there and has a text.
func (e *expression) is(i int, text string) bool {
	return i >= 0 && i < len(e.tokens) && e.tokens[i].kind != 's' && e.tokens[i].text == text
}

// operand returns the index of the first token of the operand that ends before
// a token: a name with selections, indexes and calls behind it.
func (e *expression) operand(end int) int {
	i := end - 1
	for i >= 0 {
		switch e.tokens[i].kind {
		case ')', ']', '}':
			j := e.opening(i)
			if !e.goesOn(i, j) {
				return max(j, 0)
			}
			i = j - 1
		case 'i', 's', 'n':
			switch {
			case e.is(i-1, "."):
				i -= 2
			case e.is(i-1, "?") && e.is(i-2, "."):
				i -= 3
			default:
				return i
			}
		default:
			return i + 1
		}
	}
	return 0
}

// goesOn reports whether an operand goes on before its brackets: they are those
// of a call or of an index.
func (e *expression) goesOn(closing, opening int) bool {
	if opening < 1 {
		return false
	}
	isNamed := e.tokens[opening-1].kind == 'i'
	switch e.tokens[closing].kind {
	case ')':
		return isNamed
	case ']':
		return isNamed || e.is(opening-1, ")") || e.is(opening-1, "]")
	}
	return false
}

// opening returns the index of the bracket that belongs to a closing one.
func (e *expression) opening(closing int) int {
	depth := 0
	for i := closing; i >= 0; i-- {
		switch e.tokens[i].kind {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// closing returns the index of the bracket that belongs to an opening one.
func (e *expression) closing(opening int) int {
	depth := 0
	for i := opening; i < len(e.tokens); i++ {
		switch e.tokens[i].kind {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(e.tokens)
}

// typeOf returns the type of an operand: of the tokens from start to end.
func (e *expression) typeOf(start, end int) celType {
	if start >= end || start < 0 {
		return celType{}
	}
	t, i := e.first(start, end)
	for i < end {
		switch {
		case e.is(i, "["):
			isOptional := e.is(i+1, "?")
			i = e.closing(i) + 1
			t = t.selected(isOptional, celType.element)
		case e.is(i, "."):
			isOptional := e.is(i+1, "?")
			if i++; isOptional {
				i++
			}
			if i >= end || e.tokens[i].kind != 'i' {
				return celType{}
			}
			name := e.tokens[i].text
			if i++; e.is(i, "(") {
				i = e.closing(i) + 1
				t = resultOf(name, t)
			} else {
				t = t.selected(isOptional, func(of celType) celType {
					return e.schema.field(of, name)
				})
			}
		default:
			return celType{}
		}
	}
	return t
}

// first returns the type of what an operand begins with, and the token behind.
func (e *expression) first(start, end int) (celType, int) {
	switch t := e.tokens[start]; {
	case t.kind == 's':
		return celType{name: "string"}, start + 1
	case t.kind == 'n':
		return celType{name: "int"}, start + 1
	case t.kind == '[' || t.kind == '{' || t.kind == '(':
		close := e.closing(start)
		switch t.kind {
		case '[':
			return celType{name: "list"}, close + 1
		case '(':
			return e.typeOf(start+1, min(close, end)), close + 1
		}
		return celType{name: "map"}, close + 1
	case t.kind != 'i':
		return celType{}, end
	case e.is(start+1, "("):
		return resultOf(t.text, celType{name: globalReceiver}), e.closing(start+1) + 1
	case t.text == "self" || t.text == "oldSelf":
		return e.schema.typeAt(e.self), start + 1
	}
	return e.variable(e.tokens[start].text, start), start + 1
}

// macros are calls that name variables for the elements of their receiver.
var macros = []string{
	"all", "exists", "exists_one", "existsOne", "filter", "map", "sortBy", "optMap", "optFlatMap",
	"transformList", "transformMap", "transformMapEntry",
}

// variables calls a function for each variable that is known at a token, the
// innermost first.
func (e *expression) variables(at int, do func(name string, of celType)) {
	depth := 0
	for i := at - 1; i > 1; i-- {
		switch e.tokens[i].kind {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth = max(depth-1, 0)
		case '(':
			if depth > 0 {
				depth--
				continue
			}
			if !slices.Contains(macros, e.tokens[i-1].text) || !e.is(i-2, ".") {
				continue
			}
			over := e.typeOf(e.operand(i-2), i-2)
			first, second := over.element(), over.element()
			if over.name == "map" {
				first = celType{name: "string"}
			}
			hasTwo := e.is(i+2, ",") && e.is(i+4, ",") && e.tokens[i+3].kind == 'i'
			if hasTwo && over.name == "list" {
				first = celType{name: "int"}
			}
			if e.is(i+2, ",") && i+1 < at {
				do(e.tokens[i+1].text, first)
			}
			if hasTwo && i+3 < at {
				do(e.tokens[i+3].text, second)
			}
		}
	}
}

// variable returns the type of a variable at a token.
func (e *expression) variable(name string, at int) (found celType) {
	isFound := false
	e.variables(at, func(n string, of celType) {
		if n == name && !isFound {
			found, isFound = of, true
		}
	})
	return found
}
