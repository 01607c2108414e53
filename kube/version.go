package kube

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/crdsem/crdsem"
)

// Version is one served version of a definition, e.g. v1. It comes from
// [Definition.Version]. It is immutable and safe for concurrent use.
//
// Its methods are the verbs of [crdsem.Version], for objects of Kubernetes
// types. [Version.Untyped] has the rest. No argument is changed. An object
// without apiVersion and kind gets those of the version, as clients fill them
// in. An old or stored object is one as the server returned it, e.g. by
// [Result.Into], or as it is stored (see [Definition.Store]).
type Version struct {
	untyped *crdsem.Version
	kind    string
}

// Untyped returns the version for objects of type map[string]any and for bytes.
// It also has what needs no object: the name, the schema, and Prepare.
func (v *Version) Untyped() *crdsem.Version { return v.untyped }

// Create is [crdsem.Version.Create].
func (v *Version) Create(ctx context.Context, object any, options ...crdsem.Option) *Result {
	new, err := v.untype(object)
	if err != nil {
		return failed(err)
	}
	return &Result{Result: v.untyped.Create(ctx, new, options...)}
}

// Update is [crdsem.Version.Update].
func (v *Version) Update(ctx context.Context, object, old any, options ...crdsem.Option) *Result {
	return v.replace(object, old, func(object, old map[string]any) *crdsem.Result {
		return v.untyped.Update(ctx, object, old, options...)
	})
}

// UpdateStatus is [crdsem.Version.UpdateStatus].
func (v *Version) UpdateStatus(
	ctx context.Context, object, old any, options ...crdsem.Option,
) *Result {
	return v.replace(object, old, func(object, old map[string]any) *crdsem.Result {
		return v.untyped.UpdateStatus(ctx, object, old, options...)
	})
}

// Apply is [crdsem.Version.Apply]. A nil stored object does not exist yet.
func (v *Version) Apply(
	ctx context.Context, config, stored any, options ...crdsem.Option,
) *Result {
	return v.replace(config, stored, func(config, stored map[string]any) *crdsem.Result {
		return v.untyped.Apply(ctx, config, stored, options...)
	})
}

// ApplyStatus is [crdsem.Version.ApplyStatus].
func (v *Version) ApplyStatus(
	ctx context.Context, config, stored any, options ...crdsem.Option,
) *Result {
	return v.replace(config, stored, func(config, stored map[string]any) *crdsem.Result {
		return v.untyped.ApplyStatus(ctx, config, stored, options...)
	})
}

// Patch is [crdsem.Version.Patch], e.g. with types.MergePatchType. A patch of
// type types.ApplyYAMLPatchType is a configuration for [Version.Apply], and an
// error here.
func (v *Version) Patch(
	ctx context.Context, patch []byte, patchType types.PatchType, stored any,
	options ...crdsem.Option,
) *Result {
	return v.patch(patchType, stored, func(old map[string]any) *crdsem.Result {
		return v.untyped.Patch(ctx, patch, crdsem.PatchType(patchType), old, options...)
	})
}

// PatchStatus is [crdsem.Version.PatchStatus]. The patch types are those of
// [Version.Patch].
func (v *Version) PatchStatus(
	ctx context.Context, patch []byte, patchType types.PatchType, stored any,
	options ...crdsem.Option,
) *Result {
	return v.patch(patchType, stored, func(old map[string]any) *crdsem.Result {
		return v.untyped.PatchStatus(ctx, patch, crdsem.PatchType(patchType), old, options...)
	})
}

// Read is [crdsem.Version.Read]. The stored object may be of any version of the
// definition; without apiVersion it is of this one.
func (v *Version) Read(ctx context.Context, stored any) *Result {
	object, err := v.untype(stored)
	if err != nil {
		return failed(err)
	}
	return &Result{Result: v.untyped.Read(ctx, object)}
}

// patch makes a request with a patch of a stored object.
func (v *Version) patch(
	patchType types.PatchType, stored any, request func(old map[string]any) *crdsem.Result,
) *Result {
	if patchType == types.ApplyYAMLPatchType {
		return failed(fmt.Errorf("patch of type %s: call Apply or ApplyStatus with the "+
			"configuration as an object", patchType))
	}
	old, err := v.untype(stored)
	if err != nil {
		return failed(err)
	}
	return &Result{Result: request(old)}
}

// replace makes a request with two objects.
func (v *Version) replace(
	object, old any, request func(object, old map[string]any) *crdsem.Result,
) *Result {
	after, err := v.untype(object)
	if err != nil {
		return failed(err)
	}
	before, err := v.untype(old)
	if err != nil {
		return failed(err)
	}
	return &Result{Result: request(after, before)}
}

// untype converts an object, and fills in its apiVersion and kind. A nil object
// stays nil.
func (v *Version) untype(object any) (map[string]any, error) {
	out, err := Untype(object)
	if err != nil || out == nil {
		return nil, err
	}
	if apiVersion, _ := out["apiVersion"].(string); apiVersion == "" {
		out["apiVersion"] = v.untyped.APIVersion()
	}
	if kind, _ := out["kind"].(string); kind == "" {
		out["kind"] = v.kind
	}
	return out, nil
}
