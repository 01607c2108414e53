package crd

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	kjson "sigs.k8s.io/json"

	v1 "github.com/crdsem/crdsem/internal/belowstructural/crd/v1"
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

// schemaStructs are the structs of schemas.
var schemaStructs = []string{"JSONSchemaProps", "ValidationRule", "ExternalDocumentation"}

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
	case errors.As(err, &kind) && concerns(kind, schemaStructs...):
		return "STR-002"
	case errors.As(err, &kind) && concerns(kind, "SelectableField"):
		return "CRD-080"
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

// concerns reports whether a value of the wrong kind stands in one of some
// structs, or in the place of one or of a list of them.
func concerns(err *json.UnmarshalTypeError, structs ...string) bool {
	wanted := err.Type
	if wanted != nil && wanted.Kind() == reflect.Slice {
		wanted = wanted.Elem()
	}
	return slices.Contains(structs, err.Struct) ||
		wanted != nil && slices.Contains(structs, wanted.Name())
}
