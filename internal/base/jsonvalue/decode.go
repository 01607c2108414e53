package jsonvalue

import (
	"bytes"
	"fmt"
	"unicode"

	"github.com/crdsem/crdsem/internal/base/jsonfast"
	"github.com/crdsem/crdsem/internal/base/yamlfast"
	"github.com/crdsem/crdsem/internal/base/yamljson"
)

// Every entry point below tries the fast reader first: package jsonfast or
// package yamlfast. A fast reader answers only if it is sure to agree with the
// library, and the library decodes everything else. The result and the errors
// are therefore always the library's, which is the server's own.

// DecodeJSON decodes one JSON value. The list strict has what a strict decoder
// rejects, in order: duplicate fields, e.g. `duplicate field "a"`. The error
// says why the data is not one JSON value. The data is not kept.
func DecodeJSON(data []byte) (value any, strict []error, err error) {
	if value, ok := jsonfast.Decode(data); ok {
		return value, nil, nil
	}
	return libraryJSON(data)
}

func libraryJSON(data []byte) (value any, strict []error, err error) {
	strict, err = UnmarshalStrict(data, &value)
	if err != nil {
		return nil, nil, err
	}
	return value, strict, nil
}

// DecodeYAML decodes one YAML document by way of JSON, as the API server does:
// 1.0 becomes the integer 1. The list strict has what a strict decoder rejects:
// duplicate keys.
func DecodeYAML(data []byte) (value any, strict []error, err error) {
	if value, ok := yamlfast.Decode(data, yamljson.Decode); ok {
		return value, nil, nil
	}
	return yamljson.Decode(data)
}

// Decode decodes data that starts with { as JSON, and other data as one YAML
// document.
func Decode(data []byte) (value any, strict []error, err error) {
	if IsJSONObject(data) {
		return DecodeJSON(data)
	}
	return DecodeYAML(data)
}

// IsJSONObject reports whether data starts with {. Such a document is decoded
// as JSON, any other as YAML.
func IsJSONObject(data []byte) bool { return len(data) > 0 && data[0] == '{' }

// DecodeObject is like Decode but fails if the document is not an object.
func DecodeObject(data []byte) (object map[string]any, strict []error, err error) {
	value, strict, err := Decode(data)
	if err != nil {
		return nil, nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("expected an object, got %s", KindOf(value))
	}
	return object, strict, nil
}

// LooksLikeJSON reports whether the first character of data, white space aside,
// is {. Clients of the server tell JSON from YAML this way.
func LooksLikeJSON(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeftFunc(data, unicode.IsSpace), []byte("{"))
}
