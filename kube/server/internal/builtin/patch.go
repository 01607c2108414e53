package builtin

import (
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// StrategicPatch returns an object after a strategic merge patch. How lists are
// merged is in the Go type of the kind, e.g. containers by their names. Neither
// object nor patch is changed. The result may have fields that the type lacks.
//
// A patch of the wrong format is refused with the *apierrors.StatusError of the
// server. Other errors are plain, e.g. of an unknown directive, and if
// client-go has no type of the kind.
func StrategicPatch(
	of schema.GroupVersionKind, object, patch map[string]any,
) (map[string]any, error) {
	typed, err := types().New(of)
	if err != nil {
		return nil, fmt.Errorf("client-go has no type of %s", of)
	}
	out, err := merge(runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(patch), typed)
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, mergepatch.ErrBadJSONDoc),
		errors.Is(err, mergepatch.ErrBadPatchFormatForPrimitiveList),
		errors.Is(err, mergepatch.ErrBadPatchFormatForRetainKeys),
		errors.Is(err, mergepatch.ErrBadPatchFormatForSetElementOrderList),
		errors.Is(err, mergepatch.ErrUnsupportedStrategicMergePatchFormat):
		return nil, apierrors.NewBadRequest(err.Error())
	case errors.Is(err, mergepatch.ErrNoListOfLists):
		return nil, apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "",
			schema.GroupResource{}, "", err.Error(), 0, false)
	}
	return nil, err
}

// merge applies a patch. The library panics on some patches, e.g. on a null in
// the patch of an empty list. This is returned as an error.
func merge(
	object, patch map[string]any, typed runtime.Object,
) (out map[string]any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			out, err = nil, fmt.Errorf("the patch cannot be applied: %v", cause)
		}
	}()
	return strategicpatch.StrategicMergeMapPatch(object, patch, typed)
}
