package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	clientscale "k8s.io/client-go/scale"

	"github.com/crdsem/crdsem"
)

// The bodies of scales. They are decoded by their Go type, as on the server:
// 99999999999 is no int32, and a field that it does not have is unknown.

// scaleCodecs decode and encode scales in the versions that the server knows.
var scaleCodecs = sync.OnceValue(func() serializer.CodecFactory {
	return serializer.NewCodecFactory(clientscale.NewScaleConverter().Scheme())
})

// scaleKind is the kind of a scale.
func scaleKind() schema.GroupVersionKind {
	return autoscalingv1.SchemeGroupVersion.WithKind("Scale")
}

// decodeScale decodes a scale in a media type. The list strict has what a
// strict decoder rejects, nothing at the level Ignore.
func decodeScale(
	text []byte, media, level string,
) (scale *autoscalingv1.Scale, strict []error, err error) {
	codecs := scaleCodecs()
	info, ok := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), media)
	if !ok {
		return nil, nil, fmt.Errorf("no serializer defined for %s", media)
	}
	from := info.Serializer
	if level != string(crdsem.Ignore) && info.StrictSerializer != nil {
		from = info.StrictSerializer
	}
	scale = &autoscalingv1.Scale{}
	kind := scaleKind()
	decoder := codecs.DecoderToVersion(from, kind.GroupVersion())
	out, found, err := decoder.Decode(text, &kind, scale)
	if found, ok := runtime.AsStrictDecodingError(err); ok && out != nil {
		strict, err = found.Errors(), nil
	}
	switch {
	case err != nil:
		return nil, nil, err
	case found.GroupVersion() != kind.GroupVersion() || out != runtime.Object(scale):
		return nil, nil, otherVersion{found.GroupVersion()}
	}
	return scale, strict, nil
}

// otherVersion is the error of a scale in another version.
type otherVersion struct{ schema.GroupVersion }

// Error has the server's text.
func (v otherVersion) Error() string {
	return fmt.Sprintf("the API version in the data (%s) does not match the expected API "+
		"version (%s)", v.GroupVersion, autoscalingv1.SchemeGroupVersion)
}

// sentScale decodes a scale that a client sent. Of custom resources the server
// refuses all other bodies with the same text.
func (r *request) sentScale(c choices) (*autoscalingv1.Scale, error) {
	media := cmp.Or(r.media(), runtime.ContentTypeJSON)
	scale, strict, err := decodeScale(r.body, media, c.fieldValidation)
	if err == nil && len(strict) > 0 {
		if c.fieldValidation != string(crdsem.Strict) {
			r.warnStrict(strict)
			return scale, nil
		}
		err = runtime.NewStrictDecodingError(strict)
	}
	if other, ok := errors.AsType[otherVersion](err); ok || err == nil {
		if !ok {
			return scale, nil
		}
		return nil, apierrors.NewBadRequest(other.Error())
	}
	if r.builtin == nil {
		err = errors.New("no kind is registered for the type v1.Scale in " +
			`scheme "pkg/runtime/scheme.go:111"`)
	}
	return nil, apierrors.NewBadRequest(err.Error())
}

// warnStrict warns of what a strict decoder rejects.
func (r *request) warnStrict(strict []error) {
	for _, err := range strict {
		r.warn(strictLines(err.Error())...)
	}
}

// strictLines returns the single errors in the text of a strict decoder. That
// of YAML has them as lines below a heading.
func strictLines(text string) []string {
	list, ok := strings.CutPrefix(strings.TrimPrefix(text, "error converting YAML to JSON: "),
		"yaml: unmarshal errors:\n")
	if !ok {
		return []string{text}
	}
	lines := strings.Split(list, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return lines
}

// scalePatch returns the language of a patch of a scale. A strategic merge
// patch, which only scales of built-in kinds take, is a merge patch of them:
// they have no lists but those of the metadata.
func (r *request) scalePatch() crdsem.PatchType {
	if r.builtin != nil && r.media() == string(types.StrategicMergePatchType) {
		return crdsem.MergePatch
	}
	return crdsem.PatchType(r.media())
}

// patchedScale returns a scale after the request's patch.
func (r *request) patchedScale(
	scale *autoscalingv1.Scale, c choices,
) (*autoscalingv1.Scale, error) {
	level := crdsem.Strictness(cmp.Or(c.fieldValidation, string(crdsem.Warn)))
	text, err := json.Marshal(scale)
	if err != nil {
		return nil, apierrors.NewInternalError(err)
	}
	text, strict, err := r.scalePatch().ApplyText(r.ctx, text, r.body, level)
	if err != nil {
		return nil, statusError(err)
	}
	out, unknown, err := decodeScale(text, runtime.ContentTypeJSON, string(level))
	strict = append(strict, unknown...)
	if err == nil && len(strict) > 0 {
		if level != crdsem.Strict {
			r.warnStrict(strict)
			return out, nil
		}
		err = runtime.NewStrictDecodingError(strict)
	}
	if err != nil {
		return nil, invalidPatch(text, err)
	}
	return out, nil
}
