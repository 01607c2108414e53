//go:build !until1.36

package kube

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// validateCreate validates a prepared object and its metadata.
func validateCreate(
	ctx context.Context, object runtime.Object, s rest.RESTCreateStrategy,
) field.ErrorList {
	return rest.ValidateCreate(ctx, object, s)
}

// validateUpdate validates a prepared object, its metadata and their change.
func validateUpdate(
	ctx context.Context, object, old runtime.Object, s rest.RESTUpdateStrategy,
) field.ErrorList {
	return rest.ValidateUpdate(ctx, object, old, s)
}

// validateEmbedded validates the metadata of embedded resources.
func validateEmbedded(ctx context.Context, object any, schema *schemaModel) field.ErrorList {
	return objectmeta.Validate(ctx, nil, object, schema.structural, false)
}
