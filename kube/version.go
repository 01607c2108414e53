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
	version *crdsem.Version
	kind    string
}

// Untyped returns the version for objects of type map[string]any and for bytes.
// It also has what needs no object: the name, the schema, and Prepare.
func (v *Version) Untyped() *crdsem.Version { return v.version }

// Create is [crdsem.Version.Create].
func (v *Version) Create(ctx context.Context, object any, options ...crdsem.Option) *Result {
	return v.do(ctx, crdsem.Request{Verb: crdsem.VerbCreate}, pair{object, nil}, options)
}

// Update is [crdsem.Version.Update].
func (v *Version) Update(ctx context.Context, object, old any, options ...crdsem.Option) *Result {
	return v.do(ctx, crdsem.Request{Verb: crdsem.VerbUpdate}, pair{object, old}, options)
}

// UpdateStatus is [crdsem.Version.UpdateStatus].
func (v *Version) UpdateStatus(
	ctx context.Context, object, old any, options ...crdsem.Option,
) *Result {
	update := crdsem.Request{Verb: crdsem.VerbUpdate, Subresource: crdsem.SubresourceStatus}
	return v.do(ctx, update, pair{object, old}, options)
}

// Apply is [crdsem.Version.Apply]. A nil stored object does not exist yet.
func (v *Version) Apply(ctx context.Context, config, stored any, options ...crdsem.Option) *Result {
	return v.do(ctx, crdsem.Request{Verb: crdsem.VerbApply}, pair{config, stored}, options)
}

// ApplyStatus is [crdsem.Version.ApplyStatus].
func (v *Version) ApplyStatus(
	ctx context.Context, config, stored any, options ...crdsem.Option,
) *Result {
	apply := crdsem.Request{Verb: crdsem.VerbApply, Subresource: crdsem.SubresourceStatus}
	return v.do(ctx, apply, pair{config, stored}, options)
}

// Patch is [crdsem.Version.Patch], e.g. with types.MergePatchType. A patch of
// type types.ApplyYAMLPatchType is a configuration for [Version.Apply], and an
// error here.
func (v *Version) Patch(
	ctx context.Context, patch []byte, patchType types.PatchType, stored any,
	options ...crdsem.Option,
) *Result {
	sent := crdsem.Request{Body: patch, PatchType: crdsem.PatchType(patchType)}
	return v.patch(ctx, sent, stored, options)
}

// PatchStatus is [crdsem.Version.PatchStatus]. The patch types are those of
// [Version.Patch].
func (v *Version) PatchStatus(
	ctx context.Context, patch []byte, patchType types.PatchType, stored any,
	options ...crdsem.Option,
) *Result {
	sent := crdsem.Request{
		Subresource: crdsem.SubresourceStatus, Body: patch, PatchType: crdsem.PatchType(patchType),
	}
	return v.patch(ctx, sent, stored, options)
}

// Read is [crdsem.Version.Read]. The stored object may be of any version of the
// definition; without apiVersion it is of this one.
func (v *Version) Read(ctx context.Context, stored any) *Result {
	return v.do(ctx, crdsem.Request{Verb: crdsem.VerbRead}, pair{nil, stored}, nil)
}

// patch makes a request with a patch of a stored object.
func (v *Version) patch(
	ctx context.Context, request crdsem.Request, stored any, options []crdsem.Option,
) *Result {
	if types.PatchType(request.PatchType) == types.ApplyYAMLPatchType {
		return failed(fmt.Errorf("patch of type %s: call Apply or ApplyStatus with the "+
			"configuration as an object", request.PatchType))
	}
	request.Verb = crdsem.VerbPatch
	return v.do(ctx, request, pair{nil, stored}, options)
}

// pair is the object that is sent and the stored one.
type pair struct{ object, old any }

// do makes a request with objects of any type.
func (v *Version) do(
	ctx context.Context, request crdsem.Request, of pair, options []crdsem.Option,
) *Result {
	var err error
	if request.Object, err = v.untype(of.object); err != nil {
		return failed(err)
	}
	if request.Old, err = v.untype(of.old); err != nil {
		return failed(err)
	}
	return &Result{Result: v.version.Do(ctx, request.With(options...))}
}

// untype converts an object, and fills in its apiVersion and kind. A nil object
// stays nil.
func (v *Version) untype(object any) (map[string]any, error) {
	out, err := Untype(object)
	if err != nil || out == nil {
		return nil, err
	}
	if apiVersion, _ := out["apiVersion"].(string); apiVersion == "" {
		out["apiVersion"] = v.version.APIVersion()
	}
	if kind, _ := out["kind"].(string); kind == "" {
		out["kind"] = v.kind
	}
	return out, nil
}
