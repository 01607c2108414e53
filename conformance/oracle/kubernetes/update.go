package main

import (
	"cmp"
	"context"
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

// updated returns the errors with which a server refuses an update of an object
// that is stored, by its own code. ok is false if that code needs more than the
// objects.
func updated(
	object, old map[string]any, gvk schema.GroupVersionKind, plural string,
) (errs field.ErrorList, ok bool, err error) {
	strategy, ok := strategies[gvk.Group+"/"+gvk.Kind].(rest.RESTUpdateStrategy)
	if !ok {
		return nil, false, nil
	}
	ctx := request.WithRequestInfo(context.Background(), &request.RequestInfo{
		IsResourceRequest: true, Verb: "update",
		APIGroup: gvk.Group, APIVersion: gvk.Version, Resource: plural,
	})
	ctx = request.WithUser(ctx, &user.DefaultInfo{
		Name: "admin", Groups: []string{"system:masters"},
	})
	var internal [2]runtime.Object
	for i, of := range []map[string]any{old, object} {
		typed, strict, err := defaulted(of, gvk)
		if err != nil || strict != nil {
			return nil, false, cmp.Or(err, strict)
		}
		if internal[i], err = stored(typed, gvk, strategy); err != nil {
			return nil, false, err
		}
	}
	if strategy.NamespaceScoped() {
		ctx = request.WithNamespace(ctx, "default")
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			errs, ok = nil, false
		}
	}()
	live, err := meta.Accessor(internal[0])
	if err != nil {
		return nil, false, err
	}
	next, err := meta.Accessor(internal[1])
	if err != nil {
		return nil, false, err
	}
	next.SetGeneration(live.GetGeneration())
	strategy.PrepareForUpdate(ctx, internal[1], internal[0])
	return rest.ValidateUpdate(ctx, internal[1], internal[0], strategy), true, nil
}

// stored returns an object in the server's own type, with the metadata that a
// stored object has.
func stored(
	typed runtime.Object, gvk schema.GroupVersionKind, strategy rest.RESTUpdateStrategy,
) (runtime.Object, error) {
	internal, err := legacyscheme.Scheme.ConvertToVersion(typed,
		schema.GroupVersion{Group: gvk.Group, Version: runtime.APIVersionInternal})
	if err != nil {
		return nil, fmt.Errorf("converting: %w", err)
	}
	accessor, err := meta.Accessor(internal)
	if err != nil {
		return nil, err
	}
	if strategy.NamespaceScoped() {
		accessor.SetNamespace("default")
	}
	accessor.SetUID(types.UID("00000000-0000-0000-0000-000000000001"))
	accessor.SetCreationTimestamp(metav1.Unix(1, 0))
	accessor.SetResourceVersion("1")
	return internal, nil
}

// asStored returns an object as a server stores it when it is created, with its
// status. It fails if the server's code needs more than the object.
func asStored(object map[string]any, gvk schema.GroupVersionKind) (
	out map[string]any, err error,
) {
	strategy := strategies[gvk.Group+"/"+gvk.Kind]
	update, ok := strategy.(rest.RESTUpdateStrategy)
	if !ok {
		return nil, fmt.Errorf("%s is not updated", gvk)
	}
	typed, _, err := defaulted(object, gvk)
	if err != nil {
		return nil, err
	}
	internal, err := stored(typed, gvk, update)
	if err != nil {
		return nil, err
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("%s needs more: %v", gvk, panicked)
		}
	}()
	if object["status"] == nil { // otherwise it is stored already
		ctx := request.WithNamespace(context.Background(), "default")
		strategy.PrepareForCreate(ctx, internal)
	}
	external, err := legacyscheme.Scheme.ConvertToVersion(internal, gvk.GroupVersion())
	if err != nil {
		return nil, err
	}
	out, err = runtime.DefaultUnstructuredConverter.ToUnstructured(external)
	if err == nil {
		out["apiVersion"], out["kind"] = gvk.GroupVersion().String(), gvk.Kind
	}
	return out, err
}
