package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// defaulted decodes an object into the Go type of its version, as strictly as
// a server does, and fills in the defaults. strict has the unknown fields.
func defaulted(
	object map[string]any, gvk schema.GroupVersionKind,
) (typed runtime.Object, strict error, err error) {
	body, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	info, _ := runtime.SerializerInfoForMediaType(
		legacyscheme.Codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	typed, _, err = info.StrictSerializer.Decode(body, &gvk, nil)
	if found, ok := runtime.AsStrictDecodingError(err); ok {
		strict, err = found, nil
	}
	if err != nil {
		return nil, nil, err
	}
	legacyscheme.Scheme.Default(typed)
	return typed, strict, nil
}

// created returns the errors with which a server refuses a new object, by its
// own code. ok is false if that code needs more than the object.
func created(
	typed runtime.Object, gvk schema.GroupVersionKind, plural string,
) (errs field.ErrorList, ok bool, err error) {
	strategy := strategies[gvk.Group+"/"+gvk.Kind]
	if strategy == nil {
		return nil, false, nil
	}
	internal, err := legacyscheme.Scheme.ConvertToVersion(typed,
		schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, false, fmt.Errorf("converting: %w", err)
	}
	accessor, err := meta.Accessor(internal)
	if err != nil {
		return nil, false, err
	}
	ctx := request.WithRequestInfo(context.Background(), &request.RequestInfo{
		IsResourceRequest: true, Verb: "create",
		APIGroup: gvk.Group, APIVersion: gvk.Version, Resource: plural,
	})
	ctx = request.WithUser(ctx, &user.DefaultInfo{
		Name: "admin", Groups: []string{"system:masters"},
	})
	namespace := ""
	if strategy.NamespaceScoped() {
		namespace = cmp.Or(accessor.GetNamespace(), "default")
	}
	accessor.SetNamespace(namespace)
	ctx = request.WithNamespace(ctx, namespace)
	accessor.SetUID(types.UID("00000000-0000-0000-0000-000000000001"))
	accessor.SetCreationTimestamp(metav1.Now())
	defer func() {
		if panicked := recover(); panicked != nil {
			errs, ok = nil, false
		}
	}()
	strategy.PrepareForCreate(ctx, internal)
	return rest.ValidateCreate(ctx, internal, strategy), true, nil
}
