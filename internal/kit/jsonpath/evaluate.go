package jsonpath

import (
	"errors"
	"fmt"
)

// Evaluator evaluates a template on one object after the other. {range} and
// {end} leave traces for the next object, as they do on the server. It is not
// safe for concurrent use.
type Evaluator struct {
	roots   []step
	first   int // the root at which the next evaluation starts
	lastEnd int // the root of the {end} that ended a loop last

	// The numbers of {range} to begin, of loops that run, and of {end} to
	// obey.
	begin, running, ended int
}

// Evaluator returns a new evaluator of the template.
func (t *Template) Evaluator() *Evaluator { return &Evaluator{roots: t.roots, lastEnd: -1} }

// PanicError is the error of an evaluation that makes the server panic.
type PanicError struct{ Reason string }

// Error implements error.
func (e *PanicError) Error() string { return "the server panics: " + e.Reason }

// nothing is the value in a loop without elements. It is not even null.
type nothing struct{}

// IsNothing reports whether a result is the value in a loop without elements.
// The server panics if it looks at it.
func IsNothing(result any) bool { return result == any(nothing{}) }

// Results evaluates the template on a value, e.g. an object. It returns the
// results of each root of the template, in their order. Members that are
// missing have no result and are no error.
func (e *Evaluator) Results(value any) ([][]any, error) {
	results := [][]any{}
	for i := e.first; i < len(e.roots); i++ {
		found, err := e.walk([]any{value}, e.roots[i])
		if err != nil {
			return nil, err
		}
		if e.ended > 0 && e.ended <= e.running {
			e.ended--
			e.lastEnd = i
			break
		}
		if e.begin == 0 {
			results = append(results, found)
			continue
		}
		of, err := e.loop(found, i+1)
		if err != nil {
			return nil, err
		}
		results = append(results, of...)
		if e.lastEnd > i {
			i = e.lastEnd
		}
	}
	return results, nil
}

// loop evaluates the roots of a {range}, which start at first, for every value.
// Without a value it evaluates them once, to find the {end}.
func (e *Evaluator) loop(values []any, first int) ([][]any, error) {
	e.begin--
	e.running++
	var results [][]any
	for _, value := range values {
		if IsNothing(value) {
			return nil, &PanicError{"a loop over nothing"}
		}
		e.first = first
		of, err := e.Results(valueOrNothing(value))
		if err != nil {
			return nil, err
		}
		results = append(results, of...)
	}
	if len(values) == 0 {
		e.first = first
		if _, err := e.Results(nothing{}); err != nil {
			return nil, err
		}
	}
	e.running--
	return results, nil
}

// valueOrNothing returns the value of a loop: a null is nothing.
func valueOrNothing(value any) any {
	if value == nil {
		return nothing{}
	}
	return value
}

// walk evaluates one step. With an error it returns the values that a filter
// takes for results.
func (e *Evaluator) walk(in []any, s step) ([]any, error) {
	switch s := s.(type) {
	case list:
		return e.list(in, s)
	case text:
		return []any{string(s)}, nil
	case constant:
		out := make([]any, len(in))
		for i := range out {
			out[i] = s.value
		}
		return out, nil
	case field:
		return members(in, string(s)), nil
	case wildcard:
		return children(in), nil
	case descent:
		return descendants(in), nil
	case slice:
		return s.of(in)
	case union:
		return e.union(in, s)
	case filter:
		return e.filter(in, s)
	}
	return e.keyword(in, s.(keyword))
}

func (e *Evaluator) list(in []any, steps list) ([]any, error) {
	for _, s := range steps {
		var err error
		if in, err = e.walk(in, s); err != nil {
			return in, err
		}
	}
	return in, nil
}

func (e *Evaluator) union(in []any, alternatives union) ([]any, error) {
	out := []any{}
	for _, steps := range alternatives {
		found, err := e.list(in, steps)
		if err != nil {
			return in, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func (e *Evaluator) keyword(in []any, word keyword) ([]any, error) {
	switch {
	case word == "range":
		e.begin++
		return in, nil
	case word == "end" && e.running > 0:
		e.ended++
		return nil, nil
	case word == "end":
		return nil, errors.New("not in range, nothing to end")
	}
	return in, fmt.Errorf("unknown word %q", string(word))
}

// of returns the elements that a slice takes from lists.
func (s slice) of(in []any) ([]any, error) {
	out := []any{}
	for _, value := range in {
		switch elements := value.(type) {
		case nil:
		case nothing:
			return nil, &PanicError{"an index of nothing"}
		case []any:
			from, to, err := s.bounds(len(elements))
			switch {
			case err != nil:
				return in, err
			case from == to:
				return out, nil // the lists after this one have no results
			case s.step.known && s.step.value <= 0:
				return in, errors.New("step must be > 0")
			}
			step := 1
			if s.step.known {
				step = s.step.value
			}
			for i := from; i < to; i += min(step, to) {
				out = append(out, elements[i])
			}
		default:
			return in, fmt.Errorf("a %T is not a list", value)
		}
	}
	return out, nil
}

// bounds returns the elements that a slice takes from a list of n elements.
// Negative numbers count from the end.
func (s slice) bounds(n int) (from, to int, err error) {
	from, to = s.start.value, s.end.value
	if from < 0 {
		from += n
	}
	if !s.end.known {
		to = n
	}
	if to < 0 || to == 0 && s.end.derived {
		to += n
	}
	switch {
	case from == to: // no elements, wherever that is
	case from >= n || from < 0:
		err = fmt.Errorf("index %d out of %d elements", from, n)
	case to > n || to < 0:
		err = fmt.Errorf("index %d out of %d elements", to-1, n)
	case from > to:
		err = fmt.Errorf("start %d is greater than end %d", from, to)
	}
	return from, to, err
}
