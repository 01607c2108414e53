package kube

import (
	"regexp"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/gosyntax"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// madeUpType matches the name that the real code generates for a rule's self
// type.
var madeUpType = regexp.MustCompile(`selfType[0-9]+`)

// address matches a pointer that is not nil in a value that a minor before 1.34
// shows in the syntax of Go.
var address = regexp.MustCompile(`\)\(0x[0-9a-f]+\)`)

// stable replaces the parts of a text that differ between runs.
func stable(text string) string {
	text = madeUpType.ReplaceAllString(text, "selfType")
	return address.ReplaceAllString(text, ")("+gosyntax.Address+")")
}

// fieldErrors converts a list of the real code to the protocol's form. The real
// code has origins of its own, which are no rules.
func fieldErrors(list field.ErrorList) []protocol.FieldError {
	errs := make([]protocol.FieldError, len(list))
	for i, err := range list {
		errs[i] = protocol.FieldError{
			Type:   string(err.Type),
			Field:  err.Field,
			Detail: stable(err.Detail),
			Text:   stable(err.Error()),
		}
	}
	return errs
}

// pseudoError returns the one error of an input without field errors.
func pseudoError(kind, text string) []protocol.FieldError {
	return []protocol.FieldError{{Type: kind, Detail: text, Text: text}}
}

// without returns the errors of all that are not in rest. It counts equal
// errors.
func without(all, rest []protocol.FieldError) []protocol.FieldError {
	left := map[protocol.FieldError]int{}
	for _, e := range rest {
		left[e]++
	}
	var out []protocol.FieldError
	for _, e := range all {
		if left[e] > 0 {
			left[e]--
			continue
		}
		out = append(out, e)
	}
	return out
}
