package kube

import (
	"context"

	"github.com/crdsem/crdsem/internal/app/protocol"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// objectInput is an object, or its new state, in a version of a definition.
type objectInput struct {
	CRD     protocol.Input `json:"crd"`
	Version string         `json:"version"`
	Object  protocol.Input `json:"object"`
}

func (in *objectInput) resource() (*resource, error) {
	crd, err := servedDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	return newResource(crd, in.Version)
}

// read returns the resource and the object.
func (in *objectInput) read() (*resource, *unstructured.Unstructured, error) {
	res, err := in.resource()
	if err != nil {
		return nil, nil, err
	}
	object, err := mapOf(in.Object)
	return res, &unstructured.Unstructured{Object: object}, err
}

// coercedObject answers with the steps of decoder.go after decoding a request's
// object, defaults included.
func coercedObject(_ context.Context, in objectInput) (map[string]any, error) {
	res, u, err := in.read()
	if err != nil {
		return nil, err
	}
	unknown, err := coercion{res, fromStrictRequest}.apply(u)
	if err != nil {
		return failure(err), nil
	}
	defaulter{res}.Default(u)
	return map[string]any{"object": u.Object, "unknownFields": stringList(unknown)}, nil
}

type unpreparedInput struct {
	objectInput
	Old         protocol.Input `json:"old"`
	Subresource string         `json:"subresource"`
}

// unpreparedObject answers with the registry's strategy alone. The object is
// validated as it is, without the server's preparation.
func unpreparedObject(ctx context.Context, in unpreparedInput) (map[string]any, error) {
	res, u, err := in.read()
	if err != nil {
		return nil, err
	}
	if !in.Old.Given() {
		return found(res.main.Validate(ctx, u)), nil
	}
	oldObject, err := mapOf(in.Old)
	if err != nil {
		return nil, err
	}
	old := &unstructured.Unstructured{Object: oldObject}
	if in.Subresource == "status" {
		return found(res.status.ValidateUpdate(ctx, u, old)), nil
	}
	return found(res.main.ValidateUpdate(ctx, u, old)), nil
}

type definitionInput struct {
	CRD protocol.Input `json:"crd"`
	Old protocol.Input `json:"old"`
}

// unpreparedDefinition answers with the registry's strategy for definitions
// alone.
func unpreparedDefinition(ctx context.Context, in definitionInput) (map[string]any, error) {
	crd, _, err := internalDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	strategy := customresourcedefinition.NewStrategy(scheme())
	if !in.Old.Given() {
		return found(strategy.Validate(ctx, crd)), nil
	}
	old, _, err := internalDefinition(in.Old)
	if err != nil {
		return nil, err
	}
	return found(strategy.ValidateUpdate(ctx, crd, old)), nil
}
