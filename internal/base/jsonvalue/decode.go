package jsonvalue

import (
	"bytes"
	"fmt"
	"unicode"

	"sigs.k8s.io/json"
)

// DecodeJSON decodes one JSON value. Its second result tells what a strict decoder objects to, in order: duplicate fields.
// It fails on anything that is not one JSON value. The argument is not kept.
func DecodeJSON(data []byte) (value any, strict []error, err error) {
	if value, ok := plainJSON(data); ok {
		return value, nil, nil
	}
	return libraryJSON(data)
}

func libraryJSON(data []byte) (value any, strict []error, err error) {
	strict, err = json.UnmarshalStrict(data, &value, json.DisallowDuplicateFields)
	if err != nil {
		return nil, nil, err
	}
	return value, strict, nil
}

// DecodeYAML decodes one YAML document by way of JSON, as the API server does: 1.0 becomes the integer 1.
// Its second result tells what a strict decoder objects to: duplicate keys.
func DecodeYAML(data []byte) (value any, strict []error, err error) {
	if value, ok := plainYAML(data); ok {
		return value, nil, nil
	}
	return libraryYAML(data)
}

// Decode decodes text that starts with { as JSON and any other as one YAML document.
func Decode(data []byte) (value any, strict []error, err error) {
	if IsJSONObject(data) {
		return DecodeJSON(data)
	}
	return DecodeYAML(data)
}

// DecodeNode is Decode for who reads nodes.
func DecodeNode(data []byte) (root *Node, strict []error, err error) {
	decode := DecodeJSON
	if !IsJSONObject(data) {
		if root, ok := plainYAMLNode(data); ok {
			return root, nil, nil
		}
		decode = libraryYAML
	}
	value, strict, err := decode(data)
	if err != nil {
		return nil, nil, err
	}
	return new(Nodes).Of(value), strict, nil
}

// IsJSONObject tells whether text starts with {, which decides that a document is JSON.
func IsJSONObject(data []byte) bool { return len(data) > 0 && data[0] == '{' }

// DecodeObject is Decode for a document that must be an object.
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

// LooksLikeJSON tells whether the text's first character, white space aside, is {: so clients of the server tell JSON from YAML.
func LooksLikeJSON(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeftFunc(data, unicode.IsSpace), []byte("{"))
}
