package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// maxAttempts is how often the server makes another name from generateName
// while the name exists (maxNameGenerationCreateAttempts of
// k8s.io/apiserver/pkg/registry/generic/registry).
const maxAttempts = 8

// key returns the key of the request's object.
func (r *request) key() string { return r.prefix(r.namespace) + r.name }

// sent returns the request for the library, about an object that is stored.
func (r *request) sent(verb crdsem.Verb, old map[string]any) crdsem.Request {
	return crdsem.Request{
		Verb: verb, Subresource: crdsem.Subresource(r.subresource), Old: old, Decoded: true,
	}
}

// sentBy returns the body as its field manager sends it.
func (r *request) sentBy(verb crdsem.Verb, chosen choices) crdsem.Request {
	q := r.sent(verb, nil)
	q.Object, q.FieldManager = r.object(), chosen.manager
	return q
}

// live returns the stored object of the request.
func (r *request) live() (*storage.Object, error) {
	if live := r.objects.Get(r.key()); live != nil {
		return live, nil
	}
	return nil, apierrors.NewNotFound(r.resource, r.name)
}

// read returns a stored object as a client gets it.
func (r *request) read(object map[string]any) (map[string]any, error) {
	if r.builtin != nil {
		return as(object, r.apiVersion()), nil
	}
	result := r.api.Read(r.ctx, object)
	return result.Object, statusError(result.Err())
}

// Errors about a stored object that cannot be read, e.g. because it does not
// convert, depend on who reads it.

// unreadable is the error of a write. A dry run reads as a get does.
func (r *request) unreadable(live *storage.Object, err error) error {
	if r.dryRun {
		return r.unreadableByGet(live, err)
	}
	return undecodable(live, err)
}

func undecodable(live *storage.Object, err error) error {
	return unclassified(fmt.Sprintf("object not decodable revision=%d: %v", live.Revision, err))
}

// corrupt is the error of the store for an object that it cannot read.
func corrupt(key string, live *storage.Object, err error) error {
	return fmt.Errorf("StorageError: corrupt object, Code: 7, Key: %s, ResourceVersion: 0, "+
		"AdditionalErrorMsg: %w", key, undecodable(live, err))
}

// unreadableByGet is the error of a get. An object that looks like a list has
// an answer of its own.
func (r *request) unreadableByGet(live *storage.Object, err error) error {
	if _, ok := errors.AsType[*apierrors.StatusError](err); ok {
		return err
	}
	return apierrors.NewInternalError(corrupt(r.key(), live, err))
}

// fault is why the object of a key cannot be read.
type fault struct {
	key string
	err error
}

// unreadableInList is the error of a list.
func (r *request) unreadableInList(faults []fault) error {
	errs := make([]error, len(faults))
	causes := make([]metav1.StatusCause, len(faults))
	for i, f := range faults {
		errs[i] = f.err
		causes[i] = metav1.StatusCause{
			Type: metav1.CauseTypeUnexpectedServerResponse, Field: f.key, Message: f.err.Error(),
		}
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure,
		Code:   http.StatusInternalServerError,
		Reason: "StorageReadError",
		Message: fmt.Sprintf("failed to read one or more %s from the storage: %v",
			r.resource, utilerrors.NewAggregate(errs)),
		Details: &metav1.StatusDetails{
			Name: "list", Group: r.resource.Group, Kind: r.resource.Resource,
			Causes: causes,
		},
	}}
}

// create answers a POST.
func (r *request) create() (*answer, error) {
	if _, err := r.format(); err != nil {
		return nil, err
	}
	chosen, err := r.createOptions()
	if err != nil {
		return nil, err
	}
	options := r.options(chosen)
	if r.dryRun {
		// The store is not asked.
		options = append(options, crdsem.Concurrency(crdsem.Unconditional))
	}
	result := r.do(r.sent(crdsem.VerbCreate, nil), options)
	r.warn(result.Warnings...)
	sent := r.object()
	var managed []any
	if result.Object != nil && (result.Err() == nil || r.admits()) {
		track, after, err := r.managers(r.sentBy(crdsem.VerbCreate, chosen), nil, result.Object)
		if err != nil {
			return nil, err
		}
		for _, key := range []string{"name", "generation"} { // only validation sees them
			after = withMeta(after, key, metaOf(sent)[key])
		}
		result, managed, err = r.admitCreate(result,
			mutation{object: after, managed: track.managed}, options)
		if err != nil {
			return nil, err
		}
	}
	if err := result.Err(); err != nil {
		return nil, statusError(err)
	}
	object := withManagers(result.Object, managed)
	if metaText(sent, "name") != "" || metaText(object, "generateName") == "" {
		return r.insert(object)
	}
	var out *answer
	for range maxAttempts {
		name := metaText(result.Object, "name")
		name = name[:len(name)-5] + r.server.suffix()
		out, err = r.insert(withMeta(object, "name", name))
		if !apierrors.IsAlreadyExists(err) {
			break
		}
	}
	return out, err
}

// unclassified is the answer to an error that the server does not classify.
func unclassified(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusInternalServerError,
		Message: message,
	}}
}

// insert stores a new object.
func (r *request) insert(object map[string]any) (*answer, error) {
	r.name = metaText(object, "name")
	if metaText(object, "uid") == "" {
		object = withMeta(object, "uid", r.server.uid())
	}
	object = withMeta(object, "creationTimestamp", r.server.timestamp())
	if err := r.validated(object, nil); err != nil {
		return nil, err
	}
	next, err := r.asStored(object)
	if err != nil && !r.dryRun {
		return nil, err
	}
	old := r.objects.Get(r.key())
	if old != nil && r.isTaken(old) {
		err := apierrors.NewAlreadyExists(r.resource, r.name)
		if metaText(object, "generateName") != "" {
			err = apierrors.NewGenerateNameConflict(r.resource, r.name, 1)
		}
		_, unread := r.readForWrite(old)
		if metaText(old.Content(), "deletionTimestamp") != "" && unread == nil {
			err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
		}
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	if r.dryRun {
		next = withSentRevision(next, object)
	} else {
		next = withMeta(next, "selfLink", nil)
		if next, err = r.put(old, storage.NewObject(r.key(), next, object)); err != nil {
			return nil, err
		}
	}
	shown, err := r.read(next)
	return &answer{http.StatusCreated, shown}, err
}

// readForWrite returns a stored object as a write starts from it.
func (r *request) readForWrite(live *storage.Object) (map[string]any, error) {
	if r.builtin != nil {
		return as(versioned(live), r.apiVersion()), nil
	}
	result := r.api.Read(r.ctx, versioned(live))
	if result.Object == nil {
		return nil, r.unreadable(live, result.Err())
	}
	return result.Object, nil
}

// refusal returns the answer to a write that was refused.
func (r *request) refusal(live *storage.Object, err error) error {
	if old, ok := errors.AsType[*crdsem.StoredError](err); ok {
		return r.unreadable(live, old.Err)
	}
	return statusError(err)
}

// isTaken reports whether a create finds an object. A dry run does not find one
// that cannot be read.
func (r *request) isTaken(old *storage.Object) bool {
	if !r.dryRun {
		return true
	}
	_, err := r.readForWrite(old)
	return err == nil
}

// withSentRevision returns what would be stored, with the resourceVersion that
// the object was sent with. A dry run answers so.
func withSentRevision(next, object map[string]any) map[string]any {
	if revision := metaText(object, "resourceVersion"); revision != "" {
		return withMeta(next, "resourceVersion", revision)
	}
	return next
}

// asStored returns an object as it is stored, without its resourceVersion.
func (r *request) asStored(object map[string]any) (map[string]any, error) {
	if r.builtin != nil {
		gv := r.groupVersion()
		gv.Version = r.storage
		return withMeta(as(object, gv.String()), "resourceVersion", nil), nil
	}
	result := r.crd.Store(r.ctx, object)
	if err := result.Err(); err != nil {
		return nil, unclassified(err.Error())
	}
	return withMeta(result.Object, "resourceVersion", nil), nil
}

// update answers a PUT of an object or of its status.
func (r *request) update() (*answer, error) {
	if _, err := r.format(); err != nil {
		return nil, err
	}
	chosen, err := r.updateOptions()
	if err != nil {
		return nil, err
	}
	options := r.options(chosen)
	old, missing := r.live()
	before := r.absent()
	if missing == nil {
		before = versioned(old)
	}
	result := r.do(r.sent(crdsem.VerbUpdate, before), options)
	absent := func() *crdsem.Result {
		return r.do(r.sent(crdsem.VerbUpdate, r.absent()), options)
	}
	sent := r.object()
	other := r.sameUID(metaText(sent, "uid"), before)
	if missing == nil && other != nil { // found before the object is validated
		r.warn(absent().Warnings...)
	} else {
		r.warn(result.Warnings...)
	}
	decoded, track := result.Object, tracking{}
	if missing == nil && other == nil {
		if decoded != nil && (result.Err() == nil || r.admits()) {
			by := r.sentBy(crdsem.VerbUpdate, chosen)
			if track, _, err = r.managers(by, old, decoded); err != nil {
				return nil, err
			}
		}
		if result, err = r.admitUpdate(result, old, &track, options); err != nil {
			return nil, err
		}
	}
	if missing == nil {
		missing = other
	}
	if err := r.updateFault(old, result.Err(), missing, absent); err != nil {
		return nil, err
	}
	return r.replace(old, result.Object, track)
}

// updateFault returns the first error of an update: of its body, then that the
// object is missing or another one, then that it is refused.
func (r *request) updateFault(
	old *storage.Object, err, missing error, absent func() *crdsem.Result,
) error {
	refused := r.refusal(old, err)
	if apierrors.IsBadRequest(refused) {
		return refused
	}
	if _, unread := errors.AsType[*crdsem.StoredError](err); unread {
		if body := statusError(absent().Err()); apierrors.IsBadRequest(body) {
			return body
		}
		if !apierrors.IsNotFound(missing) {
			missing = nil
		}
	}
	if missing != nil {
		return missing
	}
	return refused
}

// absent is an object in the place of one that does not exist. Only the errors
// of the body are of interest then.
func (r *request) absent() map[string]any {
	name := r.name
	if name == "" {
		name = "absent"
	}
	metadata := map[string]any{"name": name, "resourceVersion": "1", "uid": "absent"}
	if r.namespaced {
		metadata["namespace"] = r.namespace
	}
	return map[string]any{
		"apiVersion": r.apiVersion(), "kind": r.names.Kind, "metadata": metadata,
	}
}

// sameUID returns the store's error if an update is for another object of the
// name.
func (r *request) sameUID(uid string, live map[string]any) error {
	if stored := metaText(live, "uid"); uid != "" && uid != stored {
		return apierrors.NewConflict(r.resource, r.name, fmt.Errorf(
			"StorageError: invalid object, Code: 4, Key: %s, ResourceVersion: 0, "+
				"AdditionalErrorMsg: Precondition failed: UID in precondition: %s, "+
				"UID in object meta: %s", r.key(), uid, stored))
	}
	return nil
}

// replace stores the result of an update.
func (r *request) replace(
	old *storage.Object, object map[string]any, track tracking,
) (*answer, error) {
	live, err := r.liveOf(track, old)
	if err != nil {
		return nil, err
	}
	object = withManagers(object, track.managed)
	object = keepTimes(object, live)
	if isDeleted(object, live) && len(specFinalizers(object)) == 0 {
		return &answer{http.StatusOK, object}, r.drop(old)
	}
	next, err := r.asStored(object)
	if err != nil {
		return nil, err
	}
	// The store drops selfLink.
	written := storage.NewObject(r.key(), withMeta(next, "selfLink", nil), object)
	switch {
	case r.dryRun:
		next = withSentRevision(next, object)
	case isSameStored(old, written):
		next = versioned(old)
	default:
		if next, err = r.put(old, written); err != nil {
			return nil, err
		}
	}
	shown, err := r.read(next)
	return &answer{http.StatusOK, shown}, err
}

// put stores an object in place of the one that was read, nil if there was
// none, and returns it with its resourceVersion. One that is too large is
// stored without its managers, which can be large, unless it was applied.
func (r *request) put(old, next *storage.Object) (map[string]any, error) {
	err := r.server.store.Fits(old, next)
	if err == storage.ErrTooLarge && !r.applies() {
		content := withMeta(next.Content(), "managedFields", nil)
		next = storage.NewObject(next.Key, content, content)
		err = r.server.store.Fits(old, next)
	}
	if err != nil {
		return nil, unclassified(err.Error())
	}
	written, done := r.objects.Swap(next.Key, old, next)
	if !done {
		return nil, errChanged
	}
	return versioned(written), nil
}

// applies reports whether the request is a server-side apply.
func (r *request) applies() bool {
	return r.http != nil && r.media() == string(types.ApplyYAMLPatchType)
}

// drop removes the object that was read, unless the request is a dry run.
func (r *request) drop(old *storage.Object) error {
	if r.dryRun {
		return nil
	}
	if _, done := r.objects.Swap(old.Key, old, nil); !done {
		return errChanged
	}
	return nil
}

// isDeleted reports whether an update removes the last finalizer of an object
// that is being deleted.
func isDeleted(object, live map[string]any) bool {
	grace, _ := metaOf(live)["deletionGracePeriodSeconds"].(int64)
	return metaText(live, "deletionTimestamp") != "" && grace == 0 &&
		len(finalizersOf(object)) == 0
}

// isSame reports whether two values have the same JSON, which objects then have
// in storage, too.
func isSame(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for key, value := range a {
			if other, has := b[key]; !has || !isSame(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, isSame)
	case string:
		return a == b
	case int64:
		if b, ok := b.(int64); ok {
			return a == b
		}
	}
	first, err := json.Marshal(a)
	if err != nil {
		return false
	}
	second, err := json.Marshal(b)
	return err == nil && bytes.Equal(first, second)
}
