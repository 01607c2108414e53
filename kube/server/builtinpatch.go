package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// patchBuiltIn answers a PATCH of a built-in kind.
func (r *request) patchBuiltIn() (*answer, error) {
	chosen, err := r.patchOptions()
	if err != nil {
		return nil, err
	}
	d := &draft{request: r, choices: chosen}
	if r.media() == string(types.ApplyYAMLPatchType) {
		return d.apply()
	}
	if err := d.load(); err != nil {
		return nil, err
	}
	var patched map[string]any
	switch media := types.PatchType(r.media()); media {
	case types.StrategicMergePatchType:
		return d.patchStrategically()
	case types.JSONPatchType, types.MergePatchType:
		if r.builtin.HasType() {
			return d.patchText()
		}
		if err := r.patchInto(new(any)); err != nil {
			return nil, err
		}
		if patched, err = r.patched(d.live); err != nil {
			err = apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "",
				builtin.NoResource, "", err.Error(), 0, false)
		}
	default:
		return nil, unsupportedPatch(r.media())
	}
	if err != nil {
		return nil, err
	}
	object, unknown, err := r.builtin.Normalize(patched)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := r.strict(unknown, chosen.fieldValidation); err != nil {
		return nil, err
	}
	return d.patchedWith(object)
}

// patchStrategically applies a strategic merge patch, and decodes the result by
// its Go type.
func (d *draft) patchStrategically() (*answer, error) {
	patch := map[string]any{}
	if err := d.patchInto(&patch); err != nil {
		return nil, err
	}
	patched, err := builtin.StrategicPatch(d.builtin.Kind, d.live, patch)
	if err != nil {
		return nil, applyError(err)
	}
	shown := fmt.Sprintf("%+v", patch)
	unknown, err := d.builtin.Unfit(patched)
	if err == nil && len(unknown) > 0 && d.fieldValidation == string(crdsem.Strict) {
		err = runtime.NewStrictDecodingError(unknown)
	}
	if err != nil {
		return nil, invalidPatch([]byte(shown), err)
	}
	if d.fieldValidation != string(crdsem.Ignore) {
		d.warnStrict(unknown)
	}
	object, _, err := d.builtin.Normalize(patched)
	if err != nil {
		return nil, invalidPatch([]byte(shown), err)
	}
	return d.patchedWith(object)
}

// patchedWith stores an object that a patch has made.
func (d *draft) patchedWith(object map[string]any) (*answer, error) {
	if err := d.isOfURL(object); err != nil {
		return nil, err
	}
	if err := d.inNamespace(object); err != nil {
		return nil, err
	}
	d.builtin.Default(object)
	d.sent = object
	return d.update(object)
}

// patchText applies a patch to the JSON of the object, and decodes the result
// by its Go type.
func (d *draft) patchText() (*answer, error) {
	level := crdsem.Strictness(cmp.Or(d.fieldValidation, string(crdsem.Warn)))
	text, err := builtin.EncodeJSON(d.live)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	text, strict, err := crdsem.PatchType(d.media()).ApplyText(d.ctx, text, d.body, level)
	if err != nil {
		return nil, statusError(err)
	}
	of := d.groupVersion().WithKind(d.names.Kind)
	object, unknown, err := builtin.Decode(text, runtime.ContentTypeJSON, of)
	strict = append(strict, unknown...)
	if err == nil && level == crdsem.Strict && len(strict) > 0 {
		err = runtime.NewStrictDecodingError(strict)
	}
	if err != nil {
		return nil, invalidPatch(text, err)
	}
	if level == crdsem.Warn {
		d.warnStrict(strict)
	}
	return d.patchedWith(object)
}

// invalidPatch is the error of a patched document that cannot be decoded.
func invalidPatch(text []byte, err error) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), string(text), err.Error()),
	})
}

// patchInto decodes a patch in JSON.
func (r *request) patchInto(patch any) error {
	if !json.Valid(r.body) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	if err := utiljson.Unmarshal(r.body, patch); err != nil {
		return apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	return nil
}

func unsupportedPatch(media string) error {
	return apierrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, "patch",
		builtin.NoResource, "", fmt.Sprintf("the body of the request was in an unknown format - "+
			"accepted media types include: application/json-patch+json, "+
			"application/merge-patch+json, application/strategic-merge-patch+json, "+
			"application/apply-patch+yaml, application/apply-patch+cbor; got %s", media), 0, false)
}

// apply does a server-side apply.
func (d *draft) apply() (*answer, error) {
	if err := d.encodable(); err != nil {
		return nil, err
	}
	missing := d.load()
	if missing != nil && (!apierrors.IsNotFound(missing) || d.subresource != "") {
		return nil, missing
	}
	config, err := d.configuration()
	if err != nil {
		return nil, err
	}
	if err := d.strictApply(d.fieldValidation); err != nil {
		return nil, err
	}
	if err := d.isApplicable(config, missing); err != nil {
		return nil, err
	}
	if revision := metaText(config, "resourceVersion"); revision != "" && missing == nil &&
		revision != metaText(d.live, "resourceVersion") {
		return nil, apierrors.NewConflict(d.resource, d.name, errors.New("the object has been "+
			"modified; please apply your changes to the latest version and try again"))
	}
	merged, err := d.builtin.Apply(d.live, config, builtin.Manager{
		Name: d.choices.manager, Subresource: d.trackedSubresource(), Force: d.force,
	})
	if err != nil {
		return nil, applyError(err)
	}
	object, unknown, err := d.builtin.Normalize(merged)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if err := d.strict(unknown, d.fieldValidation); err != nil {
		return nil, err
	}
	if err := d.inNamespace(object); err != nil {
		return nil, err
	}
	d.builtin.Default(object)
	d.sent = object
	managed, _ := metaOf(merged)["managedFields"].([]any)
	d.managed = append([]any{}, managed...)
	if missing != nil {
		d.sent = withMeta(object, "resourceVersion", nil)
		return d.create()
	}
	return d.update(object)
}

// isApplicable refuses a configuration of another object than the URL names.
func (d *draft) isApplicable(config map[string]any, missing error) error {
	if missing != nil {
		return d.isOfName(config)
	}
	return d.isOfURL(config)
}

// applyError is the answer to an apply or a strategic merge patch that failed.
func applyError(err error) error {
	if _, ok := errors.AsType[*apierrors.StatusError](err); ok {
		return err
	}
	return unclassified(err.Error())
}
