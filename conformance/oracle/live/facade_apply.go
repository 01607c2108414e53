package live

import (
	"context"
	"errors"
	"slices"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/structural"
)

// application is a server-side apply in the form that package merge takes.
type application struct {
	resource      *merge.FieldManager
	old           map[string]any // as stored; nil if the object is new
	live, applied map[string]any
	request       merge.Request
}

// application decodes a server-side apply.
func (f *facadeResource) application(
	ctx context.Context, v *crdsem.Version, w *write,
) (*application, error) {
	a := &application{request: merge.Request{
		APIVersion:  v.APIVersion(),
		Manager:     w.applier.manager,
		Subresource: w.subresource,
		Force:       w.applier.force,
	}}
	value, _, err := jsonvalue.DecodeYAML(w.body)
	if err != nil {
		return nil, err
	}
	a.applied, _ = value.(map[string]any)
	if w.old != nil {
		if a.old, err = decodeObject(w.old); err != nil {
			return nil, err
		}
		read := v.Read(ctx, a.old)
		if read.Err() != nil {
			return nil, read.Err()
		}
		a.live = read.Object
	}
	a.resource, err = f.merging(ctx, v)
	return a, err
}

// apply judges a server-side apply.
func (f *facadeResource) apply(
	v *crdsem.Version, w *write, options []crdsem.Option,
) (*crdsem.Result, error) {
	ctx := context.Background()
	a, err := f.application(ctx, v, w)
	if err != nil {
		return nil, err
	}
	options = append(options, crdsem.FieldManager(a.request.Manager))
	if a.request.Force {
		options = append(options, crdsem.Force())
	}
	return v.Do(ctx, crdsem.Request{
		Verb: crdsem.VerbApply, Subresource: crdsem.Subresource(w.subresource),
		Object: a.applied, Old: a.old,
	}.With(options...)), nil
}

// mergeFaults returns, for an apply, all reasons why the merged object does not
// fit the versions of its managers. The server takes the managers in the order
// of a map and reports the first reason. The judge reports that of the first
// version.
func (f *facadeResource) mergeFaults(v *crdsem.Version, w *write) []string {
	a, err := f.application(context.Background(), v, w)
	if err != nil || a.live == nil {
		return nil
	}
	var all []string
	for _, version := range f.definition.Model().Versions() {
		live := a.managedIn(f.definition.Model().Group() + "/" + version.Name)
		_, err := a.resource.Apply(context.Background(), live, a.applied, a.request)
		if conflict := (*merge.ConflictError)(nil); err != nil && !errors.As(err, &conflict) &&
			!slices.Contains(all, err.Error()) {
			all = append(all, err.Error())
		}
	}
	return all
}

// managedIn returns the live object with the managers of one version, the
// applier, and the managers of the applier's version, which come first in any
// order.
func (a *application) managedIn(apiVersion string) map[string]any {
	live := copyValue(a.live).(map[string]any)
	metadata := child(live, "metadata")
	entries, _ := metadata["managedFields"].([]any)
	kept := []string{apiVersion}
	for _, entry := range entries {
		manager, _ := entry.(map[string]any)
		if text(manager, "manager") == a.request.Manager &&
			text(manager, "operation") == "Apply" &&
			text(manager, "subresource") == a.request.Subresource {
			kept = append(kept, text(manager, "apiVersion"))
		}
	}
	metadata["managedFields"] = slices.DeleteFunc(entries, func(entry any) bool {
		manager, _ := entry.(map[string]any)
		return !slices.Contains(kept, text(manager, "apiVersion"))
	})
	return live
}

// merging returns the resource for merging applies in a version.
func (f *facadeResource) merging(
	ctx context.Context, v *crdsem.Version,
) (*merge.FieldManager, error) {
	var versions []merge.Version
	model := f.definition.Model()
	for _, version := range model.Versions() {
		other, err := f.definition.Version(version.Name)
		if err != nil {
			continue // not served
		}
		minor := structural.Kubernetes(f.definition.Kubernetes())
		versions = append(versions, merge.Version{
			APIVersion: other.APIVersion(),
			Type:       merge.Compile(other.Schema(), minor),
			HasStatus:  version.HasStatus,
		})
	}
	return merge.NewFieldManager(model.Names().Kind, versions, merge.Hooks{
		Convert: func(object map[string]any, apiVersion string) (map[string]any, error) {
			return f.definition.Convert(ctx, object, apiVersion)
		},
		Default: func(object map[string]any) (map[string]any, error) {
			defaulting.Default(object, v.Schema())
			return object, nil
		},
	})
}
