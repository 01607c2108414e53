package server

import (
	"maps"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// tracking is a write with the managers of the object.
type tracking struct {
	live, sent map[string]any // as read, and as sent; nil if they are not known
	managed    []any
}

// managers returns the managers after a write of a custom resource. The object
// is that of the request's result, and old is nil on a create. Seen is the
// object as admission sees a new one.
func (r *request) managers(
	sent crdsem.Request, old *storage.Object, object map[string]any,
) (t tracking, seen map[string]any, err error) {
	if old != nil {
		sent.Old = versioned(old)
	}
	sent.Namespace = r.namespace
	tracked, err := r.tracker.Track(r.ctx, sent, object)
	if err != nil && old != nil {
		if _, unread := r.readForWrite(old); unread != nil {
			err = unread
		}
	}
	if err != nil {
		return t, nil, err
	}
	managed, _ := metaOf(tracked.Object)["managedFields"].([]any)
	return tracking{live: tracked.Live, sent: tracked.Sent, managed: managed}, tracked.Seen, nil
}

// liveOf returns the stored object as a write reads it.
func (r *request) liveOf(t tracking, old *storage.Object) (map[string]any, error) {
	if t.live != nil {
		return t.live, nil
	}
	return r.readForWrite(old)
}

// withManagers returns a copy of an object with managedFields.
func withManagers(object map[string]any, managed []any) map[string]any {
	if len(managed) == 0 {
		return withMeta(object, "managedFields", nil)
	}
	return withMeta(object, "managedFields", managed)
}

// keepTimes returns an object with the managedFields of the live one, if only
// their times differ between the two. Managers are in the order of their times:
// if a new time moves one, the object changes.
func keepTimes(object, live map[string]any) map[string]any {
	if isSame(withoutTimes(object), withoutTimes(live)) {
		return withMeta(object, "managedFields", metaOf(live)["managedFields"])
	}
	return object
}

func withoutTimes(object map[string]any) map[string]any {
	entries, _ := metaOf(object)["managedFields"].([]any)
	out := make([]any, 0, len(entries))
	for _, entry := range entries {
		fields, _ := entry.(map[string]any)
		fields = maps.Clone(fields)
		delete(fields, "time")
		out = append(out, fields)
	}
	return withMeta(object, "managedFields", out)
}
