package crdsem

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The HTTP statuses of refusals; the constants of net/http would link it.
const (
	statusBadRequest            = 400
	statusNotFound              = 404
	statusConflict              = 409
	statusRequestEntityTooLarge = 413
	statusUnsupportedMediaType  = 415
	statusUnprocessableEntity   = 422
	statusInternalServerError   = 500
)

// RequestError is a request that the server refuses before it validates the object. Its text is the server's.
type RequestError struct {
	// Code is the HTTP status and Reason the status reason: 400 BadRequest, 404 NotFound, 409 Conflict; of a patch also 413
	// RequestEntityTooLarge, 415 UnsupportedMediaType, 422 Invalid, and 500 InternalError where an apiVersion is removed or the
	// server panics. A resourceVersion that is no number, and a read of what looks like a list, give 500 without a reason.
	Code   int
	Reason string
	Text   string
	// Err is why a patch was refused, where there is more to say than Text says: a *field.Error for the object that came of
	// it, or, in words of this library, the operation that cannot be carried out. Else it is nil.
	Err error
}

func (e *RequestError) Error() string { return e.Text }

// Unwrap returns Err.
func (e *RequestError) Unwrap() error { return e.Err }

func badRequest(format string, args ...any) error {
	return &RequestError{Code: statusBadRequest, Reason: "BadRequest", Text: fmt.Sprintf(format, args...)}
}

func conflict(resource, name string) error {
	const text = "Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again"
	return &RequestError{Code: statusConflict, Reason: "Conflict", Text: fmt.Sprintf(text, resource, name)}
}

func notFound() error {
	return &RequestError{Code: statusNotFound, Reason: "NotFound", Text: "the server could not find the requested resource"}
}

// internalError is an error that the server calls internal, and tells as a cause too.
type internalError struct{ error }

func internal(err error) error {
	return &RequestError{statusInternalServerError, "InternalError", "Internal error occurred: " + err.Error(), internalError{err}}
}

// ValueError is an object that holds something else than map[string]any, []any, string, bool, int64, float64 and nil, that is nested
// deeper than the server's decoder allows, or that is missing where an old one is needed.
type ValueError struct{ Err error }

func (e *ValueError) Error() string { return fmt.Sprint(e.Err) }

// Unwrap returns the reason, which names the path.
func (e *ValueError) Unwrap() error { return e.Err }

// StoredError is an old object that an update or a patch cannot start from: what is given as stored does not decode, or does not convert to the
// version of the request.
type StoredError struct{ Err error }

func (e *StoredError) Error() string { return fmt.Sprintf("old object: %v", e.Err) }

// Unwrap returns the reason.
func (e *StoredError) Unwrap() error { return e.Err }

// Failure is the answer that a server gives to a request that it refuses: the fields of its Status that tell why (PIPE-015).
type Failure struct {
	// Code is the HTTP status, Reason the status reason, such as Invalid.
	Code   int
	Reason string
	// Message is the whole in one line.
	Message string
	// Causes has an entry for each error of validation.
	Causes []Cause
}

// Cause is one error of validation in a [Failure]: its type as reason, its text without the field, and the field.
type Cause struct{ Reason, Message, Field string }

// Failure returns the server's answer to a refused request, nil if it was not refused or not by what a server can say.
func (r *Result) Failure() *Failure {
	var request *RequestError
	switch {
	case errors.As(r.Err, &request):
		f := &Failure{Code: request.Code, Reason: request.Reason, Message: request.Text}
		switch err := request.Err.(type) {
		case *field.Error:
			f.Causes = causes(field.ErrorList{err})
		case internalError:
			f.Causes = []Cause{{Message: err.Error()}}
		}
		return f
	case r.Stage != StageInvalid:
		return nil
	}
	return &Failure{
		Code: statusUnprocessableEntity, Reason: "Invalid",
		Message: fmt.Sprintf("%s %q is invalid: %s", r.subject, r.name, joined(r.Errors)),
		Causes:  causes(r.Errors),
	}
}

func causes(errs field.ErrorList) []Cause {
	list := make([]Cause, len(errs))
	for i, err := range errs {
		list[i] = Cause{Reason: string(err.Type), Message: err.ErrorBody(), Field: err.Field}
	}
	return list
}

// joined is the text of errors as a message has it: each text once, several in brackets.
func joined(errs field.ErrorList) string {
	seen := map[string]bool{}
	var texts []string
	for _, err := range errs {
		if text := err.Error(); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
