package kube

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/app/protocol"
	apischema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
)

// source is the origin of an object.
type source int

const (
	fromRequest       source = iota // a request, decoded as it comes
	fromStrictRequest               // a request whose unknown fields are reported
	fromStorage                     // etcd
	fromConversion                  // the converter
)

// coercion is the server's treatment of an object after decoding or conversion:
// metadata checked, unknown fields and nulls pruned, embedded metadata coerced
// (PIPE-010). The server's own type is not exported; this one calls the same
// functions.
type coercion struct {
	res  *resource
	from source
}

// apply changes u in place and returns the unknown fields, in the server's
// order, if they are wanted.
func (c coercion) apply(u *unstructured.Unstructured) ([]string, error) {
	kind, hasKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return nil, err
	}
	track := c.from == fromStrictRequest
	metadata, hasMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(
		u.Object,
		objectmeta.ObjectMetaOptions{
			DropMalformedFields:     c.from == fromStorage,
			ReturnUnknownFieldPaths: track,
		},
	)
	if err != nil {
		return nil, err
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	if gv.Group == c.res.kind.Group && kind == c.res.kind.Kind {
		more, err := c.applySchema(u, c.res.models[gv.Version])
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, more...)
		if c.from == fromStorage && metadata.Generation == 0 {
			metadata.Generation = 1
		}
	}
	if hasKind {
		u.SetKind(kind)
	}
	if hasVersion {
		u.SetAPIVersion(apiVersion)
	}
	if !hasMeta {
		return unknown, nil
	}
	return unknown, objectmeta.SetObjectMeta(u.Object, metadata)
}

// applySchema applies the steps that need the schema of the object's version.
func (c coercion) applySchema(
	u *unstructured.Unstructured, model *apischema.Structural,
) ([]string, error) {
	track := c.from == fromStrictRequest
	var unknown []string
	if !c.res.crd.Spec.PreserveUnknownFields {
		opts := apischema.UnknownFieldPathOptions{TrackUnknownFieldPaths: track}
		unknown = pruning.PruneWithOptions(u.Object, model, true, opts)
		defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, model)
	}
	bad, embedded := objectmeta.CoerceWithOptions(
		nil,
		u.Object,
		model,
		false,
		objectmeta.CoerceOptions{
			DropInvalidFields:       c.from == fromStorage,
			ReturnUnknownFieldPaths: track,
		},
	)
	if bad != nil {
		return nil, bad
	}
	return append(unknown, embedded...), nil
}

// coercingDecoder decodes and then coerces. It keeps the unknown fields of the
// last object.
type coercingDecoder struct {
	runtime.Decoder
	coercion coercion
	unknown  []string
}

// Decode implements runtime.Decoder.
func (d *coercingDecoder) Decode(
	data []byte, defaults *schema.GroupVersionKind, into runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	obj, gvk, err := d.Decoder.Decode(data, defaults, into)
	var findings []error
	if strict, ok := runtime.AsStrictDecodingError(err); ok && obj != nil {
		findings = strict.Errors()
	} else if err != nil {
		return nil, gvk, err
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		if d.unknown, err = d.coercion.apply(u); err != nil {
			return nil, gvk, err
		}
	}
	if d.coercion.from != fromStrictRequest {
		return obj, gvk, nil
	}
	for _, path := range d.unknown {
		findings = append(findings, fmt.Errorf(`unknown field "%s"`, path))
	}
	if len(findings) == 0 {
		return obj, gvk, nil
	}
	return obj, gvk, runtime.NewStrictDecodingError(findings)
}

// coercingConverter converts and then coerces.
type coercingConverter struct {
	runtime.ObjectConvertor
	coercion coercion
}

// Convert implements runtime.ObjectConvertor.
func (c coercingConverter) Convert(in, out, context any) error {
	err := c.ObjectConvertor.Convert(in, out, context)
	if u, ok := out.(*unstructured.Unstructured); ok && err == nil {
		_, err = c.coercion.apply(u)
	}
	return err
}

// ConvertToVersion implements runtime.ObjectConvertor.
func (c coercingConverter) ConvertToVersion(
	in runtime.Object, gv runtime.GroupVersioner,
) (runtime.Object, error) {
	out, err := c.ObjectConvertor.ConvertToVersion(in, gv)
	if u, ok := out.(*unstructured.Unstructured); ok && err == nil {
		_, err = c.coercion.apply(u)
	}
	return out, err
}

// defaulter applies the defaults of the object's version (DEF-001).
type defaulter struct{ res *resource }

// Default implements runtime.ObjectDefaulter.
func (d defaulter) Default(in runtime.Object) {
	u, ok := in.(runtime.Unstructured)
	if !ok {
		return
	}
	gvk := u.GetObjectKind().GroupVersionKind()
	if gvk.GroupKind() == d.res.kind.GroupKind() {
		defaulting.Default(u.UnstructuredContent(), d.res.models[gvk.Version])
	}
}

// creator makes empty objects.
type creator struct{}

// New implements runtime.ObjectCreater.
func (creator) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	return newObject(kind), nil
}

func newObject(kind schema.GroupVersionKind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u
}

// decodeRequest decodes a request body into an object. It returns the object
// even if the error is one of strict decoding. It also returns the kind that
// the body names.
func (r *resource) decodeRequest(
	doc []byte, format protocol.Format, from source, into *unstructured.Unstructured,
) (*unstructured.Unstructured, *schema.GroupVersionKind, []string, error) {
	typer := crdserverscheme.NewUnstructuredObjectTyper()
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, creator{}, typer,
		json.SerializerOptions{Yaml: format == protocol.YAML, Strict: from == fromStrictRequest})
	decoder := &coercingDecoder{Decoder: serializer, coercion: coercion{r, from}}

	codec := versioning.NewCodec(nil, decoder, runtime.UnsafeObjectConvertor(scheme()),
		scheme(), scheme(), defaulter{r}, nil, r.kind.GroupVersion(), "request")
	kind := r.kind
	obj, gvk, err := codec.Decode(doc, &kind, into)
	u, _ := obj.(*unstructured.Unstructured)
	return u, gvk, decoder.unknown, err
}

// decodeStored decodes the bytes that etcd holds and converts the object to the
// version of the request (PIPE-022).
func (r *resource) decodeStored(doc []byte) (*unstructured.Unstructured, error) {
	obj, _, err := r.storageCodec(r.kind.GroupVersion()).Decode(doc, nil, newObject(r.kind))
	if err != nil {
		return nil, err
	}
	u, ok := obj.(*unstructured.Unstructured)
	if !ok {
		return nil, errNotObject
	}
	return u, nil
}

// storageCodec returns the codec between etcd, where objects have the version
// stored, and the version of the request.
func (r *resource) storageCodec(stored schema.GroupVersion) runtime.Codec {
	decoder := &coercingDecoder{
		Decoder:  unstructured.UnstructuredJSONScheme,
		coercion: coercion{r, fromStorage},
	}
	converter := coercingConverter{r.converter, coercion{r, fromConversion}}
	return versioning.NewCodec(unstructured.UnstructuredJSONScheme, decoder, converter, creator{},
		crdserverscheme.NewUnstructuredObjectTyper(), defaulter{r}, stored, r.kind.GroupVersion(),
		"storage")
}
