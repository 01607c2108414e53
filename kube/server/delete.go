package server

import (
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// delete answers a DELETE of an object.
func (r *request) delete() (*answer, error) {
	options, err := r.deleteOptions()
	if err != nil {
		return nil, err
	}
	return r.remove(options)
}

// remove deletes an object. If it has finalizers, it is only marked.
func (r *request) remove(options *metav1.DeleteOptions) (*answer, error) {
	old, err := r.live()
	if err != nil {
		return nil, err
	}
	live, err := r.readForWrite(old)
	if err != nil {
		return nil, r.unreadableByGet(old, r.untyped.Read(r.ctx, versioned(old)).Err())
	}
	if err := r.deletable(live, options.Preconditions); err != nil {
		return nil, err
	}
	if err := r.admitDelete(live); err != nil {
		return nil, err
	}
	finalizers := finalizersAfter(finalizersOf(live), options)
	dryRun := len(options.DryRun) > 0
	if len(finalizers) > 0 {
		return r.mark(old, live, finalizers, dryRun, options)
	}
	r.dryRun = dryRun
	if err := r.drop(old); err != nil {
		return nil, err
	}
	return &answer{http.StatusOK, &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   metav1.StatusSuccess,
		Details: &metav1.StatusDetails{
			Name: r.name, Group: r.resource.Group, Kind: r.resource.Resource,
			UID: types.UID(metaText(live, "uid")),
		},
	}}, nil
}

// deletable checks the preconditions of a delete.
func (r *request) deletable(live map[string]any, p *metav1.Preconditions) error {
	if p == nil {
		return nil
	}
	// The server has the kind where other answers have the resource.
	kind := schema.GroupResource{Group: r.resource.Group, Resource: r.names.Kind}
	if uid := metaText(live, "uid"); p.UID != nil && string(*p.UID) != uid {
		return apierrors.NewConflict(kind, r.name, fmt.Errorf(
			"the UID in the precondition (%s) does not match the UID in record (%s). "+
				"The object might have been deleted and then recreated", *p.UID, uid))
	}
	version := metaText(live, "resourceVersion")
	if p.ResourceVersion != nil && *p.ResourceVersion != version {
		return apierrors.NewConflict(kind, r.name, fmt.Errorf(
			"the ResourceVersion in the precondition (%s) does not match the ResourceVersion "+
				"in record (%s). The object might have been modified",
			*p.ResourceVersion, version))
	}
	return nil
}

// orphanDependents returns the choice that came before the propagation policy.
// It is deprecated, but clients can still send it.
func orphanDependents(options *metav1.DeleteOptions) *bool {
	return options.OrphanDependents //nolint:staticcheck // the server reads it
}

// finalizersAfter returns the finalizers that a delete leaves or adds, by its
// propagation policy.
func finalizersAfter(finalizers []string, options *metav1.DeleteOptions) []string {
	collector := func(name string) bool {
		return name == metav1.FinalizerOrphanDependents ||
			name == metav1.FinalizerDeleteDependents
	}
	own := slices.DeleteFunc(slices.Clone(finalizers), collector)
	orphans := orphanDependents(options)
	switch {
	case orphans != nil:
		if *orphans {
			own = append(own, metav1.FinalizerOrphanDependents)
		}
	case options.PropagationPolicy != nil:
		switch *options.PropagationPolicy {
		case metav1.DeletePropagationOrphan:
			own = append(own, metav1.FinalizerOrphanDependents)
		case metav1.DeletePropagationForeground:
			own = append(own, metav1.FinalizerDeleteDependents)
		}
	default:
		if i := slices.IndexFunc(finalizers, collector); i >= 0 {
			own = append(own, finalizers[i])
		}
	}
	if sets.New(own...).Equal(sets.New(finalizers...)) {
		return finalizers
	}
	return own
}

// mark marks an object as being deleted.
func (r *request) mark(
	old *storage.Object, live map[string]any, finalizers []string, dryRun bool,
	options *metav1.DeleteOptions,
) (*answer, error) {
	list := make([]any, len(finalizers))
	for i, name := range finalizers {
		list[i] = name
	}
	object := withMeta(live, "finalizers", list)
	if metaText(live, "deletionTimestamp") == "" {
		object = withMeta(object, "deletionTimestamp", r.server.timestamp())
		if generation, ok := metaOf(live)["generation"].(int64); ok && generation > 0 {
			object = withMeta(object, "generation", generation+1)
		}
	}
	object = withMeta(object, "deletionGracePeriodSeconds", int64(0))
	next, err := r.asStored(object)
	if err != nil {
		return nil, err
	}
	switch {
	case dryRun:
		next = withRevision(next, old.Revision)
	case isSameStored(old, storage.NewObject(r.key(), next, object)):
		next = versioned(old)
	default:
		if next, err = r.put(old, storage.NewObject(r.key(), next, object)); err != nil {
			return nil, err
		}
	}
	shown, err := r.read(next)
	code := http.StatusOK
	if orphans := orphanDependents(options); orphans != nil && !*orphans {
		code = http.StatusAccepted
	}
	return &answer{code, shown}, err
}

// deleteCollection answers a DELETE of a collection: every object that matches
// is deleted.
func (r *request) deleteCollection() (*answer, error) {
	options, err := r.deleteOptions()
	if err != nil {
		return nil, err
	}
	listed, err := r.list()
	if err != nil {
		return nil, err
	}
	items, _ := listed.object.(map[string]any)["items"].([]any)
	for _, item := range items {
		object, _ := item.(map[string]any)
		if err := r.removeOne(object, options); err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
	}
	return listed, nil
}

// removeOne deletes an object of a collection.
func (r *request) removeOne(object map[string]any, options *metav1.DeleteOptions) error {
	for {
		one := *r
		one.name = metaText(object, "name")
		if one.namespaced {
			one.namespace = metaText(object, "namespace")
		}
		if _, err := one.remove(options); err != errChanged || r.ctx.Err() != nil {
			return err
		}
	}
}
