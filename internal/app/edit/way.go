package edit

import (
	"regexp"
	"strings"
)

// way is where a position lies in a document: the keys and items around it, as
// far as lines and their indentation tell.
type way struct {
	steps []wayStep
	// parent identifies the object that the position is in.
	parent int
	// inValue is set behind a key and its colon, which is then the last step.
	inValue bool
	// typed is what stands before the position: the start of a key or a value,
	// which begins at the byte start of the line.
	typed string
	start int
	// inText is set within a block of text, and inComment behind a #.
	inText, inComment bool
	// flow is the { or [ that the position is within, if it is in flow style,
	// and inJSON is set if the whole document is.
	flow   byte
	inJSON bool
	keys   []wayKey    // all keys of the document
	items  map[int]int // the list of each item
}

// wayStep is a key, or an item of a list.
type wayStep struct {
	key  string
	item bool
	id   int
}

// wayKey is a key of a document.
type wayKey struct {
	key, value   string
	line, column int // the column in bytes
	id, parent   int
	from, end    Position // of a value in flow style, in bytes
}

// level is a key or an item that may have something below it. Its order is
// twice its column, and one more for an item: items may stand in the column of
// the key above them.
type level struct {
	wayStep
	order int
}

var (
	separator = regexp.MustCompile(`^---(\s|$)`)
	keyText   = regexp.MustCompile(`^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#"'\[\]{},|>-][^#]*?|-[^\s#][^#]*?):(?:\s|$)`)
	comment   = regexp.MustCompile(`^\s*(?:- *)*(?:[\w.-]+: +(?:[^'"\s][^'"]*)?)?#`)
	blockText = regexp.MustCompile(`^[|>][-+0-9]*\s*(#.*)?$`)
)

// scanner reads a document line by line.
type scanner struct {
	levels []level
	keys   []wayKey
	items  map[int]int
	next   int
	text   int // the column of the key of a block of text, -1 outside of one

	flows   []flow
	base    int  // the column of what holds the outermost of flows
	token   int  // where the scalar in flow style begins, -1 outside of one
	comment bool // in flow style
}

// wayTo returns the way to a byte of a line.
func wayTo(lines []string, line, offset int) *way {
	first, last := bounds(lines, line)
	s := &scanner{text: -1, items: map[int]int{}}
	var w *way
	for i := first; i < last; i++ {
		if i == line {
			w = s.stop(i, lines[i], min(offset, len(lines[i])), nextIndent(lines[i:last]))
		}
		s.line(i, lines[i])
	}
	if w == nil {
		w = &way{}
	}
	w.keys, w.items = s.keys, s.items
	return w
}

// bounds returns the lines of the document that a line is in.
func bounds(lines []string, line int) (first, last int) {
	first = min(line, len(lines))
	for first > 0 && !separator.MatchString(lines[first-1]) {
		first--
	}
	last = first
	for last < len(lines) && !separator.MatchString(lines[last]) {
		last++
	}
	return first, last
}

// nextIndent returns the indentation of the first line that is not empty, -1
// without one.
func nextIndent(lines []string) int {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return indent(line)
		}
	}
	return -1
}

// stop returns the way to a byte of the line that comes next. next is the
// indentation of what comes at or after it.
func (s *scanner) stop(number int, line string, offset, next int) *way {
	before := line[:offset]
	column := indent(before)
	if s.text >= 0 && (column > s.text || strings.TrimSpace(line) == "" && next > s.text) {
		return &way{
			steps: s.steps(2*s.text + 1), inText: true, typed: before[column:], start: column,
		}
	}
	if w := s.stopInFlow(number, before); w != nil {
		return w
	}
	at := *s
	at.levels = append([]level(nil), s.levels...)
	rest := before[column:]
	if comment.MatchString(before) {
		return &way{inComment: true}
	}
	for strings.HasPrefix(rest, "- ") || rest == "-" {
		at.item(column)
		n := len(rest) - len(strings.TrimLeft(rest[1:], " "))
		column, rest = column+n, rest[n:]
	}
	if m := keyText.FindStringSubmatch(rest + " "); m != nil {
		at.key(0, column, unquote(m[1]), "")
		value := strings.TrimLeft(rest[len(m[1])+1:], " ")
		return &way{steps: at.steps(1 << 30), parent: at.parent(1 << 30), inValue: true,
			typed: value, start: offset - len(value)}
	}
	return &way{steps: at.steps(2 * column), parent: at.parent(2 * column),
		typed: rest, start: offset - len(rest)}
}

// line reads a line.
func (s *scanner) line(number int, line string) {
	column := indent(line)
	rest := strings.TrimRight(line[column:], " \r")
	s.token, s.comment = -1, false
	if rest == "" || s.text >= 0 && column > s.text {
		return
	}
	s.text = -1
	if len(s.flows) > 0 && (column > s.base || rest[0] == '}' || rest[0] == ']') {
		s.flowing(number, line, column)
		return
	}
	s.flows = nil
	if rest[0] == '#' {
		return
	}
	for strings.HasPrefix(rest, "- ") || rest == "-" {
		s.item(column)
		n := len(rest) - len(strings.TrimLeft(rest[1:], " "))
		column, rest = column+n, rest[n:]
	}
	if isFlow(rest) {
		if s.cut(2 * column); len(s.levels) > 0 || len(s.keys) == 0 {
			s.begin(number, line, column)
		}
		return
	}
	m := keyText.FindStringSubmatch(rest)
	if m == nil {
		return
	}
	value := strings.TrimSpace(rest[len(m[1])+1:])
	s.key(number, column, unquote(m[1]), value)
	switch {
	case blockText.MatchString(value):
		s.text = column
	case isFlow(value):
		s.begin(number, line, column+len(rest)-len(value))
	}
}

// item begins an item of a list.
func (s *scanner) item(column int) {
	s.cut(2*column + 1)
	s.next++
	s.items[s.next] = s.parent(2*column + 1)
	s.levels = append(s.levels, level{wayStep{item: true, id: s.next}, 2*column + 1})
}

// key begins a key.
func (s *scanner) key(line, column int, key, value string) {
	s.cut(2 * column)
	s.next++
	s.keys = append(s.keys, wayKey{
		key: key, value: value, line: line, column: column,
		id: s.next, parent: s.parent(2 * column),
	})
	s.levels = append(s.levels, level{wayStep{key: key, id: s.next}, 2 * column})
}

// cut ends the levels from an order on.
func (s *scanner) cut(order int) {
	n := len(s.levels)
	for n > 0 && s.levels[n-1].order >= order {
		n--
	}
	s.levels = s.levels[:n]
}

// steps returns the steps of the levels below an order.
func (s *scanner) steps(order int) (steps []wayStep) {
	for _, l := range s.levels {
		if l.order < order {
			steps = append(steps, l.wayStep)
		}
	}
	return steps
}

// parent returns the last level below an order, 0 at the top.
func (s *scanner) parent(order int) (id int) {
	for _, l := range s.levels {
		if l.order < order {
			id = l.id
		}
	}
	return id
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

func unquote(key string) string {
	if len(key) > 1 && (key[0] == '"' || key[0] == '\'') {
		return key[1 : len(key)-1]
	}
	return key
}

// inRule reports whether the position is in an expression in CEL of a
// definition.
func (w *way) inRule() bool {
	n := len(w.steps)
	isClosed := !w.inText && w.quote() != "" && scalarSize(w.typed+" ") <= len(w.typed)
	return (w.inText || w.inValue) && n > 2 && isExpression(w.steps[n-1].key) &&
		inSchema(w.steps[:n-1]) == atRule && !isClosed
}

func isExpression(key string) bool { return key == "rule" || key == "messageExpression" }

// quote returns the quote that what was typed begins with.
func (w *way) quote() string {
	if w.typed == "" || w.typed[0] != '"' && w.typed[0] != '\'' {
		return ""
	}
	return w.typed[:1]
}

// value returns the plain value of a key at the top of the document.
func (w *way) value(key string) string {
	for _, k := range w.keys {
		if k.parent == 0 && k.key == key {
			return strings.Trim(strings.TrimSpace(strings.SplitN(k.value, " #", 2)[0]), `"'`)
		}
	}
	return ""
}

// taken returns the keys that the object around the position has, except the
// one that is being typed.
func (w *way) taken(line int) map[string]bool {
	taken := map[string]bool{}
	for _, k := range w.keys {
		if k.parent == w.parent && (k.line != line || k.column != w.start) {
			taken[k.key] = true
		}
	}
	return taken
}
