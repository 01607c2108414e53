package v1

import (
	stdjson "encoding/json"
	"errors"

	"sigs.k8s.io/json"
)

// The first byte decides how a value of these types is decoded. A new decoder
// decodes what is below it: error paths start there, and a strict decoder sees
// neither unknown nor duplicate fields (STR-003 to STR-005).

// JSON is the text of a value of any kind. Null leaves it empty.
type JSON []byte

// UnmarshalJSON copies the text of a value that is not null.
func (j *JSON) UnmarshalJSON(data []byte) error {
	if string(data) != "null" {
		*j = append((*j)[:0], data...)
	}
	return nil
}

// MarshalJSON returns the text.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// ErrNeitherBoolNorSchema is the error for a value that is neither a schema nor
// a boolean. Its text is the server's.
var ErrNeitherBoolNorSchema = errors.New("boolean or JSON schema expected")

// JSONSchemaPropsOrBool is a schema or a boolean.
type JSONSchemaPropsOrBool struct {
	Schema *JSONSchemaProps
	Allows bool
}

// UnmarshalJSON decodes an object, true or false. Other values are an error.
func (u *JSONSchemaPropsOrBool) UnmarshalJSON(data []byte) error {
	var read JSONSchemaPropsOrBool
	switch {
	case len(data) > 0 && data[0] == '{':
		schema, err := decodeProps(data)
		if err != nil {
			return err
		}
		read = JSONSchemaPropsOrBool{Schema: schema, Allows: true}
	case string(data) == "true":
		read.Allows = true
	case string(data) != "false":
		return ErrNeitherBoolNorSchema
	}
	*u = read
	return nil
}

// MarshalJSON encodes the schema if there is one, otherwise the boolean.
func (u JSONSchemaPropsOrBool) MarshalJSON() ([]byte, error) {
	if u.Schema != nil {
		return stdjson.Marshal(u.Schema)
	}
	return stdjson.Marshal(u.Allows)
}

// JSONSchemaPropsOrArray is a schema, a list of schemas, or neither.
type JSONSchemaPropsOrArray struct {
	Schema      *JSONSchemaProps
	JSONSchemas []JSONSchemaProps
}

// UnmarshalJSON decodes an object or a list. Any other value is neither.
func (u *JSONSchemaPropsOrArray) UnmarshalJSON(data []byte) (err error) {
	var read JSONSchemaPropsOrArray
	switch firstOf(data) {
	case '{':
		read.Schema, err = decodeProps(data)
	case '[':
		err = json.UnmarshalCaseSensitivePreserveInts(data, &read.JSONSchemas)
	}
	if err == nil {
		*u = read
	}
	return err
}

// MarshalJSON encodes the schema or the list.
func (u JSONSchemaPropsOrArray) MarshalJSON() ([]byte, error) {
	switch {
	case u.Schema != nil:
		return stdjson.Marshal(u.Schema)
	case u.JSONSchemas != nil:
		return stdjson.Marshal(u.JSONSchemas)
	default:
		return neither, nil
	}
}

// JSONSchemaPropsOrStringArray is a schema, a list of names, or neither.
type JSONSchemaPropsOrStringArray struct {
	Schema   *JSONSchemaProps
	Property []string
}

// UnmarshalJSON decodes an object or a list of strings. Any other value is
// neither.
func (u *JSONSchemaPropsOrStringArray) UnmarshalJSON(data []byte) (err error) {
	var read JSONSchemaPropsOrStringArray
	switch firstOf(data) {
	case '{':
		read.Schema, err = decodeProps(data)
	case '[':
		err = json.UnmarshalCaseSensitivePreserveInts(data, &read.Property)
	}
	if err == nil {
		*u = read
	}
	return err
}

// MarshalJSON encodes the schema or the list.
func (u JSONSchemaPropsOrStringArray) MarshalJSON() ([]byte, error) {
	switch {
	case u.Schema != nil:
		return stdjson.Marshal(u.Schema)
	case u.Property != nil:
		return stdjson.Marshal(u.Property)
	default:
		return neither, nil
	}
}

// neither is the encoding of a union without a value. Null would remove the
// union.
var neither = []byte("false")

func firstOf(data []byte) byte {
	if len(data) > 1 {
		return data[0]
	}
	return 0
}

func decodeProps(data []byte) (*JSONSchemaProps, error) {
	var props JSONSchemaProps
	if err := json.UnmarshalCaseSensitivePreserveInts(data, &props); err != nil {
		return nil, err
	}
	return &props, nil
}
