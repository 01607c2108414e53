package structural

import (
	"errors"

	"github.com/crdsem/crdsem/internal/apiextensions"
	"github.com/crdsem/crdsem/internal/unstructured"
)

// Parse decodes an openAPIV3Schema and builds its model. Text that starts with { is JSON, any other is one YAML document.
// Unknown keywords are ignored (STR-007). It fails with a *DecodeError or a *ConversionError; that a schema can be built does
// not make it structural, see [Validate].
func Parse(data []byte) (*Schema, error) {
	props, err := apiextensions.DecodeSchema(data)
	if value := (*apiextensions.ValueError)(nil); errors.As(err, &value) {
		return nil, &ConversionError{value.Error()}
	}
	if err != nil {
		return nil, &DecodeError{err}
	}
	return New(props)
}

// FromMap is Parse for a decoded schema; it neither changes nor keeps its argument.
func FromMap(object map[string]any) (*Schema, error) {
	if err := unstructured.Check(object); err != nil {
		return nil, &DecodeError{err}
	}
	if props, ok := apiextensions.SchemaFromValue(object); ok {
		return New(props)
	}
	data, err := unstructured.EncodeJSON(object)
	if err != nil {
		return nil, &DecodeError{err}
	}
	return Parse(data)
}
