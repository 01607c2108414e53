package structural

import (
	"errors"
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/crd"
)

// Parse decodes an openAPIV3Schema and builds its model. Text that starts with { is JSON, any other is one YAML document.
// Unknown keywords are ignored (STR-007). It fails with a *DecodeError or a *ConversionError; that a schema can be built does
// not make it structural, see [Validate].
func Parse(data []byte) (*Schema, error) {
	props, err := crd.DecodeSchema(data)
	if value := (*crd.ValueError)(nil); errors.As(err, &value) {
		return nil, &ConversionError{value.Error()}
	}
	if err != nil {
		return nil, &DecodeError{err}
	}
	return export{}.New(props)
}

// FromMap is Parse for a decoded schema; it neither changes nor keeps its argument.
func FromMap(object map[string]any) (*Schema, error) {
	if err := jsonvalue.Check(object); err != nil {
		return nil, &DecodeError{err}
	}
	if props, ok := crd.SchemaFromValue(object); ok {
		return export{}.New(props)
	}
	data, err := jsonvalue.EncodeJSON(object)
	if err != nil {
		return nil, &DecodeError{err}
	}
	return Parse(data)
}

// DecodeError is returned for a document that does not decode into the API type of a schema (STR-002); its text is the
// server's decoder's.
type DecodeError struct{ Err error }

func (e *DecodeError) Error() string { return fmt.Sprint(e.Err) }
func (e *DecodeError) Unwrap() error { return e.Err }

// ConversionError is returned for a schema that decodes but uses what no structural schema can have (STR-011 to STR-019).
type ConversionError struct{ Text string }

func (e *ConversionError) Error() string { return e.Text }
