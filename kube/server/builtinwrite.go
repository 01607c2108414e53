package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// draft is a write to a built-in kind on its way.
type draft struct {
	*request
	choices
	old     *storage.Object // nil on a create
	live    map[string]any  // old in the version of the request
	sent    map[string]any  // as it was sent, with defaults
	managed []any           // of an apply
}

// createBuiltIn answers a POST of a built-in kind.
func (r *request) createBuiltIn() (*answer, error) {
	chosen, err := r.createOptions()
	if err != nil {
		return nil, err
	}
	object, err := r.decoded(r.body, r.media(), chosen)
	if err != nil {
		return nil, err
	}
	return (&draft{request: r, choices: chosen, sent: object}).create()
}

// decoded returns a body as an object with its defaults.
func (r *request) decoded(body []byte, media string, c choices) (map[string]any, error) {
	if media == "" {
		media = runtime.ContentTypeJSON
	}
	if _, err := r.format(); err != nil && media != runtime.ContentTypeProtobuf {
		return nil, err
	}
	gvk := r.groupVersion().WithKind(r.names.Kind)
	var object map[string]any
	var unknown []error
	var err error
	if r.builtin.HasType() {
		object, unknown, err = builtin.Decode(body, media, gvk)
	} else {
		object, err = decodeUntyped(body, gvk)
	}
	if err != nil {
		const frame = "%s in version %q cannot be handled as a %s: %v"
		return nil, apierrors.NewBadRequest(
			fmt.Sprintf(frame, gvk.Kind, gvk.Version, gvk.Kind, err))
	}
	if err := r.strict(unknown, c.fieldValidation); err != nil {
		return nil, err
	}
	r.builtin.Default(object)
	return object, nil
}

// decodeUntyped decodes a body of a kind without a Go type. What the body lacks
// of apiVersion and kind is that of the kind.
func decodeUntyped(body []byte, of schema.GroupVersionKind) (map[string]any, error) {
	object := map[string]any{}
	if err := decodeBody(body, &object); err != nil {
		return nil, err
	}
	sent := &unstructured.Unstructured{Object: object}
	if sent.GetKind() == "" {
		sent.SetKind(of.Kind)
	}
	if sent.GetAPIVersion() == "" {
		sent.SetAPIVersion(of.GroupVersion().String())
	}
	if kind := sent.GroupVersionKind(); kind != of {
		return nil, fmt.Errorf("the body is of %s, expected %s", kind, of)
	}
	return sent.Object, nil
}

// strict refuses or warns of unknown fields, as the request asks.
func (r *request) strict(unknown []error, level string) error {
	if len(unknown) == 0 || level == string(crdsem.Ignore) {
		return nil
	}
	texts := make([]string, len(unknown))
	for i, err := range unknown {
		texts[i] = err.Error()
	}
	if level == string(crdsem.Strict) {
		const frame = "%s in version %q cannot be handled as a %s: strict decoding error: %s"
		return apierrors.NewBadRequest(fmt.Sprintf(frame, r.names.Kind, r.model.Name,
			r.names.Kind, strings.Join(texts, ", ")))
	}
	r.warn(texts...)
	return nil
}

// create stores a new object.
func (d *draft) create() (*answer, error) {
	object, err := d.prepared()
	if err != nil {
		return nil, err
	}
	return d.insert(object)
}

// prepared returns a new object as it is inserted.
func (d *draft) prepared() (map[string]any, error) {
	object := d.sent
	if err := d.inNamespace(object); err != nil {
		return nil, err
	}
	for _, key := range []string{
		"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink",
	} {
		object = withMeta(object, key, nil)
	}
	if metaText(object, "resourceVersion") != "" && !d.dryRun {
		return nil, unclassified("resourceVersion should not be set on objects to be created")
	}
	if base := metaText(object, "generateName"); base != "" && metaText(object, "name") == "" {
		object = withMeta(object, "name", base[:min(len(base), 58)]+d.server.suffix())
	}
	if d.builtin.HasGeneration() {
		object = withMeta(object, "generation", int64(1))
	}
	if d.builtin.Resource.Has(builtin.Status) && d.names.Kind != "Node" {
		object = maps.Clone(object)
		if _, ok := object["status"]; ok {
			object["status"] = map[string]any{}
		}
		d.builtin.Default(object)
	}
	return d.admitted(object)
}

// inNamespace puts an object into the namespace of the request. That of an
// object of a kind without namespaces is cleared.
func (r *request) inNamespace(object map[string]any) error {
	switch namespace := metaText(object, "namespace"); {
	case !r.namespaced && namespace != "":
		delete(metaOf(object), "namespace")
	case namespace == "" && r.namespaced:
		metadata := metaOf(object)
		if metadata == nil {
			metadata = map[string]any{}
			object["metadata"] = metadata
		}
		metadata["namespace"] = r.namespace
	case namespace != r.namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match " +
			"the namespace sent on the request")
	}
	return nil
}

// admitted completes an object, asks admission and validates it. What completes
// it has no manager.
func (d *draft) admitted(object map[string]any) (map[string]any, error) {
	by := builtin.Manager{Name: d.choices.manager, Subresource: d.trackedSubresource()}
	managed := d.managed
	if managed == nil {
		tracked, err := d.builtin.Track(d.live, d.withSentManagers(object), by)
		if err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		managed, _ = metaOf(tracked)["managedFields"].([]any)
	}
	object = withManagers(d.completed(object), managed)
	if !d.admits() {
		return object, d.valid(object)
	}
	w := d.admissionWrite(object, d.live)
	if err := d.server.admission.Mutate(d.ctx, w); err != nil {
		return nil, err
	}
	if !isSame(w.Object, object) {
		var err error
		if object, _, err = d.builtin.Normalize(w.Object); err != nil {
			return nil, apierrors.NewInternalError(err)
		}
		d.builtin.Default(object)
		w.Object = object
	}
	if err := d.valid(object); err != nil || d.live == nil { // insert asks for new objects
		return object, err
	}
	return object, d.server.admission.Validate(d.ctx, w)
}

// trackedSubresource is the subresource that managedFields name.
func (r *request) trackedSubresource() string {
	if r.subresource == finalize {
		return ""
	}
	return r.subresource
}

// withSentManagers returns an object with the managedFields that the client
// sent, which an update may change, or with those of the live object.
func (d *draft) withSentManagers(object map[string]any) map[string]any {
	if managed, ok := metaOf(d.sent)["managedFields"].([]any); ok {
		return withManagers(object, managed)
	}
	return withMeta(object, "managedFields", metaOf(d.live)["managedFields"])
}

// valid returns the error of an object that is not valid.
func (d *draft) valid(object map[string]any) error {
	errs := d.builtin.Validate(object, d.live)
	if len(errs) == 0 {
		if err := d.check(object); err != nil {
			return err
		}
		errs = d.builtin.ValidateStructure(d.ctx, object)
	}
	if len(errs) > 0 {
		gvk := d.groupVersion().WithKind(d.names.Kind)
		return apierrors.NewInvalid(gvk.GroupKind(), metaText(object, "name"), errs)
	}
	return nil
}

// updateBuiltIn answers a PUT of a built-in kind.
func (r *request) updateBuiltIn() (*answer, error) {
	chosen, err := r.updateOptions()
	if err != nil {
		return nil, err
	}
	object, err := r.decoded(r.body, r.media(), chosen)
	if err != nil {
		return nil, err
	}
	if err := r.inNamespace(object); err != nil {
		return nil, err
	}
	if err := r.isOfURL(object); err != nil {
		return nil, err
	}
	d := &draft{request: r, choices: chosen, sent: object}
	if err := d.load(); apierrors.IsNotFound(err) && r.createsByUpdate() {
		return d.create()
	} else if err != nil {
		return nil, err
	}
	return d.update(object)
}

// createsByUpdate reports whether a PUT creates an object of the kind.
func (r *request) createsByUpdate() bool {
	switch r.names.Kind {
	case "Endpoints", "Event", "Lease", "LimitRange":
		return r.subresource == ""
	}
	return false
}

// isOfURL refuses an object of another name than that of the URL.
func (r *request) isOfURL(object map[string]any) error {
	switch name := metaText(object, "name"); name {
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

// load reads the stored object.
func (d *draft) load() (err error) {
	if d.old, err = d.request.live(); err != nil {
		return err
	}
	d.live, err = d.readForWrite(d.old)
	return err
}

// update stores the object in place of the one that was read.
func (d *draft) update(object map[string]any) (*answer, error) {
	if err := d.sameUID(metaText(object, "uid"), d.live); err != nil {
		return nil, err
	}
	revision := metaText(object, "resourceVersion")
	if revision == "" && d.resource == definitions && d.http.Method == http.MethodPut {
		return nil, d.withoutRevision()
	}
	if revision != "" && revision != metaText(d.live, "resourceVersion") {
		return nil, apierrors.NewConflict(d.resource, d.name, errors.New("the object has been "+
			"modified; please apply your changes to the latest version and try again"))
	}
	object = d.merged(object)
	for _, key := range []string{
		"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "generation", "selfLink",
	} {
		object = withMeta(object, key, metaOf(d.live)[key])
	}
	if d.builtin.HasGeneration() && !isSameSpec(object, d.live) {
		generation, _ := metaOf(d.live)["generation"].(int64)
		object = withMeta(object, "generation", generation+1)
	}
	object, err := d.admitted(object)
	if err != nil {
		return nil, err
	}
	managed, _ := metaOf(object)["managedFields"].([]any)
	return d.replace(d.old, object, tracking{managed: append([]any{}, managed...)})
}

// merged returns the part of an object that the request may write, with the
// rest of the live object.
func (d *draft) merged(object map[string]any) map[string]any {
	out := maps.Clone(d.live)
	switch d.subresource {
	case "":
		out = maps.Clone(object)
		if d.builtin.Resource.Has(builtin.Status) {
			delete(out, "status")
			if status, ok := d.live["status"]; ok {
				out["status"] = status
			}
		}
		return out
	case builtin.Status, approval:
		if d.resource == namespaces { // only its spec stays
			out["metadata"] = object["metadata"]
		}
		out["status"] = object["status"]
		for _, key := range []string{"annotations", "finalizers", "labels"} {
			if key != "labels" || d.names.Kind == "Pod" { // whose labels may change
				out = withMeta(out, key, metaOf(object)[key])
			}
		}
	case finalize, "ephemeralcontainers", "resize":
		out["spec"] = object["spec"]
	}
	return out
}

// isSameSpec reports whether two objects differ in their metadata and status
// only.
func isSameSpec(a, b map[string]any) bool {
	strip := func(object map[string]any) map[string]any {
		out := maps.Clone(object)
		delete(out, "metadata")
		delete(out, "status")
		return out
	}
	return isSame(strip(a), strip(b))
}

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
		patch := map[string]any{}
		if err := r.patchInto(&patch); err != nil {
			return nil, err
		}
		if patched, err = builtin.StrategicPatch(r.builtin.Kind, d.live, patch); err != nil {
			err = applyError(err)
		}
	case types.JSONPatchType, types.MergePatchType:
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
	if err := r.isOfURL(object); err != nil {
		return nil, err
	}
	r.builtin.Default(object)
	d.sent = object
	return d.update(object)
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
	config, err := d.configuration()
	if err != nil {
		return nil, err
	}
	missing := d.load()
	if missing != nil && (!apierrors.IsNotFound(missing) || d.subresource != "") {
		return nil, missing
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
