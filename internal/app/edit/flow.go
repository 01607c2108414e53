package edit

import (
	"slices"
	"strings"
)

// flow is a collection in braces or brackets that is not closed yet.
type flow struct {
	open    byte    // { or [
	above   int     // the id of what holds it, 0 at the top of a document
	step    wayStep // the key that was read last, or the item
	inValue bool    // behind a colon
}

// isFlow reports whether a value is in flow style.
func isFlow(value string) bool { return value != "" && (value[0] == '{' || value[0] == '[') }

// begin opens the collection that starts at a byte of a line, as the value of
// the last level. A line that is not indented more than that level ends it: it
// was left open. At the top of a document, as in JSON, no line does.
func (s *scanner) begin(number int, line string, at int) {
	s.base = -1
	if n := len(s.levels); n > 0 {
		s.base = s.levels[n-1].order / 2
	}
	s.push(line[at])
	s.flowing(number, line, at+1)
}

// push opens a collection within the one that is open, or in the last level.
func (s *scanner) push(open byte) {
	f := flow{open: open, above: s.parent(1 << 30)}
	if n := len(s.flows); n > 0 {
		if f.above = s.flows[n-1].step.id; f.above == 0 {
			f.above = -1 // a template
		}
	}
	if open == '[' {
		f.step = s.flowItem(f.above)
	}
	s.flows, s.token = append(s.flows, f), -1
}

func (s *scanner) flowItem(list int) wayStep {
	s.next++
	s.items[s.next] = list
	return wayStep{item: true, id: s.next}
}

// flowing reads a line from a byte on, until the outermost collection ends.
func (s *scanner) flowing(number int, line string, at int) {
	s.token = -1
	for at < len(line) && len(s.flows) > 0 {
		f := &s.flows[len(s.flows)-1]
		switch c := line[at]; c {
		case ' ', '\t', '\r':
			at++
			continue
		case '#':
			s.comment = true
			return
		case '{', '[':
			s.push(c)
		case '}', ']':
			s.flows, s.token = s.flows[:len(s.flows)-1], -1
		case ',':
			if f.inValue, f.step = false, (wayStep{}); f.open == '[' {
				f.step = s.flowItem(f.above)
			}
			s.token = -1
		case ':':
			f.inValue, s.token = f.step.key != "", -1
		default:
			at += s.scalar(f, number, line, at)
			continue
		}
		at++
	}
}

// scalar reads a key or a value, and returns its length.
func (s *scanner) scalar(f *flow, number int, line string, at int) int {
	s.token = at
	size := scalarSize(line[at:])
	text := strings.TrimRight(line[at:at+size], " ")
	isKey := strings.HasPrefix(strings.TrimLeft(line[at+size:], " "), ":")
	switch {
	case f.open == '[':
	case !f.inValue && isKey:
		s.next++
		f.step = wayStep{key: unquote(text), id: s.next}
		s.keys = append(s.keys, wayKey{
			key: f.step.key, line: number, column: at, id: s.next, parent: f.above,
		})
	case f.inValue && s.keys[len(s.keys)-1].id == f.step.id:
		k := &s.keys[len(s.keys)-1]
		k.value, k.from, k.end = text, Position{number, at}, Position{number, at + size}
	}
	return size
}

// scalarSize returns the length of the scalar that a text starts with: to its
// quote, or to what ends a plain one.
func scalarSize(text string) int {
	quote := text[0]
	isQuoted := quote == '"' || quote == '\''
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case isQuoted && quote == '"' && c == '\\':
			i++
		case quote == '\'' && strings.HasPrefix(text[i:], "''"):
			i++
		case isQuoted && c == quote:
			return i + 1
		case isQuoted:
		case strings.IndexByte(",[]{}", c) >= 0, c == '#' && text[i-1] == ' ',
			c == ':' && (i+1 == len(text) || strings.IndexByte(" ,[]{}", text[i+1]) >= 0):
			return i
		}
	}
	return len(text)
}

// stopInFlow returns the way to the end of a part of a line, nil if it is not
// within braces or brackets.
func (s *scanner) stopInFlow(number int, before string) *way {
	at := *s
	at.levels, at.flows = slices.Clone(s.levels), slices.Clone(s.flows)
	at.keys = slices.Clip(s.keys)
	at.line(number, before)
	if len(at.flows) == 0 || strings.TrimSpace(before) == "" && len(before) <= at.base {
		return nil
	}
	return at.flowWay(before)
}

// flowWay returns the way to the end of a part of a line, within collections.
func (s *scanner) flowWay(line string) *way {
	steps := s.steps(1 << 30)
	top := s.flows[len(s.flows)-1]
	for _, f := range s.flows[:len(s.flows)-1] {
		steps = append(steps, f.step)
	}
	w := &way{
		parent: top.above, inValue: top.inValue, start: len(line), inComment: s.comment,
		flow: top.open, inJSON: s.base < 0,
	}
	if w.inValue || top.open == '[' {
		steps = append(steps, top.step)
	}
	if top.open == '[' {
		w.parent = top.step.id
	}
	if s.token >= 0 {
		w.start = s.token
	}
	w.steps, w.typed = steps, line[w.start:]
	return w
}
