package kube

import (
	"bytes"
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
)

// memory is a store of one object, which lives as long as a request: it is in
// the request's context. It encodes and decodes as the store above etcd does.
// What it does not implement is asked by no write.
type memory struct {
	storage.Interface
	codec runtime.Codec
}

// kept is the object in a store, nil bytes for none.
type kept struct {
	data     []byte
	revision uint64
}

// keptKey is the key of a *kept in a context.
type keptKey struct{}

func keptIn(ctx context.Context) *kept { return ctx.Value(keptKey{}).(*kept) }

// storeOptions are the options of the registry of a resource, with a store in
// memory.
type storeOptions struct{}

// of returns the options of a resource.
func (storeOptions) of(resource schema.GroupResource) generic.RESTOptions {
	config := storagebackend.Config{Codec: unstructured.UnstructuredJSONScheme}
	return generic.RESTOptions{
		StorageConfig:  config.ForResource(resource),
		Decorator:      decorate,
		ResourcePrefix: resource.Group + "/" + resource.Resource,
	}
}

// Versioner implements storage.Interface.
func (*memory) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

// ReadinessCheck implements storage.Interface.
func (*memory) ReadinessCheck() error { return nil }

// Get implements storage.Interface.
func (m *memory) Get(
	ctx context.Context, key string, opts storage.GetOptions, out runtime.Object,
) error {
	held := keptIn(ctx)
	switch {
	case held.data != nil:
		return m.decode(held, out)
	case opts.IgnoreNotFound:
		return runtime.SetZeroValue(out)
	}
	return storage.NewKeyNotFoundError(key, 0)
}

// Create implements storage.Interface.
func (m *memory) Create(
	ctx context.Context, key string, obj, out runtime.Object, _ uint64,
) error {
	held := keptIn(ctx)
	version, err := m.Versioner().ObjectResourceVersion(obj)
	if err == nil && version != 0 {
		return storage.ErrResourceVersionSetOnCreate
	}
	data, err := m.encode(obj)
	if err != nil {
		return err
	}
	if held.data != nil {
		return storage.NewKeyExistsError(key, 0)
	}
	held.data, held.revision = data, held.revision+1
	return m.decode(held, out)
}

// GuaranteedUpdate implements storage.Interface. Nobody else writes, so it need
// not be repeated.
func (m *memory) GuaranteedUpdate(
	ctx context.Context, key string, out runtime.Object, ignoreNotFound bool,
	preconditions *storage.Preconditions, update storage.UpdateFunc, _ runtime.Object,
) error {
	held := keptIn(ctx)
	empty, ok := out.(runtime.Unstructured)
	if !ok {
		return fmt.Errorf("a %T is no custom resource", out)
	}
	var current runtime.Object = empty.NewEmptyInstance() // its version is asked for
	switch {
	case held.data != nil:
		if err := m.decode(held, current); err != nil {
			return err
		}
	case !ignoreNotFound:
		return storage.NewKeyNotFoundError(key, 0)
	default:
		if err := runtime.SetZeroValue(current); err != nil {
			return err
		}
	}
	if err := preconditions.Check(key, current); err != nil {
		return err
	}
	meta := storage.ResponseMeta{}
	if held.data != nil {
		meta.ResourceVersion = held.revision
	}
	next, _, err := update(current, meta)
	if err != nil {
		return err
	}
	data, err := m.encode(next)
	if err != nil {
		return err
	}
	if held.data == nil || !bytes.Equal(data, held.data) {
		held.data, held.revision = data, held.revision+1
	}
	return m.decode(held, out)
}

func (m *memory) encode(obj runtime.Object) ([]byte, error) {
	if err := m.Versioner().PrepareObjectForStorage(obj); err != nil {
		return nil, fmt.Errorf("PrepareObjectForStorage failed: %w", err)
	}
	return runtime.Encode(m.codec, obj)
}

func (m *memory) decode(held *kept, into runtime.Object) error {
	if _, _, err := m.codec.Decode(held.data, nil, into); err != nil {
		return err
	}
	return m.Versioner().UpdateObject(into, held.revision)
}
