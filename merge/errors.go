package merge

import (
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// checkValues rejects objects with values that are not JSON, with cycles, or
// with too deep nesting.
func checkValues(objects ...map[string]any) error {
	for _, object := range objects {
		if err := jsonvalue.Check(object); err != nil {
			return &TypeError{Problems: []Problem{{Message: err.Error()}}}
		}
	}
	return nil
}

// RequestError reports an applied object that no request may apply: it is of
// another version or kind than the request, or has managedFields. The server
// answers 400 Bad Request.
type RequestError struct {
	// Message is the server's text.
	Message string
}

// Error returns the server's text.
func (e *RequestError) Error() string { return e.Message }

// Problem is one reason why an object does not fit its type.
type Problem struct {
	// Path is a field path, e.g. .spec.ports; empty for the object itself.
	Path string
	// Message is the server's text, e.g. "field not declared in schema".
	Message string
}

// TypeError reports that an object does not fit its type.
type TypeError struct {
	// Problems are sorted by path.
	Problems []Problem
}

// Error returns the server's text, with all problems.
func (e *TypeError) Error() string {
	lines := make([]string, 0, len(e.Problems)+1)
	for _, p := range e.Problems {
		line := p.Message
		if p.Path != "" {
			line = p.Path + ": " + line
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return "errors:\n  " + strings.Join(lines, "\n  ")
}

// Paths returns the paths of the problems, e.g. .spec.replicas, in their order.
func (e *TypeError) Paths() []string {
	paths := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		paths[i] = p.Path
	}
	return paths
}
