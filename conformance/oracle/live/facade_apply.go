package live

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/merge"
)

// apply judges a server-side apply: package merge makes the object, the facade says what becomes of it.
func (f *facadeResource) apply(v *crdsem.Version, w *write, options []crdsem.Option) (*crdsem.Result, error) {
	ctx := context.Background()
	value, _, err := unstructured.DecodeYAML(w.body)
	if err != nil {
		return nil, err
	}
	var old, live map[string]any
	if w.old != nil {
		if old, err = decodeObject(w.old); err != nil {
			return nil, err
		}
		read := v.Read(ctx, old)
		if read.Err != nil {
			return nil, read.Err
		}
		live = read.Object
	}
	resource, err := f.merging(ctx, v)
	if err != nil {
		return nil, err
	}
	request := merge.Request{APIVersion: v.APIVersion(), Manager: w.applier.manager, Subresource: w.subresource, Force: w.applier.force}
	merged, err := resource.Apply(live, value.(map[string]any), request)
	switch {
	case err != nil:
		return &crdsem.Result{Stage: crdsem.StageDecode, Err: mergeError(err), Warnings: v.Read(ctx, merged).Warnings}, nil
	case live == nil:
		return v.Create(ctx, merged, append(options, crdsem.Applied)...), nil
	case w.subresource == "status":
		return v.UpdateStatus(ctx, merged, old, append(options, crdsem.Applied)...), nil
	}
	return v.Update(ctx, merged, old, append(options, crdsem.Applied)...), nil
}

// mergeError is the answer to an apply that cannot be merged.
func mergeError(err error) error {
	if conflict := (*merge.ConflictError)(nil); errors.As(err, &conflict) {
		return &crdsem.RequestError{Code: http.StatusConflict, Reason: "Conflict", Text: err.Error()}
	}
	if text := err.Error(); text == "metadata.managedFields must be nil" || strings.HasPrefix(text, "invalid object type: ") {
		return &crdsem.RequestError{Code: http.StatusBadRequest, Reason: "BadRequest", Text: text}
	}
	return &crdsem.RequestError{Code: http.StatusInternalServerError, Text: err.Error()}
}

// merging is the resource that applies are merged for in a version.
func (f *facadeResource) merging(ctx context.Context, v *crdsem.Version) (*merge.Resource, error) {
	var versions []merge.Version
	model := f.definition.Model()
	for _, version := range model.Versions() {
		other, err := f.definition.Version(version.Name)
		if err != nil {
			continue // not served
		}
		versions = append(versions, merge.Version{APIVersion: other.APIVersion(), Type: merge.Compile(other.Schema()), HasStatus: version.HasStatus})
	}
	return merge.NewResource(model.Names().Kind, versions, merge.Hooks{
		Convert: func(object map[string]any, apiVersion string) (map[string]any, error) {
			return f.definition.Convert(ctx, object, apiVersion)
		},
		Default: func(object map[string]any) { defaulting.Default(object, v.Schema()) },
	})
}
