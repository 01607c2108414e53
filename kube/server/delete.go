package server

import (
	"fmt"
	"net/http"
	"slices"
	"time"

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
		_, err := r.read(versioned(old))
		return nil, r.unreadableByGet(old, err)
	}
	if err := r.deletable(live, options.Preconditions); err != nil {
		return nil, err
	}
	if r.isEnding(live) {
		return &answer{http.StatusOK, live}, nil
	}
	if r.subresource == "" { // an eviction was admitted as such
		if err := r.admitDelete(live); err != nil {
			return nil, err
		}
	}
	r.dryRun = len(options.DryRun) > 0
	end := ending{old: old, live: live, options: options}
	end.finalizers = finalizersAfter(finalizersOf(live), options)
	if err := r.endBuiltIn(&end); err != nil {
		return nil, err
	}
	if len(end.finalizers) > 0 || end.grace > 0 || end.stays {
		return r.mark(&end)
	}
	if r.builtin != nil && r.names.Kind == "Pod" && !r.dryRun {
		return r.dropPod(&end)
	}
	if err := r.drop(old); err != nil {
		return nil, err
	}
	if r.builtin != nil && answersDeleted[r.names.Kind] {
		if !r.dryRun {
			live = withRevision(live, r.server.store.Revision())
		}
		return &answer{http.StatusOK, live}, nil
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

// answersDeleted are the built-in kinds of which a delete answers the object.
var answersDeleted = map[string]bool{
	"CSIDriver": true, "CSINode": true, "DeviceClass": true, "Namespace": true,
	"PersistentVolume": true, "PersistentVolumeClaim": true, "PodTemplate": true,
	"ResourceClaim": true, "ResourceClaimTemplate": true, "ResourceQuota": true,
	"ResourceSlice": true, "Service": true, "ServiceAccount": true, "StorageClass": true,
	"VolumeAttachment": true, "VolumeAttributesClass": true,
}

// podPause is how long a Pod that is on no node is there after it is marked.
// On the server it is the time of a write to etcd, in which controllers see
// the mark.
const podPause = 10 * time.Millisecond

// dropPod marks a Pod and removes it, as the server does if it need not wait
// for a node. The Pod is the answer.
func (r *request) dropPod(e *ending) (*answer, error) {
	if metaText(e.live, "deletionTimestamp") != "" {
		return &answer{http.StatusOK, e.live}, r.drop(e.old)
	}
	out, err := r.mark(e)
	if err != nil {
		return nil, err
	}
	select {
	case <-time.After(podPause):
	case <-r.ctx.Done():
	}
	if now := r.objects.Get(r.key()); now != nil && len(finalizersOf(now.Content())) == 0 {
		r.objects.Remove(r.key())
	}
	return out, nil
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

// ending is a delete on its way.
type ending struct {
	old        *storage.Object
	live       map[string]any
	options    *metav1.DeleteOptions
	finalizers []string
	grace      int64 // in seconds
	// stays reports that the object is only marked, without finalizers, too.
	stays bool
	// timeless reports that the mark is a time only: that of a definition or a
	// namespace.
	timeless bool
}

// isEnding reports whether an object is a namespace that was deleted before and
// waits for its content to go. Another delete changes nothing.
func (r *request) isEnding(live map[string]any) bool {
	return r.server.cluster != nil && r.resource == namespaces &&
		metaText(live, "deletionTimestamp") != "" && len(specFinalizers(live)) > 0
}

// endBuiltIn does what the server does before an object of a built-in kind is
// deleted.
func (r *request) endBuiltIn(e *ending) error {
	switch {
	case r.server.cluster == nil:
	case r.resource == definitions && metaText(e.live, "deletionTimestamp") == "":
		e.timeless = true
		e.live = r.server.cluster.markDefinition(e.live)
		e.finalizers = finalizersAfter(finalizersOf(e.live), e.options)
	case r.resource == namespaces && staysForever(r.name):
		return apierrors.NewForbidden(namespaces, r.name, errNamespaceStays)
	case r.resource == namespaces && metaText(e.live, "deletionTimestamp") == "":
		e.stays = len(specFinalizers(e.live)) > 0
		e.timeless = e.stays
		e.live = r.endNamespace(e.live)
	case r.builtin != nil && r.names.Kind == "Pod":
		e.grace = gracePeriod(e.live, e.options)
		now, ok := metaOf(e.live)["deletionGracePeriodSeconds"].(int64)
		if ok {
			e.grace = min(e.grace, now)
		}
	}
	return nil
}

// mark marks an object as being deleted.
func (r *request) mark(e *ending) (*answer, error) {
	old, live := e.old, e.live
	object := withMeta(live, "finalizers", texts(e.finalizers))
	if len(e.finalizers) == 0 {
		object = withMeta(live, "finalizers", nil)
	}
	before, _ := metaOf(live)["deletionGracePeriodSeconds"].(int64)
	if metaText(live, "deletionTimestamp") == "" || before > e.grace {
		at := r.server.now().Add(time.Duration(e.grace) * time.Second)
		object = withMeta(object, "deletionTimestamp", at.Format(time.RFC3339))
	}
	if metaText(live, "deletionTimestamp") == "" && !e.timeless {
		if generation, ok := metaOf(live)["generation"].(int64); ok && generation > 0 {
			object = withMeta(object, "generation", generation+1)
		}
	}
	if !e.timeless {
		object = withMeta(object, "deletionGracePeriodSeconds", e.grace)
	}
	next, err := r.asStored(object)
	if err != nil {
		return nil, err
	}
	switch {
	case r.dryRun:
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
	if orphans := orphanDependents(e.options); orphans != nil && !*orphans {
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
