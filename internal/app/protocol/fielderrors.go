package protocol

import "k8s.io/apimachinery/pkg/util/validation/field"

// FieldErrors returns errors in the protocol's form, in their order. Their
// rules are their origins.
func FieldErrors(list field.ErrorList) []FieldError {
	out := make([]FieldError, len(list))
	for i, err := range list {
		out[i] = FieldError{
			Type:   string(err.Type),
			Field:  err.Field,
			Detail: err.Detail,
			Text:   err.Error(),
			Rule:   err.Origin,
		}
	}
	return out
}
