package jsonpath

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// subscript parses what stands between brackets: a key in single quotes, an
// index, a range, a star, or several of them.
func (p *parser) subscript() (list, error) {
	inside, _, found := strings.Cut(p.input[p.at+1:], "]")
	if !found || strings.Contains(inside, "\n") {
		return nil, errors.New("unterminated subscript")
	}
	p.at += len("[") + len(inside) + len("]")
	if parts := strings.Split(inside, ","); len(parts) > 1 {
		return one(unionOf(parts))
	}
	if key, ok := keyIn(inside); ok {
		return parseAction("." + key)
	}
	return one(sliceOf(inside))
}

// keyIn returns the key in single quotes, e.g. 'a.b', which is two fields.
func keyIn(inside string) (key string, ok bool) {
	n := len(inside)
	if n < 2 || inside[0] != '\'' || inside[n-1] != '\'' {
		return "", false
	}
	key = inside[1 : n-1]
	return key, !strings.Contains(key, "'")
}

func unionOf(parts []string) (step, error) {
	var u union
	for _, part := range parts {
		steps, err := parseAction("[" + strings.Trim(part, " ") + "]")
		if err != nil {
			return nil, err
		}
		u = append(u, steps)
	}
	return u, nil
}

// sliceOf parses an index or a range: start, end and step, which may all be
// missing.
func sliceOf(inside string) (step, error) {
	if inside == "*" {
		inside = ":"
	}
	parts := strings.Split(inside, ":")
	if len(parts) > 3 {
		return nil, fmt.Errorf("invalid index %q", inside)
	}
	bounds := [3]bound{}
	for i, part := range parts {
		if part == "" {
			continue
		}
		if strings.Trim(strings.TrimPrefix(part, "-"), "0123456789") != "" {
			return nil, fmt.Errorf("invalid index %q", inside)
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("index %q is not a number", part)
		}
		bounds[i] = bound{value: n, known: true}
	}
	if len(parts) == 1 {
		bounds[1] = bound{value: bounds[0].value + 1, known: true, derived: true}
	}
	return slice{bounds[0], bounds[1], bounds[2]}, nil
}

// filter parses [?(...)]: steps, or a comparison of the results of steps.
func (p *parser) filter() (step, error) {
	p.at += len("[?(")
	inside, err := p.condition()
	if err != nil {
		return nil, err
	}
	from, to := operatorIn(inside)
	if from == to {
		left, err := parseAction(inside)
		return filter{left: left, operator: exists}, err
	}
	left, err := parseAction(inside[:from])
	if err != nil {
		return nil, err
	}
	right, err := parseAction(inside[to:])
	return filter{left, right, inside[from:to]}, err
}

// condition reads up to and including the )] that ends a filter. A parenthesis
// in a quoted string does not end it; one string at most can have any.
func (p *parser) condition() (string, error) {
	from := p.at
	var quote rune
	closed := false
	for {
		switch r := p.next(); {
		case r == eof || r == '\n':
			return "", errors.New("unterminated filter")
		case (r == '"' || r == '\'') && quote == 0:
			quote = r
		case quote != 0 && r == quote && p.input[p.at-2] != '\\':
			closed = true
		case r == ')' && (quote != 0) == closed:
			inside := p.input[from : p.at-1]
			if p.next() != ']' {
				return "", errors.New("unclosed filter")
			}
			return inside, nil
		}
	}
}

// operatorIn returns where the operator of a condition starts and ends. They
// are equal if the condition is no comparison: one that has nothing on a side.
func operatorIn(condition string) (from, to int) {
	const signs = "!<>="
	from = strings.IndexAny(condition, signs)
	if from <= 0 {
		return 0, 0
	}
	rest := condition[from:]
	n := len(rest) - len(strings.TrimLeft(rest, signs))
	if n == len(rest) { // the right side takes the last sign
		n--
	}
	return from, from + n
}
