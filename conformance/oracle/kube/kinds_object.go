package kube

import (
	"context"

	"github.com/crdsem/crdsem/conformance/protocol"
)

type storedObjectInput struct {
	CRD     protocol.Input `json:"crd"`
	Version string         `json:"version"`
	Object  protocol.Input `json:"object"`
}

// storedObject answers by the decoder of decoder.go for what etcd holds.
func storedObject(_ context.Context, in storedObjectInput) (map[string]any, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	res, err := newResource(crd, in.Version)
	if err != nil {
		return nil, err
	}
	doc, err := jsonOf(in.Object)
	if err != nil {
		return nil, err
	}
	object, err := res.decodeStored(doc)
	if err != nil {
		return failure(err), nil
	}
	return map[string]any{"object": object.Object}, nil
}
