package evaluator

import (
	"context"
	"maps"
	"time"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Managers keep track of field managers, as package merge/apply does. A program
// that answers no writes need not link it.
type Managers struct {
	// Server makes a definition merge applies.
	Server crdsem.DefinitionOption
	// Track returns the object after a write that is not an apply, with
	// metadata.managedFields.
	Track func(def *crdsem.Definition, v *crdsem.Version) Tracker
	// At returns a context for writes at a time.
	At func(ctx context.Context, now time.Time) context.Context
}

// Tracker is an apply.Tracker with the manager in two texts.
type Tracker func(
	ctx context.Context, live, updated map[string]any, manager, subresource string,
) (map[string]any, error)

// writeTime is the time of every write. It is later than the time of an entry
// of managedFields in a request, because entries are in the order of times.
var writeTime = time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)

// managed returns an admitted object with the managers after the write.
func (w *write) managed(
	ctx context.Context, object map[string]any,
) (map[string]any, error) {
	if w.req.Op == protocol.OpApply || w.req.Manager == "" {
		return object, nil
	}
	live := w.version.Read(ctx, w.stored)
	if err := live.Err(); err != nil {
		return nil, err
	}
	after, sent, err := w.asTracked(ctx, object, live.Object)
	if err != nil {
		return nil, err
	}
	updated := withMeta(after, "managedFields", nil)
	if w.sent.Subresource == "" { // an update inherits these later
		for _, key := range []string{"deletionTimestamp", "deletionGracePeriodSeconds"} {
			updated = withMeta(updated, key, metaOf(sent)[key])
		}
	}
	if managed, ok := metaOf(sent)["managedFields"].([]any); ok && len(managed) > 0 {
		updated = withMeta(updated, "managedFields", managed)
	}
	track := w.managers.Track(w.def, w.version)
	out, err := track(ctx, live.Object, updated, w.req.Manager,
		string(w.sent.Subresource))
	if err != nil { // an object that does not fit keeps its managers
		out = live.Object
	}
	managed, _ := metaOf(out)["managedFields"].([]any)
	if len(managed) == 0 {
		return withMeta(object, "managedFields", nil), nil
	}
	return withMeta(object, "managedFields", managed), nil
}

// asTracked returns a write as its field manager sees it, and what was sent.
func (w *write) asTracked(
	ctx context.Context, decoded, live map[string]any,
) (after, sent map[string]any, err error) {
	if w.req.Op == protocol.OpPatch {
		sent, err = w.sent.PatchType.Apply(ctx, live, w.sent.Body)
	} else {
		sent, _, err = w.sent.Format.Decode(w.sent.Body)
	}
	if err != nil {
		return nil, nil, err
	}
	after = w.withSentStatus(ctx, decoded, sent)
	if w.sent.Subresource == crdsem.SubresourceStatus {
		// The other fields do not count, but the server takes the manager for
		// the owner of those that it changes.
		whole := crdsem.Request{
			Verb: crdsem.VerbUpdate, Object: sent, Decoded: true, Old: w.stored,
			Namespace: w.sent.Namespace, FieldValidation: crdsem.Ignore,
		}
		after = withStatus(w.version.Do(ctx, whole).Object, decoded)
	}
	if w.req.Op == protocol.OpPatch { // repeated owners are dropped after this
		after = withMeta(after, "ownerReferences", metaOf(sent)["ownerReferences"])
	}
	return after, sent, nil
}

// withSentStatus returns an object with the status of the request, or without
// one. It does not count, but managers of other versions lose what it lacks.
func (w *write) withSentStatus(
	ctx context.Context, object, sent map[string]any,
) map[string]any {
	if !w.def.Model().Version(w.req.Version).HasStatus {
		return object
	}
	absent := map[string]any{
		"apiVersion": w.version.APIVersion(), "kind": w.def.Model().Names().Kind,
		"metadata": map[string]any{
			"name": metaText(w.stored, "name"), "resourceVersion": "1", "uid": "absent",
		},
	}
	if namespace := w.sent.Namespace; namespace != "" {
		absent = withMeta(absent, "namespace", namespace)
	}
	update := maps.Clone(absent)
	status, ok := sent["status"]
	if ok {
		update["status"] = status
	}
	decoded := w.version.Do(ctx, crdsem.Request{
		Verb: crdsem.VerbUpdate, Subresource: crdsem.SubresourceStatus,
		Object: update, Old: absent, Namespace: w.sent.Namespace,
	}).Object
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
