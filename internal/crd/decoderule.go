package crd

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"

	kjson "sigs.k8s.io/json"

	v1 "github.com/crdsem/crdsem/internal/crd/v1"
)

// decodeError is an error of decoding with the text of the server. Its rule is
// empty if the error that it holds knows the rule.
type decodeError struct {
	text, rule string
	err        error
}

// Error returns the server's text.
func (e *decodeError) Error() string { return e.text }

// Unwrap returns the error of the decoder.
func (e *decodeError) Unwrap() error { return e.err }

// DecodeRule returns the id of the rule that a document breaks, by the error of
// DecodeDefinition or DecodeSchema, e.g. STR-002. It is empty if no rule is
// known, e.g. for a definition whose spec is a string.
func DecodeRule(err error) string {
	var (
		known  *decodeError
		other  *otherKind
		kind   *json.UnmarshalTypeError
		syntax *json.SyntaxError
		base   base64.CorruptInputError
	)
	switch {
	case errors.As(err, &known) && known.rule != "":
		return known.rule
	case errors.As(err, &other):
		return "PIPE-013"
	case errors.Is(err, v1.ErrNeitherBoolNorSchema):
		return "STR-003"
	case errors.As(err, &kind) && isOfSchema(kind):
		return "STR-002"
	case errors.As(err, &base):
		return "CONV-055"
	case errors.As(err, &syntax):
		return "PIPE-002"
	}
	if isSyntax, _ := kjson.SyntaxErrorOffset(err); isSyntax {
		return "PIPE-002"
	}
	return ""
}

// isOfSchema reports whether a value of the wrong kind stands in a schema.
func isOfSchema(err *json.UnmarshalTypeError) bool {
	structs := []string{"JSONSchemaProps", "ValidationRule", "ExternalDocumentation"}
	return slices.Contains(structs, err.Struct) ||
		err.Type != nil && slices.Contains(structs, err.Type.Name())
}
