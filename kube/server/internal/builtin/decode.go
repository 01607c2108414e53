package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	kjson "sigs.k8s.io/json"
)

// types are those of client-go and of definitions.
var types = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(clientscheme.AddToScheme(s))
	utilruntime.Must(apiextensionsv1.AddToScheme(s))
	utilruntime.Must(metav1.AddMetaToScheme(s))
	utilruntime.Must(metav1beta1.AddMetaToScheme(s))
	return s
})

// codecs decode bodies of the kinds with types.
var codecs = sync.OnceValue(func() serializer.CodecFactory {
	return serializer.NewCodecFactory(types(), serializer.EnableStrict)
})

// Decode decodes a body into the Go type of a kind and returns its JSON. The
// media type is that of JSON, YAML or protobuf, without parameters. A body
// without apiVersion and kind gets those of the kind.
//
// Fields that the type lacks and duplicate ones are dropped and returned in
// unknown, e.g. `unknown field "spec.replica"`. Decode fails if the media type
// is another one, if client-go has no type of the kind, if the body is of
// another kind, or if a value does not fit its field.
func Decode(
	body []byte, media string, of schema.GroupVersionKind,
) (object map[string]any, unknown []error, err error) {
	info, ok := runtime.SerializerInfoForMediaType(codecs().SupportedMediaTypes(), media)
	if !ok {
		return nil, nil, fmt.Errorf("media type %q: expected that of JSON, YAML or protobuf", media)
	}
	if !types().Recognizes(of) {
		return nil, nil, fmt.Errorf("client-go has no type of %s", of)
	}
	typed := decodeOnce(body, media, of)
	if typed == nil {
		var kind *schema.GroupVersionKind
		typed, kind, err = info.StrictSerializer.Decode(body, &of, nil)
		if strict, is := runtime.AsStrictDecodingError(err); is && typed != nil {
			unknown, err = strict.Errors(), nil
		}
		if err != nil {
			return nil, nil, err
		}
		if *kind != of {
			return nil, nil, fmt.Errorf("the body is of %s, expected %s", kind, of)
		}
	}
	types().Default(typed)
	typed.GetObjectKind().SetGroupVersionKind(of)
	object, err = runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, nil, fmt.Errorf("encoding %s: %w", of, err)
	}
	return object, unknown, nil
}

// decodeOnce decodes JSON of a kind as the serializer does, which reads the
// body twice: first for the kind. It returns nil for other bodies, and for
// those of which something is to be reported.
func decodeOnce(body []byte, media string, of schema.GroupVersionKind) runtime.Object {
	typed, err := types().New(of)
	if err != nil || media != runtime.ContentTypeJSON {
		return nil
	}
	if unknown, err := kjson.UnmarshalStrict(body, typed); err != nil || len(unknown) > 0 {
		return nil
	}
	version, kind := of.ToAPIVersionAndKind()
	sent, ok := typed.GetObjectKind().(*metav1.TypeMeta)
	if !ok || sent.APIVersion != version && sent.APIVersion != "" ||
		sent.Kind != kind && sent.Kind != "" {
		return nil
	}
	return typed
}

// EncodeJSON returns the JSON of an object of a kind with a Go type, with the
// fields in the order of the type: patches are applied to it.
func EncodeJSON(object map[string]any) ([]byte, error) {
	typed, err := typedOf(object)
	if err != nil {
		return nil, err
	}
	return json.Marshal(typed)
}

// EncodeProtobuf returns as protobuf an object or a list of a kind with a Go
// type, given as a map, or a Status.
func EncodeProtobuf(of any) ([]byte, error) {
	typed, _ := of.(runtime.Object)
	if object, ok := of.(map[string]any); ok {
		var err error
		if typed, err = typedOf(object); err != nil {
			return nil, err
		}
	}
	if typed == nil {
		return nil, fmt.Errorf("%T has no protobuf", of)
	}
	var out bytes.Buffer
	err := protobuf.NewSerializer(types(), types()).Encode(typed, &out)
	return out.Bytes(), err
}

// typedOf returns an object as its Go type.
func typedOf(object map[string]any) (runtime.Object, error) {
	of := (&unstructured.Unstructured{Object: object}).GroupVersionKind()
	typed, err := types().New(of)
	if err != nil {
		return nil, err
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructured(object, typed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", of, err)
	}
	typed.GetObjectKind().SetGroupVersionKind(of)
	return typed, nil
}
