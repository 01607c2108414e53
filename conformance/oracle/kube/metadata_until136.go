//go:build until1.36

package kube

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
)

// validateCreate validates a prepared object. The metadata is validated only
// if nothing else is wrong. The server does both in one function, together with
// the preparation.
func validateCreate(
	ctx context.Context, object runtime.Object, s rest.RESTCreateStrategy,
) field.ErrorList {
	if errs := s.Validate(ctx, object); len(errs) > 0 {
		return errs
	}
	return validateMetadata(object, s.NamespaceScoped())
}

// validateUpdate validates a prepared object, its metadata and their change.
func validateUpdate(
	ctx context.Context, object, old runtime.Object, s rest.RESTUpdateStrategy,
) field.ErrorList {
	errs := validateMetadata(object, s.NamespaceScoped())
	now, err := meta.Accessor(object)
	if err != nil {
		return field.ErrorList{field.InternalError(metadataPath(), err)}
	}
	before, err := meta.Accessor(old)
	if err != nil {
		return field.ErrorList{field.InternalError(metadataPath(), err)}
	}
	errs = append(errs, validation.ValidateObjectMetaAccessorUpdate(now, before, metadataPath())...)
	return append(errs, s.ValidateUpdate(ctx, object, old)...)
}

func validateMetadata(object runtime.Object, namespaced bool) field.ErrorList {
	now, err := meta.Accessor(object)
	if err != nil {
		return field.ErrorList{field.InternalError(metadataPath(), err)}
	}
	return validation.ValidateObjectMetaAccessor(now, namespaced, path.ValidatePathSegmentName,
		metadataPath())
}

func metadataPath() *field.Path { return field.NewPath("metadata") }

// validateEmbedded validates the metadata of embedded resources.
func validateEmbedded(_ context.Context, object any, schema *schemaModel) field.ErrorList {
	return objectmeta.Validate(nil, object, schema.structural, false)
}
