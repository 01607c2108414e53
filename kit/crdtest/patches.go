package crdtest

import (
	"context"
	"encoding/json"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowfacade/jsonpatch"
)

// applyPatches returns a patched document. The argument is not changed.
func applyPatches(document map[string]any, patches []Patch) (map[string]any, error) {
	operations := make(jsonpatch.Patch, len(patches))
	for i, p := range patches {
		operation := jsonpatch.Operation{}
		members := map[string]any{"op": p.Op, "path": p.Path, "value": p.Value}
		for _, name := range jsonvalue.SortedKeys(members) {
			text, err := jsonvalue.EncodeJSON(members[name])
			if err != nil {
				return nil, err
			}
			operation[name] = (*json.RawMessage)(&text)
		}
		operations[i] = operation
	}
	text, err := jsonvalue.EncodeJSON(document)
	if err != nil {
		return nil, err
	}
	if text, err = operations.Apply(context.Background(), text); err != nil {
		return nil, err
	}
	out, _, err := jsonvalue.DecodeObject(text)
	return out, err
}
