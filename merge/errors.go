package merge

import (
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// checkValues refuses objects that hold what no JSON has, or that are nested too deep or in themselves.
func checkValues(objects ...map[string]any) error {
	for _, object := range objects {
		if err := jsonvalue.Check(object); err != nil {
			return &TypeError{Problems: []Problem{{Message: err.Error()}}}
		}
	}
	return nil
}

// Problem is one way in which an object does not fit its type.
type Problem struct {
	// Path is a field path; empty for the object itself.
	Path string
	// Message says what is wrong.
	Message string
}

// TypeError says that an object does not fit its type.
type TypeError struct {
	// Problems are sorted by path.
	Problems []Problem
}

// Error lists the problems, in the server's form.
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
