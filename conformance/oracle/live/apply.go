package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/internal/unstructured"
	"github.com/crdsem/crdsem/merge"
)

// mediaApply is the media type of a server-side apply.
const mediaApply = "application/apply-patch+yaml"

// applier says who applies.
type applier struct {
	manager string
	force   bool
}

// applies applies a stored object some times, and an object that is new once, each time in some version.
func (s *session) applies(name string) error {
	served := s.resource.served()
	for turn := range s.resource.size.applies {
		v := served[s.rng.IntN(len(served))]
		if err := s.apply(name, v, turn); err != nil {
			return err
		}
	}
	return s.readAll(name)
}

// apply applies a part of an object as it is stored, changed: every third time to the status, where there is such a subresource; every fourth time as
// another object, which is not stored.
func (s *session) apply(name string, v version, turn int) error {
	path := s.resource.path(v.name, name)
	read, err := s.do(http.MethodGet, path, "", nil)
	if err != nil || read.Status != http.StatusOK {
		return err // what does not convert cannot be read
	}
	object, err := read.object()
	if err != nil {
		return err
	}
	managers := []string{"one", "two"}
	w := &write{
		version: v.name, namespace: s.namespace(), fieldValidation: s.mode(), patch: true, media: mediaApply,
		applier: applier{managers[s.rng.IntN(len(managers))], s.rng.IntN(3) > 0},
	}
	if w.old, err = s.storedObject(name, path); err != nil {
		return err
	}
	query := ""
	switch {
	case v.status && turn%3 == 2:
		w.subresource = "status"
		path += "/status"
	case turn%4 == 3:
		w.old = nil
		name += "-new"
		path = s.resource.path(v.name, name)
		query = dryRun
	}
	p := &patcher{mutator{s.rng}, s.resource, v, object}
	if w.body, err = p.applied(name, w.subresource); err != nil {
		return err
	}
	s.count(func(c *counts) { c.Applies++ })
	_, err = s.write(http.MethodPatch, path+applyQuery(query, w.applier), name, w)
	return err
}

// applyQuery adds who applies to a query.
func applyQuery(query string, a applier) string {
	separator := "?"
	if query != "" {
		separator = "&"
	}
	return fmt.Sprintf("%s%sfieldManager=%s&force=%t", query, separator, a.manager, a.force)
}

// applied is what is applied: a part of the object, now and then changed, with what it must have.
func (p *patcher) applied(name, subresource string) ([]byte, error) {
	after := copyValue(p.object).(map[string]any)
	if p.rng.IntN(3) == 0 {
		after = p.changed(subresource)
	}
	for _, key := range sortedKeys(after) {
		if p.rng.IntN(4) == 0 {
			delete(after, key)
		}
	}
	part := p.part(after).(map[string]any)
	metadata := map[string]any{"name": name}
	for _, key := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if value, ok := child(p.object, "metadata")[key]; ok && p.rng.IntN(2) == 0 {
			metadata[key] = value
		}
	}
	part["apiVersion"], part["kind"], part["metadata"] = p.object["apiVersion"], p.object["kind"], metadata
	return encode(part), nil
}

// part is a value with some of its members left out, and none twice.
func (p *patcher) part(value any) any {
	switch value := value.(type) {
	case duplicated:
		return p.part(value.last)
	case []any:
		items := make([]any, len(value))
		for i, item := range value {
			items[i] = p.part(item)
		}
		return items
	case map[string]any:
		kept := map[string]any{}
		for _, key := range sortedKeys(value) {
			if p.rng.IntN(6) > 0 {
				kept[key] = p.part(value[key])
			}
		}
		return kept
	}
	return value
}

// keepManagers makes the managers of two objects that were merged comparable, which are left out elsewhere: each without its time, by which the
// server orders them.
func keepManagers(verdicts ...*verdict) {
	for _, v := range verdicts {
		if v == nil || v.stage != stageAdmitted || v.returned == nil {
			continue
		}
		object := plain(v.returned).(map[string]any)
		entries, _ := child(object, "metadata")["managedFields"].([]any)
		var managers []string
		for _, entry := range entries {
			if entry, ok := entry.(map[string]any); ok {
				delete(entry, "time")
			}
			managers = append(managers, string(encode(entry)))
		}
		slices.Sort(managers)
		object["managers"] = managers
		v.returned = object
	}
}

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
	case err != nil && strings.Contains(err.Error(), omitsKey):
		return nil, errUnjudged
	case err != nil:
		return &crdsem.Result{Stage: crdsem.StageDecode, Err: mergeError(err), Warnings: v.Read(ctx, merged).Warnings}, nil
	case live == nil:
		return v.Create(ctx, merged, append(options, crdsem.Applied)...), nil
	case w.subresource == "status":
		return v.UpdateStatus(ctx, merged, old, append(options, crdsem.Applied)...), nil
	}
	return v.Update(ctx, merged, old, append(options, crdsem.Applied)...), nil
}

// omitsKey is a problem that package merge has with a list item and the server has not: a known deviation.
const omitsKey = "associative list with keys has an element that omits key field"

// mergeError is the answer to an apply that cannot be merged.
func mergeError(err error) error {
	if conflict := (*merge.ConflictError)(nil); errors.As(err, &conflict) {
		return &crdsem.RequestError{Code: http.StatusConflict, Reason: "Conflict", Text: err.Error()}
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
