package server

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kube/server/internal/builtin"
)

// decoded returns a body as an object with its defaults.
func (r *request) decoded(body []byte, media string, c choices) (map[string]any, error) {
	if media == "" {
		media = runtime.ContentTypeJSON
	}
	format, err := r.format()
	if err != nil && media != runtime.ContentTypeProtobuf {
		return nil, err
	}
	gvk := r.groupVersion().WithKind(r.names.Kind)
	var object map[string]any
	var unknown []error
	if r.builtin.HasType() {
		object, unknown, err = builtin.Decode(body, media, gvk)
	} else {
		object, err = decodeUntyped(body, format, gvk)
	}
	return r.asDecoded(object, unknown, err, c.fieldValidation)
}

// asDecoded returns an object that was decoded, with its defaults, or the
// answer to what was not.
func (r *request) asDecoded(
	object map[string]any, unknown []error, err error, level string,
) (map[string]any, error) {
	gvk := r.groupVersion().WithKind(r.names.Kind)
	if err != nil {
		const frame = "%s in version %q cannot be handled as a %s: %v"
		return nil, apierrors.NewBadRequest(
			fmt.Sprintf(frame, gvk.Kind, gvk.Version, gvk.Kind, err))
	}
	if err := r.strict(unknown, level); err != nil {
		return nil, err
	}
	r.builtin.Default(object)
	return object, nil
}

// decodeUntyped decodes a body of a kind without a Go type. What the body lacks
// of apiVersion and kind is that of the kind.
func decodeUntyped(
	body []byte, format crdsem.Encoding, of schema.GroupVersionKind,
) (map[string]any, error) {
	object, _, err := format.Decode(body)
	if err != nil {
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
	r.warnStrict(unknown)
	return nil
}
