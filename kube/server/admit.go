package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/kube/server/internal/admission"
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

// admit asks whether a custom resource may be stored. If mutation changes the
// object, it is judged again.
func (r *request) admit(
	result *crdsem.Result, old map[string]any, again func(map[string]any) *crdsem.Result,
) (*crdsem.Result, error) {
	if r.server.admission == nil || result.Object == nil {
		return result, nil
	}
	w := r.admissionWrite(result.Object, old)
	if err := r.server.admission.Mutate(r.ctx, w); err != nil {
		return result, err
	}
	if !isSame(w.Object, result.Object) {
		result = again(w.Object)
	}
	if result.Err() != nil {
		return result, nil
	}
	w.Object = result.Object
	return result, r.server.admission.Validate(r.ctx, w)
}

// admitDelete asks whether an object may be deleted.
func (r *request) admitDelete(old map[string]any) error {
	if r.server.admission == nil {
		return nil
	}
	w := r.admissionWrite(nil, old)
	if err := r.server.admission.Mutate(r.ctx, w); err != nil {
		return err
	}
	return r.server.admission.Validate(r.ctx, w)
}

// admissionWrite returns the request as plugins see it.
func (r *request) admissionWrite(object, old map[string]any) *admission.Write {
	gv := r.groupVersion()
	w := &admission.Write{
		Operation: admissionv1.Update, Kind: gv.WithKind(r.names.Kind),
		Resource:    gv.WithResource(r.resource.Resource),
		Subresource: r.subresource, Namespace: r.namespace, Name: r.name,
		Object: object, Old: old, DryRun: r.dryRun, User: user(),
		Options: r.optionsOf, Warn: func(text string) { r.warn(text) },
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
func (l lookup) List(of schema.GroupResource) (objects []map[string]any, revision uint64) {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	if !ok {
		return nil, 0
	}
	all, _ := k.objects.List(k.prefix(""))
	for _, object := range all {
		objects = append(objects, versioned(object))
	}
	return objects, k.objects.Revision()
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
	of := kinds.TypeOf(object)
	k, ok := l.kinds.Kind(of.GroupKind)
	if !ok || k.versions[version] == nil {
		return nil, fmt.Errorf("%s has no version %s", of.GroupKind, version)
	}
	r := &request{version: k.versions[version], server: l.Handler, ctx: ctx}
	return r.read(object)
}

// Versions implements admission.Objects.
func (l lookup) Versions(of schema.GroupResource) []string {
	k, ok := l.kinds.Resource(of.Group, of.Resource)
	if !ok {
		return nil
	}
	return slices.SortedFunc(maps.Keys(k.versions), versionsort.Compare)
}
