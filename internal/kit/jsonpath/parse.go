package jsonpath

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Template is a parsed template. It is immutable.
type Template struct{ roots []step }

// eof is the rune at the end of the input.
const eof = -1

// Parse parses a template, e.g. {.spec.replicas}. It accepts what the server
// accepts.
func Parse(template string) (*Template, error) {
	p := &parser{input: template}
	t := &Template{}
	for p.at < len(p.input) {
		before, _, found := strings.Cut(p.input[p.at:], "{")
		if before != "" {
			t.roots = append(t.roots, text(before))
		}
		p.at += len(before)
		if !found {
			break
		}
		p.at++
		action, err := p.action()
		if err != nil {
			return nil, err
		}
		t.roots = append(t.roots, action)
	}
	return t, nil
}

// parseAction parses steps that stand inside of others. What follows a closing
// brace is checked and ignored.
func parseAction(steps string) (list, error) {
	t, err := Parse("{" + steps + "}")
	if err != nil {
		return nil, err
	}
	return t.roots[0].(list), nil
}

// parser reads a template from left to right.
type parser struct {
	input string
	at    int // the offset of the next rune
}

// next consumes a rune.
func (p *parser) next() rune {
	r, size := p.peek()
	p.at += size
	return r
}

// peek returns the next rune and its size in bytes.
func (p *parser) peek() (rune, int) {
	if p.at >= len(p.input) {
		return eof, 0
	}
	return utf8.DecodeRuneInString(p.input[p.at:])
}

func (p *parser) hasPrefix(prefix string) bool {
	return strings.HasPrefix(p.input[p.at:], prefix)
}

// action parses steps up to and including the closing brace.
func (p *parser) action() (list, error) {
	steps := list{}
	for !p.hasPrefix("}") {
		s, err := p.step(steps)
		if err != nil {
			return nil, err
		}
		steps = append(steps, s...)
	}
	p.at++
	return steps, nil
}

// step parses the next step; a subscript such as ['a.b'] is several, a space is
// no step.
func (p *parser) step(before list) (list, error) {
	switch {
	case p.hasPrefix("[?("):
		return one(p.filter())
	case p.hasPrefix(".."):
		return p.descent(before)
	}
	r, size := p.peek()
	switch {
	case r == eof || isEndOfLine(r):
		return nil, errors.New("unclosed action")
	case r == ' ', r == '@', r == '$': // the current value
		p.at += size
		return nil, nil
	case r == '[':
		return p.subscript()
	case r == '"' || r == '\'':
		return one(p.quoted(r))
	case r == '.':
		p.at += size
		return list{p.field()}, nil
	case r == '+' || r == '-' || unicode.IsDigit(r):
		return one(p.number())
	case isAlphaNumeric(r):
		return list{p.word()}, nil
	}
	return nil, fmt.Errorf("unrecognized character in action: %#U", r)
}

func one(s step, err error) (list, error) { return list{s}, err }

// word parses a bare word, which ends before a terminator.
func (p *parser) word() step {
	from := p.at
	for {
		r, size := p.peek()
		if isTerminator(r) {
			break
		}
		p.at += size
	}
	switch word := p.input[from:p.at]; word {
	case "true", "false":
		return constant{word == "true"}
	default:
		return keyword(word)
	}
}

// descent parses two dots and a field that follows them directly.
func (p *parser) descent(before list) (list, error) {
	if n := len(before); n > 0 {
		if _, again := before[n-1].(descent); again {
			return nil, errors.New("multiple recursive descents")
		}
	}
	p.at += len("..")
	if r, _ := p.peek(); isAlphaNumeric(r) {
		return list{descent{}, p.field()}, nil
	}
	return list{descent{}}, nil
}

// field parses a name without its dot. A backslash takes away the meaning of
// the rune after it.
func (p *parser) field() step {
	from := p.at
	for {
		r, size := p.peek()
		if isTerminator(r) {
			break
		}
		p.at += size
		if r == '\\' {
			p.next()
		}
	}
	name := p.input[from:p.at]
	if name == "*" {
		return wildcard{}
	}
	return field(strings.ReplaceAll(name, `\`, ""))
}

// number parses an integer or a decimal number.
func (p *parser) number() (step, error) {
	from := p.at
	if r, size := p.peek(); r == '+' || r == '-' {
		p.at += size
	}
	for {
		r, size := p.peek()
		if r != '.' && !unicode.IsDigit(r) {
			break
		}
		p.at += size
	}
	literal := p.input[from:p.at]
	if i, err := strconv.Atoi(literal); err == nil {
		return constant{i}, nil
	}
	f, err := strconv.ParseFloat(literal, 64)
	return constant{f}, err
}

// quoted parses a string in quotes. A quote after a backslash does not end it.
func (p *parser) quoted(quote rune) (step, error) {
	from := p.at
	p.at++
	for {
		switch p.next() {
		case eof, '\n':
			return nil, errors.New("unterminated string")
		case quote:
			if p.input[p.at-2] != '\\' {
				s, err := unquote(p.input[from:p.at])
				return text(s), err
			}
		}
	}
}

// unquote resolves the escapes of Go's strings in text in single or double
// quotes. Text without escapes is taken as it is.
func unquote(quoted string) (string, error) {
	quote, rest := quoted[0], quoted[1:len(quoted)-1]
	if strings.IndexByte(rest, '\\') < 0 && strings.IndexByte(rest, quote) < 0 {
		return rest, nil
	}
	var out []byte
	for rest != "" {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, quote)
		if err != nil {
			return "", err
		}
		if rest = tail; r < utf8.RuneSelf || !multibyte {
			out = append(out, byte(r))
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out), nil
}

// isTerminator reports whether a rune ends a field or a word.
func isTerminator(r rune) bool {
	return r == eof || isEndOfLine(r) || strings.ContainsRune(" \t.,[]$@{}", r)
}

func isEndOfLine(r rune) bool { return r == '\r' || r == '\n' }

func isAlphaNumeric(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Spreads reports whether the template gives a result for each of several items
// or members: it has a wildcard, a union of subscripts, or a slice of more than
// one item. A filter and a descent are taken to find one.
func (t *Template) Spreads() bool {
	return slices.ContainsFunc(t.roots, spreads)
}

func spreads(s step) bool {
	switch s := s.(type) {
	case list:
		return slices.ContainsFunc(s, spreads)
	case wildcard:
		return true
	case union:
		return len(s) > 1
	case slice:
		isLast := s.start.known && s.start.value == -1 && !s.end.known
		isOne := s.end.known && s.start.known && s.end.value == s.start.value+1
		return !s.end.derived && !isLast && !isOne
	}
	return false
}
