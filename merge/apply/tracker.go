package apply

import (
	"bytes"
	"context"
	"maps"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/belowfacade/facadeoptions"
)

// Tracker works out who owns the fields of an object after a write that is not
// an apply: a create, an update or a patch of an object or of its status. It is
// safe for concurrent use.
type Tracker struct {
	*merger
	hasStatus bool // whether the status is a subresource
}

// NewTracker returns the tracker of a version.
func NewTracker(v *crdsem.Version) *Tracker {
	def := v.Definition()
	return &Tracker{newMerger(def, v), def.Model().Version(v.Name()).HasStatus}
}

// Tracked is a write with the owners of its fields.
type Tracked struct {
	// Object is the object of the request's result with metadata.managedFields
	// after the write.
	Object map[string]any
	// Seen is the object as its field manager sees it, and as admission plugins
	// see a new one: with the status that was sent, although the write ignores
	// it. The manager of a status sees all other fields that were sent.
	Seen map[string]any
	// Live is the stored object as the request reads it, nil on a create.
	Live map[string]any
	// Sent is the object that was sent, or what the patch made of Live.
	Sent map[string]any
}

// Track works out the owners after a request, which its FieldManager makes. The
// object is that of the request's result:
//
//	res := v.Do(ctx, request)
//	tracked, err := tracker.Track(ctx, request, res.Object)
//
// As on a server, an object that does not fit the schema keeps the managers of
// the stored one, up to Kubernetes 1.36 none. Track fails if the stored object
// cannot be read, if what is sent is not an object, or if the context ends. The
// object is not changed.
func (t *Tracker) Track(
	ctx context.Context, request crdsem.Request, object map[string]any,
) (*Tracked, error) {
	w := &Tracked{}
	if err := t.begin(ctx, &request, w); err != nil {
		return nil, err
	}
	w.Seen = t.seen(ctx, request, w.Sent, object)
	updated := typemeta.WithMetadata(w.Seen, "managedFields", nil)
	if w.Live != nil && request.Subresource == "" { // an update inherits these later
		for _, key := range []string{"deletionTimestamp", "deletionGracePeriodSeconds"} {
			updated = typemeta.WithMetadata(updated, key, typemeta.Metadata(w.Sent)[key])
		}
	}
	if managed := managedOf(w.Sent); len(managed) > 0 {
		updated = typemeta.WithMetadata(updated, "managedFields", managed)
	}
	tracked, err := t.track(ctx, w.Live, updated, facadeoptions.Applier{
		Manager: request.FieldManager, Subresource: string(request.Subresource),
	})
	if err != nil {
		return nil, err
	}
	w.Object = typemeta.WithMetadata(object, "managedFields", nil)
	if managed := managedOf(tracked); len(managed) > 0 {
		w.Object = typemeta.WithMetadata(object, "managedFields", managed)
	}
	return w, nil
}

// begin reads the stored object of a request, and what was sent.
func (t *Tracker) begin(ctx context.Context, request *crdsem.Request, w *Tracked) (err error) {
	if string(bytes.TrimSpace(request.OldBody)) == "null" {
		request.OldBody = nil
	}
	if request.Old != nil || request.OldBody != nil {
		live := t.version.Do(ctx, crdsem.Request{
			Verb: crdsem.VerbRead, Old: request.Old, OldBody: request.OldBody,
		})
		if err := live.Err(); err != nil {
			return err
		}
		w.Live = live.Object
	}
	switch {
	case request.Verb == crdsem.VerbPatch:
		w.Sent, err = request.PatchType.Apply(ctx, w.Live, request.Body)
	case request.Object != nil:
		w.Sent = request.Object
	default:
		w.Sent, _, err = request.Format.Decode(request.Body)
	}
	return err
}

// seen returns the object of a result as the field manager sees it.
func (t *Tracker) seen(
	ctx context.Context, request crdsem.Request, sent, object map[string]any,
) map[string]any {
	after := t.withSentStatus(ctx, object, sent)
	if request.Subresource == crdsem.SubresourceStatus {
		// The other fields do not count, but the server takes the manager for
		// the owner of those that it changes.
		whole := crdsem.Request{
			Verb: crdsem.VerbUpdate, Old: request.Old, OldBody: request.OldBody,
			Object: sent, Decoded: request.Decoded || request.Object == nil,
			Namespace: request.Namespace, FieldValidation: crdsem.Ignore,
		}
		after = withStatus(t.version.Do(ctx, whole).Object, object)
	}
	if request.Verb == crdsem.VerbPatch { // repeated owners are dropped after this
		after = typemeta.WithMetadata(
			after, "ownerReferences", typemeta.Metadata(sent)["ownerReferences"])
	}
	return after
}

// withSentStatus returns an object with the status of the request, or without
// one. It does not count, but managers of other versions lose what it lacks,
// and if it does not fit the schema, nothing is tracked.
func (t *Tracker) withSentStatus(ctx context.Context, object, sent map[string]any) map[string]any {
	if !t.hasStatus {
		return object
	}
	old := map[string]any{
		"apiVersion": t.version.APIVersion(), "kind": t.def.Model().Names().Kind,
		"metadata": map[string]any{"name": "absent", "resourceVersion": "1", "uid": "absent"},
	}
	namespace, _ := typemeta.Metadata(object)["namespace"].(string)
	if namespace != "" {
		old = typemeta.WithMetadata(old, "namespace", namespace)
	}
	update := maps.Clone(old)
	status, ok := sent["status"]
	if ok {
		update["status"] = status
	}
	decoded := t.version.UpdateStatus(ctx, update, old, crdsem.Namespace(namespace)).Object
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

// managedOf returns the managedFields of an object.
func managedOf(object map[string]any) []any {
	managed, _ := typemeta.Metadata(object)["managedFields"].([]any)
	return managed
}
