package server

import (
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/crdsem/crdsem"
)

// patch answers a PATCH of an object or of its status.
func (r *request) patch() (*answer, error) {
	if r.media() == string(types.ApplyYAMLPatchType) {
		return r.apply()
	}
	patchType := crdsem.PatchType(r.media())
	// Without a stored object only the errors of the patch itself are found.
	check := r.api.Patch(r.ctx, r.body, patchType, nil).Err()
	early, wrong := errors.AsType[*crdsem.StatusError](check)
	if wrong && early.Code == http.StatusUnsupportedMediaType {
		return nil, statusError(check)
	}
	chosen, err := r.patchOptions()
	if err != nil {
		return nil, err
	}
	if wrong {
		return nil, statusError(check)
	}
	old, err := r.live()
	if err != nil {
		return nil, err
	}
	before := versioned(old)
	sentPatch := r.sent(crdsem.VerbPatch, before)
	sentPatch.Body, sentPatch.PatchType = r.body, patchType
	result := r.api.Do(r.ctx, sentPatch.With(r.options(chosen)...))
	r.warn(result.Warnings...)
	var track tracking
	if result.Object != nil && (result.Err() == nil || r.admits()) {
		sentPatch.FieldManager = chosen.manager
		if track, _, err = r.managers(sentPatch, old, result.Object); err != nil {
			return nil, err
		}
	}
	if result, err = r.admitUpdate(result, old, &track, r.options(chosen)); err != nil {
		return nil, err
	}
	if err := r.refusal(old, result.Err()); err != nil {
		return nil, err
	}
	return r.replace(old, result.Object, track)
}

// patched returns a document after the request's patch. It fails if the patch
// does, or if the result is not an object.
func (r *request) patched(document map[string]any) (map[string]any, error) {
	language := crdsem.PatchType(r.media())
	if r.media() == string(types.StrategicMergePatchType) { // of a scale, without lists
		language = crdsem.MergePatch
	}
	return language.Apply(r.ctx, document, r.body)
}

// apply answers a server-side apply.
func (r *request) apply() (*answer, error) {
	chosen, err := r.patchOptions()
	if err != nil {
		return nil, err
	}
	old, missing := r.live()
	sent := crdsem.Request{
		Verb: crdsem.VerbApply, Subresource: crdsem.Subresource(r.subresource), Body: r.body,
	}
	if missing == nil {
		sent.Old = versioned(old)
	}
	result := r.api.Do(r.ctx, sent.With(r.options(chosen)...))
	if missing != nil && r.subresource != "" {
		// The body is read first, and the status of no object is not.
		if err := statusError(result.Err()); apierrors.IsBadRequest(err) {
			return nil, err
		}
		return nil, missing
	}
	r.warn(result.Warnings...)
	managed, _ := metaOf(result.Object)["managedFields"].([]any)
	track := tracking{managed: managed}
	if missing == nil {
		result, err = r.admitUpdate(result, old, &track, r.options(chosen))
	} else {
		result, track.managed, err = r.admitCreate(result,
			mutation{object: result.Object, managed: track.managed}, r.options(chosen))
	}
	if err != nil {
		return nil, err
	}
	refused := r.refusal(old, result.Err())
	if refused != nil && !apierrors.IsInvalid(refused) &&
		(missing == nil || !isRevision(result.Err())) {
		return nil, refused
	}
	if missing != nil {
		config, _, err := crdsem.YAML.Decode(r.body)
		if err == nil {
			err = r.isOfName(config)
		}
		if err != nil {
			return nil, err
		}
	}
	if refused != nil {
		return nil, refused
	}
	if missing != nil {
		return r.insert(withManagers(result.Object, track.managed))
	}
	return r.replace(old, result.Object, track)
}

// isRevision reports whether an object is refused for its resourceVersion. The
// server looks at the name of a new object first.
func isRevision(err error) bool {
	status, ok := errors.AsType[*crdsem.StatusError](err)
	return ok && status.Rule == "PIPE-016"
}

// isOfName refuses a configuration that creates another object than the URL
// names.
func (r *request) isOfName(config map[string]any) error {
	if uid := metaText(config, "uid"); uid != "" {
		return apierrors.NewConflict(r.resource, r.name, fmt.Errorf("uid mismatch: the provided "+
			"object specified uid %s, and no existing object was found", uid))
	}
	switch name := metaText(config, "name"); name {
	case r.name:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s based on URL) was undeterminable: name must be provided",
			r.name))
	default:
		return apierrors.NewBadRequest(fmt.Sprintf(
			"the name of the object (%s) does not match the name on the URL (%s)", name, r.name))
	}
}
