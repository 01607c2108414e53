package protocol

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/fieldtext"
)

// MaxTexts is the number of bytes of the texts of one list of errors. A text
// holds the value that it is about: 1000 errors about a value of 1 MB are 1 GB.
const MaxTexts = 64 << 20

// NotShown stands in the place of texts beyond [MaxTexts].
const NotShown = "(not shown: the texts of the errors are longer than 64 MiB)"

// FieldErrors returns errors in the protocol's form, in their order. Their
// rules are their origins.
func FieldErrors(list field.ErrorList) []FieldError {
	out := make([]FieldError, len(list))
	size := 0
	for i, err := range list {
		out[i] = FieldError{
			Type:   string(err.Type),
			Field:  err.Field,
			Detail: err.Detail,
			Text:   NotShown,
			Rule:   err.Origin,
		}
		if size < MaxTexts {
			out[i].Text = err.Field + ": " + fieldtext.Body(err)
			size += len(out[i].Text)
		}
	}
	return out
}
