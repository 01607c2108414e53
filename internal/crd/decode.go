package crd

import (
	"encoding/json"
	"errors"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/base/yamljson"
	v1 "github.com/crdsem/crdsem/internal/crd/v1"
)

// DecodeSchema decodes a schema as the API server does; its errors have the server's texts. Text that starts with { is JSON, any other is one YAML
// document. Unknown fields are ignored; objects given twice under one key are merged as the server's decoder merges them.
func DecodeSchema(data []byte) (*JSONSchemaProps, error) {
	root, duplicates, err := jsonvalue.DecodeNode(data)
	if err == nil && (len(duplicates) == 0 || !jsonvalue.IsJSONObject(data)) {
		if props, ok := schemaFromNode(root); ok {
			return props, nil
		}
	}
	data, _, err = asJSON(data)
	if err != nil {
		return nil, err
	}
	var exact v1.JSONSchemaProps
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &exact); err != nil {
		return nil, err
	}
	value, err := plain(exact)
	if err != nil {
		return nil, err
	}
	props, ok := SchemaFromValue(value)
	if !ok {
		return nil, errUnread
	}
	return props, nil
}

// asJSON turns YAML into JSON. Its second result is what a strict YAML decoder objects to.
func asJSON(data []byte) (_ []byte, strict []error, err error) {
	if jsonvalue.IsJSONObject(data) {
		return data, nil, nil
	}
	converted, err := yamljson.ToJSON(data)
	if err != nil {
		return nil, nil, err
	}
	if _, err := yaml.YAMLToJSONStrict(data); err != nil {
		strict = splitYAML([]error{err})
	}
	return converted, strict, nil
}

// splitYAML returns the errors of a strict YAML decoder one by one, as the server
// reports them.
func splitYAML(strict []error) (out []error) {
	for _, err := range strict {
		for _, text := range jsonvalue.SplitYAMLErrors(err.Error()) {
			out = append(out, errors.New(text))
		}
	}
	return out
}

// errUnread cannot occur: what the API types encode is what the reader reads.
var errUnread = errors.New("internal error: the decoded object cannot be read")

// plain encodes and decodes a value of the API types, which leaves the generic value that a document without duplicate keys would have given.
func plain(exact any) (any, error) {
	data, err := json.Marshal(exact)
	if err != nil {
		return nil, err
	}
	value, _, err := jsonvalue.DecodeJSON(data)
	if err != nil {
		return nil, &ValueError{err}
	}
	return value, nil
}

// ValueError is returned for a document that decodes but holds, in a default, an example or an enum, a number that no float64 can be. The server
// finds it when it converts the document to its internal form.
type ValueError struct{ Err error }

func (e *ValueError) Error() string { return e.Err.Error() }
func (e *ValueError) Unwrap() error { return e.Err }
