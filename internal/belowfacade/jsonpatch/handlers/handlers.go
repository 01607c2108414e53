// Package handlers defines the one type whose name the API server's error texts
// spell with this package's name, e.g. in "json: cannot unmarshal object into
// Go value of type []handlers.jsonPatchOp". The texts come from the JSON
// decoder, which takes the names from the type. Neither may be renamed.
package handlers

import (
	"fmt"

	kjson "sigs.k8s.io/json"
)

// jsonPatchOp is an operation of a JSON patch as the server's strict decoder
// knows it.
type jsonPatchOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// Strict decodes a JSON patch strictly. It returns what a strict decoder
// objects to, e.g. an unknown field. The error is about a patch that does not
// decode at all. Both have the server's text.
func Strict(patch []byte) (objections []error, err error) {
	objections, err = kjson.UnmarshalStrict(patch, &[]jsonPatchOp{})
	if err != nil {
		return nil, err
	}
	for i, objection := range objections {
		objections[i] = fmt.Errorf("json patch %w", objection)
	}
	return objections, nil
}
