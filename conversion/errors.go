package conversion

import (
	"errors"
	"fmt"
)

// Error is the error of a conversion that a server refuses. It has the server's
// text.
type Error struct {
	// Rule is the id of the rule of the specification that refuses, e.g.
	// CONV-030 (see conformance/spec).
	Rule string
	Err  error
}

// Error returns the server's text.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// refused returns the error of a rule, formatted as by fmt.Errorf.
func refused(rule, format string, args ...any) error {
	return &Error{rule, fmt.Errorf(format, args...)}
}

// ruled gives an error a rule, unless it has one.
func ruled(rule string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{rule, err}
}
