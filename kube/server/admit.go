package server

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
	"github.com/crdsem/crdsem/merge"
	"github.com/crdsem/crdsem/versionsort"
)

// The seam to admission. A write is prepared, which gives the object that is
// sent and what is wrong with it; then it is admitted; then it is stored. No
// lock is held meanwhile.

// user is who makes the requests: there is one token.
func user() authenticationv1.UserInfo {
	return authenticationv1.UserInfo{
		Username: "kubernetes-admin", Groups: []string{"system:masters", "system:authenticated"},
	}
}

// admits reports whether writes are admitted by anyone.
func (r *request) admits() bool {
	return r.server.admission != nil && r.server.admission.Active()
}

// mutation is a custom resource on its way through admission.
type mutation struct {
	object, old map[string]any // the object as admission sees it
	managed     []any          // its managedFields
	// judge judges the object that admission returns.
	judge func(map[string]any) *crdsem.Result
}

// mutated asks admission for changes to a custom resource. If there are any,
// the object is judged again: changed reports that. The managedFields are those
// that admission leaves.
func (r *request) mutated(m mutation) (result *crdsem.Result, managed []any, err error) {
	sent := withManagers(m.object, m.managed)
	w := r.admissionWrite(sent, m.old)
	if err := r.server.admission.Mutate(r.ctx, w); err != nil {
		return nil, nil, err
	}
	if isSame(w.Object, sent) {
		return nil, m.managed, nil
	}
	managed, _ = metaOf(w.Object)["managedFields"].([]any)
	return m.judge(withMeta(w.Object, "managedFields", nil)), managed, nil
}

// admitCreate is mutated for a new object. What is admitted has still to be
// validated, when it has its name and its uid.
func (r *request) admitCreate(
	result *crdsem.Result, m mutation, options []crdsem.Option,
) (*crdsem.Result, []any, error) {
	if result.Object == nil || !r.admits() {
		return result, m.managed, nil
	}
	m.judge = func(object map[string]any) *crdsem.Result {
		return r.api.Do(r.ctx, crdsem.Request{
			Verb: crdsem.VerbCreate, Object: object, Decoded: true,
		}.With(options...))
	}
	next, managed, err := r.mutated(m)
	if next == nil {
		next = result
	}
	return next, managed, err
}

// admitUpdate asks admission about a write to an object that exists.
func (r *request) admitUpdate(
	result *crdsem.Result, old *storage.Object, track *tracking, options []crdsem.Option,
) (*crdsem.Result, error) {
	if result.Object == nil || !r.admits() {
		return result, nil
	}
	live, err := r.liveOf(*track, old)
	if err != nil {
		return nil, err
	}
	revision := metaText(result.Object, "resourceVersion")
	if result.Err() == nil && revision == "" { // of an apply
		revision = metaText(live, "resourceVersion")
	}
	generation := metaOf(live)["generation"]
	if track.sent != nil {
		generation = metaOf(track.sent)["generation"]
	}
	next, managed, err := r.mutated(mutation{
		// It is counted up after this.
		object: withMeta(result.Object, "generation", generation),
		old:    live, managed: track.managed,
		judge: func(object map[string]any) *crdsem.Result {
			if metaText(object, "resourceVersion") == "" && revision != "" {
				object = withMeta(object, "resourceVersion", revision)
			}
			return r.api.Do(r.ctx, crdsem.Request{
				Verb: crdsem.VerbUpdate, Subresource: crdsem.Subresource(r.subresource),
				Object: object, Old: versioned(old), Decoded: true,
			}.With(options...))
		},
	})
	if err != nil {
		return nil, err
	}
	if next != nil {
		result, track.managed = next, managed
	}
	if result.Err() != nil {
		return result, nil
	}
	return result, r.validated(withManagers(result.Object, track.managed), live)
}

// validated asks admission whether an object may be stored.
func (r *request) validated(object, old map[string]any) error {
	if !r.admits() {
		return nil
	}
	return r.server.admission.Validate(r.ctx, r.admissionWrite(object, old))
}

// admitDelete asks whether an object may be deleted.
func (r *request) admitDelete(old map[string]any) error {
	if !r.admits() {
		return nil
	}
	w := r.admissionWrite(nil, old)
	if err := r.server.admission.Mutate(r.ctx, w); err != nil {
		return err
	}
	return r.server.admission.Validate(r.ctx, w)
}

// admitPart asks admission about a subresource of another kind, e.g. a scale.
// It returns the object with the changes of webhooks.
func (r *request) admitPart(part, old map[string]any) (map[string]any, error) {
	if !r.admits() {
		return part, nil
	}
	w := r.admissionWrite(part, old)
	w.Kind = r.kindOfPart()
	if err := r.server.admission.Mutate(r.ctx, w); err != nil {
		return nil, err
	}
	return w.Object, r.server.admission.Validate(r.ctx, w)
}

// admissionWrite returns the request as plugins see it.
func (r *request) admissionWrite(object, old map[string]any) *admission.Write {
	gv := r.groupVersion()
	w := &admission.Write{
		Operation: admissionv1.Update, Kind: gv.WithKind(r.names.Kind),
		Resource:    gv.WithResource(r.resource.Resource),
		Subresource: r.subresource, Namespace: r.namespace,
		Name:   cmp.Or(r.name, metaText(object, "name")),
		Object: object, Old: old, DryRun: r.dryRun, User: user(),
		Options: r.optionsOf, Warn: func(text string) { r.warn(text) },
	}
	if r.resource == namespaces {
		w.Namespace = w.Name
	}
	switch {
	case object == nil:
		w.Operation = admissionv1.Delete
	case old == nil:
		w.Operation = admissionv1.Create
	}
	return w
}

// optionsAs keeps the options of a request for admission. An apply that creates
// has the options of a patch, too.
func (r *request) optionsAs(kind string, options any) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(options)
	if err != nil {
		return
	}
	fields["apiVersion"], fields["kind"] = "meta.k8s.io/v1", kind
	if r.http.Method == http.MethodPatch {
		fields["kind"] = "PatchOptions"
	}
	r.optionsOf = fields
}

// lookup shows the stored objects to admission.
type lookup struct{ *Handler }

var _ admission.Objects = lookup{}

// List implements admission.Objects.
func (l lookup) List(of schema.GroupResource) (objects []map[string]any) {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	if !ok {
		return nil
	}
	all, _ := k.objects.List(k.prefix(""))
	for object := range all.All() {
		objects = append(objects, versioned(object))
	}
	return objects
}

// Any implements admission.Objects.
func (l lookup) Any(of schema.GroupResource) bool {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	return ok && k.objects.Len() > 0
}

// Revision implements admission.Objects.
func (l lookup) Revision(of schema.GroupResource) uint64 {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	if !ok {
		return 0
	}
	return k.objects.Revision()
}

// Get implements admission.Objects.
func (l lookup) Get(of schema.GroupResource, namespace, name string) map[string]any {
	if k, ok := l.kinds.Resource(of.Group, of.Resource); ok {
		if object := k.objects.Get(k.prefix(namespace) + name); object != nil {
			return versioned(object)
		}
	}
	return nil
}

// Convert implements admission.Objects.
func (l lookup) Convert(
	ctx context.Context, object map[string]any, version string,
) (map[string]any, error) {
	of := manifest.TypeOf(object)
	k, ok := l.kinds.Kind(of.GroupKind)
	if !ok || k.versions[version] == nil {
		return nil, fmt.Errorf("%s has no version %s", of.GroupKind, version)
	}
	r := &request{version: k.versions[version], server: l.Handler, ctx: ctx}
	return r.read(object)
}

// Resource implements admission.Objects.
func (l lookup) Resource(
	of schema.GroupVersionKind,
) (resource schema.GroupResource, namespaced, ok bool) {
	k, ok := l.kinds.Kind(manifest.GroupKind(of.GroupKind()))
	if !ok || k.versions[of.Version] == nil {
		return schema.GroupResource{}, false, false
	}
	return k.resource, k.namespaced, true
}

// Merge implements admission.Objects.
func (l lookup) Merge(object, config map[string]any) (map[string]any, error) {
	of := manifest.TypeOf(object)
	k, ok := l.kinds.Kind(of.GroupKind)
	if !ok || k.versions[of.Version] == nil {
		return nil, fmt.Errorf("%s has no version %s", of.GroupKind, of.Version)
	}
	typing, err := k.versions[of.Version].typing()
	if err != nil {
		return nil, err
	}
	return typing.Merge(object, config)
}

// typing returns the type by which configurations are merged.
func (v *version) typing() (builtin.Typing, error) {
	if v.builtin != nil {
		return v.builtin.Typing(), nil
	}
	text, err := merge.Compile(v.model.Schema()).SchemaYAML()
	if err != nil {
		return nil, err
	}
	parser, err := typed.NewParser(typed.YAMLObject(text))
	if err != nil {
		return nil, err
	}
	root := parser.Type("root")
	return func(
		object map[string]any, options ...typed.ValidationOptions,
	) (*typed.TypedValue, error) {
		return root.FromUnstructured(object, options...)
	}, nil
}

// Versions implements admission.Objects.
func (l lookup) Versions(of schema.GroupResource) []string {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	if !ok {
		return nil
	}
	return slices.SortedFunc(maps.Keys(k.versions), versionsort.Compare)
}
