package apiextensions

import (
	"encoding/json"
	"errors"

	kjson "sigs.k8s.io/json"

	v1 "github.com/crdsem/crdsem/internal/apiextensions/v1"
	"github.com/crdsem/crdsem/internal/unstructured"
)

// DecodeSchema decodes the JSON of a schema as the API server does; its errors have the server's texts. Unknown fields are
// ignored; objects given twice under one key are merged as the server's decoder merges them.
func DecodeSchema(data []byte) (*JSONSchemaProps, error) {
	value, duplicates, err := unstructured.DecodeJSON(data)
	if err == nil && len(duplicates) == 0 {
		if props, ok := SchemaFromValue(value); ok {
			return props, nil
		}
	}
	var exact v1.JSONSchemaProps
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &exact); err != nil {
		return nil, err
	}
	value, err = plain(exact)
	if err != nil {
		return nil, err
	}
	props, ok := SchemaFromValue(value)
	if !ok {
		return nil, errUnread
	}
	return props, nil
}

// errUnread cannot occur: what the API types encode is what the reader reads.
var errUnread = errors.New("internal error: the decoded object cannot be read")

// plain encodes and decodes a value of the API types, which leaves the generic value that a document without duplicate keys would have given.
func plain(exact any) (any, error) {
	data, err := json.Marshal(exact)
	if err != nil {
		return nil, err
	}
	value, _, err := unstructured.DecodeJSON(data)
	return value, err
}
