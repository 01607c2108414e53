package kube

import (
	"context"
	"errors"

	"github.com/crdsem/crdsem/internal/app/protocol"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// store answers with the codec that encodes for etcd, in the storage version.
func store(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	crd, hook, err := scripted(req)
	if err != nil {
		return nil, err
	}
	defer hook.stop()
	object, err := mapOf(req.Object)
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{Object: object}
	res, err := newResource(crd, u.GroupVersionKind().Version)
	if err != nil {
		return nil, err
	}
	storage, err := storageVersion(crd)
	if err != nil {
		return nil, err
	}
	doc, err := runtime.Encode(res.storageCodec(storage), u)
	if err != nil {
		return hook.notKept(protocol.ConversionError, err)
	}
	value, err := protocol.ParseValue(doc)
	stored, ok := value.(map[string]any)
	if err == nil && !ok {
		err = errNotObject
	}
	return protocol.Kept{Object: stored}, err
}

// storageVersion returns the version in which objects are stored.
func storageVersion(crd *v1.CustomResourceDefinition) (schema.GroupVersion, error) {
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return schema.GroupVersion{Group: crd.Spec.Group, Version: v.Name}, nil
		}
	}
	return schema.GroupVersion{}, errors.New("no storage version")
}

// read answers with the decoder of decoder.go for stored objects, and with what
// a server does to an object before it answers.
func read(_ context.Context, req *protocol.Request) (protocol.Result, error) {
	crd, hook, err := scripted(req)
	if err != nil {
		return nil, err
	}
	defer hook.stop()
	res, err := newResource(crd, req.Version)
	if err != nil {
		return nil, err
	}
	doc, err := jsonOf(req.Object)
	if err != nil {
		return nil, err
	}
	object, err := res.decodeStored(doc)
	if err != nil {
		return hook.notKept(protocol.DecodeError, err)
	}
	if meta.IsListType(object) && meta.LenList(object) == 0 {
		if err := meta.SetList(object, []runtime.Object{}); err != nil {
			return hook.notKept(protocol.DecodeError, err)
		}
	}
	return protocol.Kept{Object: object.Object}, nil
}

// notKept returns the answer for an error. A webhook that would have to be
// called is a fault.
func (h *scriptedHook) notKept(kind string, err error) (protocol.Result, error) {
	if errors.Is(err, errNoWebhook) {
		return nil, errNoWebhook
	}
	return protocol.Kept{Errors: pseudoError(kind, h.masked(err.Error()))}, nil
}
