// Package fieldtext prints field errors as the newest package field does,
// whatever version a program has.
package fieldtext

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The types of errors since Kubernetes 1.38. Package field names and prints
// them since Kubernetes 1.36.
const (
	TooFew   field.ErrorType = "FieldValueTooFew"
	TooShort field.ErrorType = "FieldValueTooShort"
)

// Body returns the text of an error without its field, e.g. `Too few: 1: must
// have at least 2 items`.
func Body(err *field.Error) string {
	switch err.Type {
	case TooFew:
		return fmt.Sprintf("Too few: %v: %s", err.BadValue, err.Detail)
	case TooShort:
		return "Too short: " + err.Detail
	}
	return err.ErrorBody()
}
