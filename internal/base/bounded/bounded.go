// Package bounded collects errors up to a number of bytes. One name of 1 MB is
// in the path of every error below it.
package bounded

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Memory is the number of bytes that the errors of one collection may take.
const Memory = 64 << 20

// perError is what an error takes without its texts.
const perError = 256

// Errors are the errors that were found. If they would take more than [Memory],
// the last one says so, and further ones are left out. The zero value is empty.
type Errors struct {
	List field.ErrorList
	used int
}

// Add adds errors, as long as there is room.
func (e *Errors) Add(errs ...*field.Error) {
	for _, err := range errs {
		if e.Full() {
			return
		}
		if e.used += perError + len(err.Field) + len(err.Detail); e.Full() {
			err = Stopped(nil, errMemory)
		}
		e.List = append(e.List, err)
	}
}

// Full reports whether there is no room for a further error: who looks for one
// can stop.
func (e *Errors) Full() bool { return e.used > Memory }

var errMemory = fmt.Errorf("the errors take more than %d MiB: validation was stopped", Memory>>20)

// stopped is the value of an error of [Stopped]. Other internal errors, which a
// server returns as well, have an error of another type.
type stopped struct{ error }

// Stopped returns the internal error of a validation that was stopped before
// its end, which no server returns.
func Stopped(path *field.Path, reason error) *field.Error {
	err := field.InternalError(path, reason)
	err.BadValue = stopped{reason}
	return err
}

// Reason returns why the validation was stopped that found the errors, nil if
// it came to its end.
func Reason(errs field.ErrorList) error {
	for _, err := range errs {
		if s, ok := err.BadValue.(stopped); ok {
			return s.error
		}
	}
	return nil
}
