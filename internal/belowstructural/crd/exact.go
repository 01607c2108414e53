package crd

import (
	"encoding/json"
	"errors"
	"fmt"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	v1 "github.com/crdsem/crdsem/internal/belowstructural/crd/v1"
	"github.com/crdsem/crdsem/internal/belowstructural/crd/v1beta1"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The exact decoder decodes into the API types of the packages v1 and v1beta1,
// by way of the server's JSON library: it gives the server's error texts and
// merges duplicate fields as the server does. The decoded value is then encoded
// again, and the fast reader reads it: such a value has neither unknown nor
// duplicate fields.

// exactDefinition is DecodeDefinition by the exact decoder.
func exactDefinition(data []byte, p *profile.Profile) (
	d *CustomResourceDefinition, strict []error, err error,
) {
	text, duplicates, err := toJSON(data)
	if err != nil {
		return nil, nil, err
	}
	from, err := formOfText(text, p)
	if other := (*otherKind)(nil); errors.As(err, &other) && other.version == "" {
		text := fmt.Sprintf("Object 'apiVersion' is missing in '%s'", data)
		return nil, nil, &decodeError{text: text, rule: "PIPE-010", err: err}
	}
	if err != nil {
		return nil, nil, err
	}
	typed := typesOf(from, p)
	err = kjson.UnmarshalCaseSensitivePreserveInts(text, typed)
	if err != nil && from == formV1beta1 {
		err = &decodeError{text: v1beta1.ErrorText(err.Error()), err: err}
	}
	if err != nil {
		return nil, nil, err
	}
	strict, err = unmarshalStrict(text, typesOf(from, p))
	if err != nil {
		return nil, nil, err
	}
	value, err := untyped(typed)
	if err != nil {
		return nil, nil, err
	}
	d, r := readDefinition(new(nodeBuilder).Of(value), from, p)
	if r.mismatch {
		return nil, nil, errUnread
	}
	return d, append(duplicates, strict...), nil
}

// exactSchema is DecodeSchema by the exact decoder.
func exactSchema(data []byte) (*JSONSchemaProps, error) {
	text, _, err := toJSON(data)
	if err != nil {
		return nil, err
	}
	var typed v1.JSONSchemaProps
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &typed); err != nil {
		return nil, err
	}
	value, err := untyped(typed)
	if err != nil {
		return nil, err
	}
	props, ok := SchemaFromValue(value)
	if !ok {
		return nil, errUnread
	}
	return props, nil
}

// errUnread cannot occur: the fast reader reads whatever the API types encode.
var errUnread = errors.New("internal error: the decoded object cannot be read")

// toJSON converts YAML to JSON, and leaves JSON as it is. duplicates holds the
// errors of a strict YAML decoder, which are about duplicate keys.
func toJSON(data []byte) (text []byte, duplicates []error, err error) {
	if jsonvalue.IsJSONObject(data) {
		return data, nil, nil
	}
	text, err = yamljson.ToJSON(data)
	if err != nil {
		return nil, nil, &decodeError{text: err.Error(), rule: "PIPE-005", err: err}
	}
	if _, err := yaml.YAMLToJSONStrict(data); err != nil {
		duplicates = splitYAML([]error{err})
	}
	return text, duplicates, nil
}

// formOfText reads apiVersion and kind, ignoring case. The server reads them
// before anything else.
func formOfText(data []byte, p *profile.Profile) (form, error) {
	var typeMeta struct {
		APIVersion string `json:"apiVersion,omitempty"`
		Kind       string `json:"kind,omitempty"`
	}
	if err := json.Unmarshal(data, &typeMeta); err != nil {
		text := fmt.Sprintf("couldn't get version/kind; json parse error: %v",
			p.JSONError(data, err))
		return 0, &decodeError{text: text, err: err}
	}
	return formOf(typeMeta.APIVersion, typeMeta.Kind)
}

// typesOf returns an empty definition of the API types of a form in a minor.
func typesOf(from form, p *profile.Profile) any {
	old := from == formV1beta1
	switch {
	case old && !p.ObservedGenerationKnown:
		return v1beta1.Before35()
	case old:
		return new(v1beta1.CustomResourceDefinition)
	case !p.ObservedGenerationKnown:
		return v1.Before35()
	}
	return new(v1.CustomResourceDefinition)
}

// untyped encodes a value of the API types and decodes it again, as a value of
// maps and lists.
func untyped(typed any) (any, error) {
	data, err := json.Marshal(typed)
	if err != nil {
		return nil, err
	}
	if value, ok := decodeJSON(data); ok {
		return value, nil
	}
	value, _, err := jsonvalue.DecodeJSON(data)
	if err != nil {
		return nil, &ValueError{err}
	}
	return value, nil
}

// ValueError is the error of a document with a number that no float64 can hold,
// e.g. 1e999, in a default, an example or an enum. The document decodes; the
// server finds the number when it converts the document to its internal form.
type ValueError struct{ Err error }

// Error returns the text of the underlying error.
func (e *ValueError) Error() string { return e.Err.Error() }

// Unwrap returns the underlying error.
func (e *ValueError) Unwrap() error { return e.Err }
