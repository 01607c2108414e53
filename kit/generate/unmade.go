package generate

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// UnmadeError reports that no object was found, and why the nearest one was
// rejected: the one with the fewest errors.
type UnmadeError struct {
	// Wanted says what was searched for, e.g. "valid object".
	Wanted string
	// Errors are the errors of the nearest object, Rules the expressions of the
	// rules among them.
	Errors field.ErrorList
	Rules  []string
	// Err is why the nearest object was rejected before validation, or that an
	// object would need more than is made of one. It may be nil.
	Err error
}

// errTooLarge says that the search met the budget of an object.
var errTooLarge = fmt.Errorf("objects of more than %d values or %d MiB are not made",
	objectgen.TooManyValues, objectgen.MaxBytes>>20)

// Error says what was searched for, and the first error of the nearest object.
func (e *UnmadeError) Error() string {
	text := "found no " + e.Wanted
	switch {
	case e.Err != nil:
		text += ": " + e.Err.Error()
	case len(e.Errors) > 0:
		text += ": the nearest is refused: " + e.Errors[0].Error()
		if more := len(e.Errors) - 1; more > 0 {
			text += fmt.Sprintf(" (and %d more)", more)
		}
	}
	if len(e.Rules) > 0 {
		text += "; rule: " + strings.Join(e.Rules, "; ")
	}
	return text
}

// Unwrap returns Err.
func (e *UnmadeError) Unwrap() error { return e.Err }

// nearest keeps the verdict with the fewest errors.
type nearest struct{ result *crdsem.Result }

// see takes a verdict into account.
func (n *nearest) see(result *crdsem.Result) {
	if n.result == nil || weight(result) < weight(n.result) {
		n.result = result
	}
}

// weight counts the errors of a verdict. An error that keeps rules from being
// evaluated counts more than any number of failed rules.
func weight(result *crdsem.Result) int {
	switch {
	case result.Stage == crdsem.StageDecode:
		return 1 << 30
	case len(result.Explanations) == 0:
		return len(result.Errors) << 10
	}
	return len(result.Errors)
}

// unmade returns the error about the nearest object.
func (n *nearest) unmade(wanted string) *UnmadeError {
	e := &UnmadeError{Wanted: wanted}
	if n.result == nil {
		e.Err = errors.New("the schema's root takes no object")
		return e
	}
	if e.Errors = n.result.Errors; n.result.Stage == crdsem.StageDecode {
		e.Err = n.result.Err()
	}
	for i := range n.result.Explanations {
		e.Rules = append(e.Rules, n.result.Explanations[i].Rule)
	}
	return e
}
