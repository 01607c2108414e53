package kube

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// definitionStatus answers with the registry's strategy for the status of
// definitions.
func definitionStatus(ctx context.Context, in definitionInput) (map[string]any, error) {
	crd, _, err := internalDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	old, _, err := internalDefinition(in.Old)
	if err != nil {
		return nil, err
	}
	strategy := customresourcedefinition.NewStatusStrategy(scheme())
	strategy.PrepareForUpdate(ctx, crd, old)
	return found(strategy.ValidateUpdate(ctx, crd, old)), nil
}

// definitionOrder answers like the op crd, with the texts of the errors in
// their order.
func definitionOrder(ctx context.Context, in definitionInput) (map[string]any, error) {
	crd, _, err := internalDefinition(in.CRD)
	if err != nil {
		return nil, err
	}
	strategy := customresourcedefinition.NewStrategy(scheme())
	var errs field.ErrorList
	if in.Old.Given() {
		old, _, err := internalDefinition(in.Old)
		if err != nil {
			return nil, err
		}
		strategy.PrepareForUpdate(ctx, crd, old)
		errs = strategy.ValidateUpdate(ctx, crd, old)
	} else {
		strategy.PrepareForCreate(ctx, crd)
		errs = strategy.Validate(ctx, crd)
	}
	var texts []string
	for _, err := range errs {
		texts = append(texts, stable(err.Error()))
	}
	return map[string]any{"texts": stringList(texts)}, nil
}
