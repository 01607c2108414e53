package server

import (
	"maps"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/merge/apply"
)

// tracking is a write as its field manager sees it.
type tracking struct {
	before, after map[string]any // as read, and as sent; before is nil on a create
	sent          map[string]any // the body; its managedFields are those of the client
	by            string
	subresource   string
	managed       []any // the entries, if they are known already
}

// tracked returns the object after a write with metadata.managedFields.
func (r *request) tracked(t tracking) map[string]any {
	updated := withMeta(t.after, "managedFields", nil)
	if t.before != nil && t.subresource == "" {
		// An update inherits these later.
		for _, key := range []string{"deletionTimestamp", "deletionGracePeriodSeconds"} {
			updated = withMeta(updated, key, metaOf(t.sent)[key])
		}
	}
	if managed, ok := metaOf(t.sent)["managedFields"].([]any); ok && len(managed) > 0 {
		updated = withMeta(updated, "managedFields", managed)
	}
	by := apply.Manager{Name: t.by, Subresource: t.subresource}
	out, err := r.track(r.ctx, t.before, updated, by)
	if err != nil {
		// As on the server: an object that does not fit keeps its managers.
		return withMeta(t.after, "managedFields", metaOf(t.before)["managedFields"])
	}
	return out
}

// managers returns the managedFields after a write.
func (r *request) managers(t tracking) []any {
	managed, _ := metaOf(r.tracked(t))["managedFields"].([]any)
	return managed
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

// withSentStatus returns an object with the status of the request, or without
// one. It does not count, but managers of other versions lose what it lacks,
// and if it does not fit the schema, nothing is tracked.
func (r *request) withSentStatus(object, sent map[string]any) map[string]any {
	if !r.model.HasStatus {
		return object
	}
	old := r.absent()
	update := maps.Clone(old)
	status, ok := sent["status"]
	if ok {
		update["status"] = status
	}
	decoded := r.api.UpdateStatus(r.ctx, update, old, crdsem.Namespace(r.namespace)).Object
	if decoded == nil && ok {
		return object
	}
	return withStatus(object, decoded)
}

// withStatus returns an object with the status of another. A nil object is the
// other.
func withStatus(object, of map[string]any) map[string]any {
	if object == nil {
		return of
	}
	out := maps.Clone(object)
	delete(out, "status")
	if status, ok := of["status"]; ok {
		out["status"] = status
	}
	return out
}
