package server

import (
	"fmt"
	"math"
	"net/http"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/storage"
)

// scaleName is the subresource that shows the replicas of an object.
const scaleName = "scale"

// getScale answers a GET of the scale.
func (r *request) getScale() (*answer, error) {
	live, err := r.live()
	if err != nil {
		return nil, err
	}
	shown, err := r.read(versioned(live))
	if err != nil {
		return nil, r.unreadableByGet(live, err)
	}
	scale, err := r.scaleOf(shown)
	return &answer{http.StatusOK, scale}, err
}

// scaleOf returns the scale of an object, which must have replicas.
func (r *request) scaleOf(object map[string]any) (*autoscalingv1.Scale, error) {
	scale, err := r.api.Scale(r.ctx, object)
	if isWithoutReplicas(err) {
		return nil, apierrors.NewInternalError(err)
	}
	if err != nil {
		return nil, statusError(err)
	}
	return r.shownScale(scale, object), nil
}

// shownScale returns a scale as it is answered. That of a built-in kind has the
// selector of its Pods.
func (r *request) shownScale(of *crdsem.Scale, object map[string]any) *autoscalingv1.Scale {
	scale := typedScale(of)
	if r.builtin == nil {
		return scale
	}
	if r.resource.Group == "" { // a ReplicationController
		set, _, _ := unstructured.NestedStringMap(object, "spec", "selector")
		scale.Status.Selector = labels.Set(set).String()
		return scale
	}
	fields, _, _ := unstructured.NestedMap(object, "spec", "selector")
	if selector, err := selectorOf(fields); err == nil {
		scale.Status.Selector = selector.String()
	}
	return scale
}

// isWithoutReplicas reports whether an object has no scale because its spec has
// no replicas.
func isWithoutReplicas(err error) bool {
	return err != nil && strings.HasPrefix(err.Error(), "the spec replicas field")
}

// scaleWithoutReplicas returns the scale of an object that has none because its
// spec has no replicas. Its other fields are of the right types.
func (r *request) scaleWithoutReplicas(object map[string]any) *crdsem.Scale {
	paths := r.model.Scale
	current, _, _ := unstructured.NestedInt64(object, pathOf(paths.StatusReplicasPath)...)
	scale := &crdsem.Scale{
		Name: metaText(object, "name"), Namespace: metaText(object, "namespace"),
		UID: metaText(object, "uid"), ResourceVersion: metaText(object, "resourceVersion"),
		CreationTimestamp: metaText(object, "creationTimestamp"),
		CurrentReplicas:   int32(current), // cut off as on the server
	}
	if paths.LabelSelectorPath != "" {
		scale.Selector, _, _ = unstructured.NestedString(object, pathOf(paths.LabelSelectorPath)...)
	}
	return scale
}

// scaling is a write to the scale of a stored object.
type scaling struct {
	old     *storage.Object
	live    map[string]any
	entries *managedfields.ScaleHandler
	scale   *autoscalingv1.Scale // before the write, with its managedFields
}

// beginScaling reads the object and its scale. Without replicas in the spec the
// scale has the server's mark for that, the smallest number.
func (r *request) beginScaling() (*scaling, error) {
	old, err := r.live()
	if err != nil {
		return nil, err
	}
	s := &scaling{old: old}
	if s.live, err = r.readForWrite(old); err != nil {
		return nil, err
	}
	scale, err := r.api.Scale(r.ctx, s.live)
	if isWithoutReplicas(err) {
		scale, err = r.scaleWithoutReplicas(s.live), nil
		scale.Replicas = math.MinInt32
	}
	if err != nil {
		return nil, statusError(err)
	}
	s.scale = r.shownScale(scale, s.live)
	owners := (&unstructured.Unstructured{Object: s.live}).GetManagedFields()
	s.entries = managedfields.NewScaleHandler(owners, r.groupVersion(), r.replicasPaths())
	s.scale.ManagedFields, err = s.entries.ToSubresource()
	return s, err
}

// pathOf returns the keys of a path such as .spec.replicas.
func pathOf(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

// replicasPaths returns where the replicas are in each version.
func (r *request) replicasPaths() managedfields.ResourcePathMappings {
	paths := managedfields.ResourcePathMappings{}
	for _, v := range r.versions {
		var path fieldpath.Path
		if v.model.Scale != nil {
			for _, key := range pathOf(v.model.Scale.SpecReplicasPath) {
				path = append(path, fieldpath.PathElement{FieldName: &key})
			}
		}
		paths[v.groupVersion().String()] = path
	}
	return paths
}

// updateScale answers a PUT of the scale.
func (r *request) updateScale() (*answer, error) {
	if _, err := r.format(); err != nil {
		return nil, err
	}
	chosen, err := r.updateOptions()
	if err != nil {
		return nil, err
	}
	sent, err := r.sentScale(chosen)
	if err != nil {
		return nil, err
	}
	if err := r.isScaleOfName(sent); err != nil {
		return nil, err
	}
	s, err := r.beginScaling()
	if err != nil {
		return nil, err
	}
	if err := r.sameUID(string(sent.UID), s.live); err != nil {
		return nil, err
	}
	manager, err := r.scaleManager()
	if err != nil {
		return nil, err
	}
	return r.finishScaling(s, r.trackedScale(manager, s.scale, sent, chosen.manager), chosen)
}

// trackedScale returns a scale with its managers after a write. The server's
// converter of custom resources takes none without an apiVersion, and leaves
// the managers as they were.
func (r *request) trackedScale(
	by *managedfields.FieldManager, old, sent *autoscalingv1.Scale, name string,
) runtime.Object {
	if r.builtin == nil && sent.APIVersion == "" {
		sent.ManagedFields = old.ManagedFields
		return sent
	}
	sent.TypeMeta = old.TypeMeta
	return by.UpdateNoErrors(old, sent, name)
}

// isScaleOfName refuses a scale of another object than the URL names. The
// namespace does not count where there are none.
func (r *request) isScaleOfName(scale *autoscalingv1.Scale) error {
	switch {
	case scale.Namespace == "" || !r.namespaced:
		scale.Namespace = r.namespace
	case scale.Namespace != r.namespace:
		return apierrors.NewBadRequest(
			"the namespace of the provided object does not match the namespace sent on the request")
	}
	return r.isOfName(map[string]any{"metadata": map[string]any{"name": scale.Name}})
}

// patchScale answers a PATCH of the scale.
func (r *request) patchScale() (*answer, error) {
	chosen, err := r.patchOptions()
	if err != nil {
		return nil, err
	}
	applies := r.media() == string(types.ApplyYAMLPatchType)
	if applies {
		err = r.encodable()
	} else {
		err = statusError(r.api.Patch(r.ctx, r.body, r.scalePatch(), nil).Err())
		if !isAnswer(err) { // it needs the object
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	s, err := r.beginScaling()
	if err != nil {
		return nil, err
	}
	manager, err := r.scaleManager()
	if err != nil {
		return nil, err
	}
	var tracked runtime.Object
	if applies {
		tracked, err = r.applyScale(manager, s.scale, chosen)
	} else {
		var sent *autoscalingv1.Scale
		if sent, err = r.patchedScale(s.scale, chosen); err == nil {
			tracked = r.trackedScale(manager, s.scale, sent, chosen.manager)
		}
	}
	if err != nil {
		return nil, err
	}
	if scale, ok := tracked.(*autoscalingv1.Scale); ok {
		if err := r.isScaleOfName(scale); err != nil {
			return nil, err
		}
	}
	return r.finishScaling(s, tracked, chosen)
}

// isAnswer reports whether an error is an answer of the server.
func isAnswer(err error) bool { return err != nil && apierrors.ReasonForError(err) != "" }

// applyScale merges a configuration into a scale.
func (r *request) applyScale(
	manager *managedfields.FieldManager, scale *autoscalingv1.Scale, chosen choices,
) (runtime.Object, error) {
	config, err := r.configuration()
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{Object: config}
	merged, err := manager.Apply(scale, object, chosen.manager, chosen.force)
	if err != nil {
		return nil, applyError(err)
	}
	return merged, r.strictApply(chosen.fieldValidation)
}

// scaleManager returns the field manager of scales.
func (r *request) scaleManager() (*managedfields.FieldManager, error) {
	kind := autoscalingv1.SchemeGroupVersion.WithKind("Scale")
	scheme := clientscheme.Scheme
	var convertor runtime.ObjectConvertor = scheme
	var creator runtime.ObjectCreater = scheme
	if r.builtin == nil {
		convertor, creator = customScales{scheme}, customScales{scheme}
	}
	types, err := scaleTypes()
	if err != nil {
		return nil, err
	}
	return managedfields.NewDefaultCRDFieldManager(types, convertor, scheme, creator,
		kind, kind.GroupVersion(), scaleName, nil)
}

// customScales converts the scales of custom resources for their field manager.
// The server's converts no scale without its Go type, which is what a merge
// makes, so that server-side apply to the scale of a custom resource always
// fails (PIPE-041).
type customScales struct{ *runtime.Scheme }

// ConvertToVersion implements runtime.ObjectConvertor.
func (c customScales) ConvertToVersion(
	in runtime.Object, target runtime.GroupVersioner,
) (runtime.Object, error) {
	if _, ok := in.(*autoscalingv1.Scale); ok {
		return c.Scheme.ConvertToVersion(in, target)
	}
	kind := in.GetObjectKind().GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{kind})
	if !ok {
		return nil, fmt.Errorf("%s is unstructured and is not suitable for converting to %q",
			kind, target)
	}
	return nil, fmt.Errorf("request to convert CR to an invalid group/version: %s",
		to.GroupVersion())
}

// New implements runtime.ObjectCreater.
func (c customScales) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(kind)
	return object, nil
}

// admitScale asks admission about a scale, which it may change.
func (r *request) admitScale(s *scaling, scale *autoscalingv1.Scale) error {
	if !r.admits() {
		return nil
	}
	convert := runtime.DefaultUnstructuredConverter
	old, err := convert.ToUnstructured(s.scale)
	if err != nil {
		return err
	}
	part, err := convert.ToUnstructured(scale)
	if err != nil {
		return err
	}
	admitted, err := r.admitPart(part, old)
	if err != nil {
		return err
	}
	*scale = autoscalingv1.Scale{}
	return convert.FromUnstructured(admitted, scale)
}

// finishScaling stores the object with the replicas of a scale.
func (r *request) finishScaling(
	s *scaling, tracked runtime.Object, chosen choices,
) (*answer, error) {
	scale, ok := tracked.(*autoscalingv1.Scale)
	if !ok {
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"wrong object passed to Scale update: %v", tracked))
	}
	if err := r.admitScale(s, scale); err != nil {
		return nil, err
	}
	result := r.api.UpdateScale(r.ctx, versioned(s.old), crdsem.Scale{
		Name: scale.Name, Namespace: scale.Namespace,
		ResourceVersion: scale.ResourceVersion, Replicas: scale.Spec.Replicas,
	}, r.options(chosen)...)
	r.warn(result.Warnings...)
	if err := result.Err(); err != nil {
		return nil, statusError(err)
	}
	entries, err := s.entries.ToParent(scale.ManagedFields)
	if err != nil {
		return nil, err
	}
	parent := &unstructured.Unstructured{Object: map[string]any{}}
	parent.SetManagedFields(entries)
	managed, _ := metaOf(parent.Object)["managedFields"].([]any)
	out, err := r.replace(s.old, result.Object, tracking{managed: managed})
	if err != nil {
		return nil, err
	}
	object, _ := out.object.(map[string]any)
	answered, err := r.api.Scale(r.ctx, object)
	if isWithoutReplicas(err) { // the schema does not have them
		answered, err = r.scaleWithoutReplicas(object), nil
	}
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return &answer{http.StatusOK, r.shownScale(answered, object)}, nil
}
