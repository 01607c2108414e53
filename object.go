package crdsem

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Decode decodes the JSON or YAML of one object as a server decodes the body of
// a request: integers are int64, keys are case-sensitive. Text that starts with
// { is JSON, other text YAML 1.1, where a plain key such as y, n, on or off is
// a boolean. Of a repeated key the last value counts. The result is what
// [Request] and the methods of [Version] take as an object. Set Decoded of a
// Request with it.
func Decode(text []byte) (map[string]any, error) {
	object, _, err := formatOf(text).Decode(text)
	return object, err
}

// Decode is like the function [Decode] for text in one language: YAML is then
// decoded as YAML even if it starts with {. The zero Encoding is the language
// that the text looks like. The list strict has what a strict decoder rejects:
// repeated keys.
func (e Encoding) Decode(text []byte) (object map[string]any, strict []error, err error) {
	decode := jsonvalue.DecodeYAML
	switch e {
	case "":
		return formatOf(text).Decode(text)
	case JSON:
		decode = jsonvalue.DecodeJSON
	case YAML:
	default:
		return nil, nil, fmt.Errorf("unknown encoding %q: want %s or %s", string(e), JSON, YAML)
	}
	value, strict, err := decode(text)
	if err != nil {
		return nil, nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("expected an object, got %s", jsonvalue.KindOf(value))
	}
	return object, strict, nil
}

// Encode returns the JSON of an object as a server writes it to storage: keys
// are in byte order, and a whole float64 is written as an integer. It fails
// with a *[ValueError] if the object holds a value that JSON does not have.
func Encode(object map[string]any) ([]byte, error) {
	text, err := jsonvalue.EncodeStored(object)
	if err != nil {
		return nil, &ValueError{err}
	}
	return text, nil
}
