package server

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// collect does what the controllers of garbage and of namespaces do, after each
// write, until the context ends.
func (c *cluster) collect(ctx context.Context) {
	for {
		began := time.Now()
		for c.sweep(ctx) && ctx.Err() == nil {
			// what was deleted may own others
		}
		// Sweeping takes at most a fifth of the time.
		wait := time.NewTimer(4*time.Since(began) + time.Millisecond)
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case <-wait.C:
		}
		select {
		case <-ctx.Done():
			return
		case <-c.store.Written():
		}
	}
}

// owned is a stored object with its kind, and what counts of it here.
type owned struct {
	*kind
	*storage.Object

	uid, name, namespace string
	finalizers           []string
	owners               []map[string]any
	deleted              bool // it has a deletionTimestamp
}

func newOwned(k *kind, object *storage.Object) *owned {
	content := object.Content()
	text := func(key string) string { return strings.Clone(metaText(content, key)) } // of a text
	return &owned{
		kind: k, Object: object, uid: text("uid"), name: text("name"),
		namespace: text("namespace"), deleted: metaText(content, "deletionTimestamp") != "",
		finalizers: finalizersOf(content), owners: ownersOf(content),
	}
}

// heap is all objects at a moment.
type heap struct {
	all   []*owned
	byUID map[string]*owned
	// below are the objects that name a uid as that of an owner.
	below map[string][]*owned
}

func (c *cluster) heap() *heap {
	h := &heap{byUID: map[string]*owned{}, below: map[string][]*owned{}}
	for _, k := range c.sorted() {
		objects, _ := k.objects.List(k.prefix(""))
		for object := range objects.All() {
			one := newOwned(k, object)
			h.all = append(h.all, one)
			h.byUID[one.uid] = one
			for _, owner := range one.owners {
				h.below[ownerText(owner, "uid")] = append(h.below[ownerText(owner, "uid")], one)
			}
		}
	}
	return h
}

// ownersOf returns the owner references of an object.
func ownersOf(object map[string]any) (owners []map[string]any) {
	list, _ := metaOf(object)["ownerReferences"].([]any)
	for _, item := range list {
		if owner, ok := item.(map[string]any); ok {
			owners = append(owners, owner)
		}
	}
	return owners
}

func ownerText(owner map[string]any, key string) string {
	text, _ := owner[key].(string)
	return text
}

// sweep looks at all objects once. It reports whether it changed one.
func (c *cluster) sweep(ctx context.Context) (changed bool) {
	h := c.heap()
	for _, one := range h.all {
		if ctx.Err() != nil {
			return false
		}
		switch {
		case one.resource == namespaces && one.deleted:
			changed = c.empty(ctx, h, one) || changed
		case slices.Contains(one.finalizers, metav1.FinalizerOrphanDependents):
			changed = c.orphan(h, one) || changed
		case slices.Contains(one.finalizers, metav1.FinalizerDeleteDependents):
			changed = c.deleteBelow(ctx, h, one) || changed
		case len(one.owners) > 0:
			changed = c.judge(ctx, h, one) || changed
		}
	}
	return changed
}

// judge deletes an object whose owners are all gone. If some are, it only
// loses its references to them.
func (c *cluster) judge(ctx context.Context, h *heap, one *owned) bool {
	var left []any
	owners := one.owners
	for _, owner := range owners {
		found, ok := h.byUID[ownerText(owner, "uid")]
		if ok && found.name == ownerText(owner, "name") {
			left = append(left, owner)
		}
	}
	switch {
	case len(left) == len(owners):
		return false
	case len(left) == 0:
		return c.discard(ctx, one, metav1.DeletePropagationBackground)
	}
	c.changeMeta(one, "ownerReferences", left)
	return true
}

// orphan removes the references to an owner that leaves its dependents, and
// then the finalizer that waits for that.
func (c *cluster) orphan(h *heap, owner *owned) bool {
	for _, one := range h.below[owner.uid] {
		var left []any
		for _, reference := range one.owners {
			if ownerText(reference, "uid") != owner.uid {
				left = append(left, reference)
			}
		}
		c.changeMeta(one, "ownerReferences", left)
	}
	return c.release(owner, metav1.FinalizerOrphanDependents)
}

// deleteBelow deletes the dependents of an owner. When none is left that blocks
// it, the finalizer that waits for that is removed.
func (c *cluster) deleteBelow(ctx context.Context, h *heap, owner *owned) (changed bool) {
	blocked := false
	for _, one := range h.below[owner.uid] {
		for _, reference := range one.owners {
			blocks, _ := reference["blockOwnerDeletion"].(bool)
			blocked = blocked || blocks && reference["uid"] == owner.uid
		}
		changed = c.discard(ctx, one, metav1.DeletePropagationForeground) || changed
	}
	if blocked {
		return changed
	}
	return c.release(owner, metav1.FinalizerDeleteDependents) || changed
}

// empty deletes what is in a namespace, and then the namespace.
func (c *cluster) empty(ctx context.Context, h *heap, namespace *owned) (changed bool) {
	left := 0
	for _, one := range h.all {
		if one.namespaced && one.namespace == namespace.name {
			left++
			changed = c.discard(ctx, one, metav1.DeletePropagationBackground) || changed
		}
	}
	if left > 0 {
		return changed
	}
	if len(specFinalizers(namespace.Content())) == 0 {
		return false
	}
	c.change(namespace.objects, namespace.Key, func(object map[string]any) map[string]any {
		next := withMeta(object, "finalizers", metaOf(object)["finalizers"])
		next["spec"] = map[string]any{}
		return next
	})
	return c.drained(namespace) || changed
}

// discard deletes an object as a client does. It reports whether that changed
// anything: an object that is being deleted already stays as it is.
func (c *cluster) discard(
	ctx context.Context, one *owned, how metav1.DeletionPropagation,
) bool {
	if one.deleted {
		return false
	}
	path := strings.Join([]string{
		"", pathOfVersion(one.kind.resource.Group, one.preferred()), one.kind.resource.Resource,
		one.name,
	}, "/")
	if one.namespaced {
		path = strings.Join([]string{
			"", pathOfVersion(one.kind.resource.Group, one.preferred()), "namespaces",
			one.namespace, one.kind.resource.Resource,
			one.name,
		}, "/")
	}
	path += "?propagationPolicy=" + string(how)
	ctx, cancel := context.WithTimeout(ctx, c.deadlines.write)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, path, nil)
	if err != nil {
		return false
	}
	request, ok := c.route(r)
	if !ok {
		return false
	}
	_, err = request.settled()
	return err == nil
}

// preferred returns a version in which the kind is served.
func (k *kind) preferred() string {
	for name := range k.versions {
		if k.storage == "" || name == k.storage {
			return name
		}
	}
	return k.storage
}

// changeMeta sets a field of an object's metadata.
func (c *cluster) changeMeta(one *owned, key string, value []any) {
	c.change(one.objects, one.Key, func(object map[string]any) map[string]any {
		if len(value) == 0 {
			return withMeta(object, key, nil)
		}
		return withMeta(object, key, value)
	})
}

// release removes a finalizer. An object without others is gone then.
func (c *cluster) release(one *owned, finalizer string) bool {
	left := slices.DeleteFunc(slices.Clone(one.finalizers), func(name string) bool {
		return name == finalizer
	})
	c.changeMeta(one, "finalizers", texts(left))
	return c.drained(one)
}

// drained removes an object that is being deleted and has no finalizers. It
// always reports true.
func (c *cluster) drained(one *owned) bool {
	live := one.objects.Get(one.Key)
	if live == nil {
		return true
	}
	content := live.Content()
	if len(finalizersOf(content)) == 0 && len(specFinalizers(content)) == 0 &&
		metaText(content, "deletionTimestamp") != "" {
		one.objects.Swap(one.Key, live, nil)
	}
	return true
}
