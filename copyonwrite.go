package crdsem

import (
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
)

// sharedObject is a custom resource of a caller that is copied before it is
// written to. The object and its metadata are each copied before the first
// write to them, one level deep. The rest stays shared and unchanged. The zero
// value is no object; copies of a sharedObject must not both be written to.
type sharedObject struct {
	fields     map[string]any
	meta       map[string]any // the object's metadata
	ownsFields bool           // fields may be changed; set by Own, Set and Remove
	ownsMeta   bool           // meta may be changed; set by Own and writableMeta
	normal     bool           // the metadata is in normal form
}

// newShared returns an object that shares everything with its argument.
func newShared(object map[string]any) sharedObject {
	meta, _ := object["metadata"].(map[string]any)
	return sharedObject{fields: object, meta: meta}
}

// newNormalShared is like newShared for an object whose metadata is known to be
// in normal form (see [metadata.IsNormal]), so that it need not be decoded
// again.
func newNormalShared(object map[string]any) sharedObject {
	o := newShared(object)
	o.normal = true
	return o
}

// Own makes writes change the object itself and its metadata, which nothing
// else has a part of.
func (o *sharedObject) Own() { o.ownsFields, o.ownsMeta = true, true }

// Fields returns the object as it is now. It must not be changed.
func (o *sharedObject) Fields() map[string]any { return o.fields }

// Share returns an object that shares everything with this one.
func (o *sharedObject) Share() sharedObject {
	return sharedObject{fields: o.fields, meta: o.meta, normal: o.normal}
}

// ReadMeta decodes the metadata.
func (o *sharedObject) ReadMeta() (metadata.Meta, field.ErrorList) {
	if o.normal {
		return metadata.ReadNormal(o.meta), nil
	}
	return metadata.Read(o.fields)
}

// Meta returns a field of the metadata, e.g. "finalizers"; nil if it is absent.
func (o *sharedObject) Meta(key string) any { return o.meta[key] }

// MetaText returns a string of the metadata, e.g. "name"; empty if it is
// absent.
func (o *sharedObject) MetaText(key string) string {
	s, _ := o.meta[key].(string)
	return s
}

// Generation returns metadata.generation, 0 if it is absent.
func (o *sharedObject) Generation() int64 {
	n, _ := o.meta["generation"].(int64)
	return n
}

// Set sets a field of the object.
func (o *sharedObject) Set(key string, value any) {
	o.own()
	o.fields[key] = value
}

// Remove removes a field of the object.
func (o *sharedObject) Remove(key string) {
	if _, present := o.fields[key]; present {
		o.own()
		delete(o.fields, key)
	}
}

func (o *sharedObject) own() {
	if !o.ownsFields {
		o.fields, o.ownsFields = maps.Clone(o.fields), true
	}
}

// SetMeta sets a field of the metadata to a string, an int64 or a list. To set
// a string or a number that is already there costs nothing.
func (o *sharedObject) SetMeta(key string, value any) {
	if _, isList := value.([]any); !isList && o.meta[key] == value {
		return
	}
	if meta := o.writableMeta(); meta != nil {
		meta[key] = value
		o.normal = o.normal && metadata.IsNormalField(key, value)
	}
}

// SetMetaText sets a string of the metadata, or removes it if the value is
// empty.
func (o *sharedObject) SetMetaText(key, value string) {
	if value == "" {
		o.RemoveMeta(key)
		return
	}
	o.SetMeta(key, value)
}

// SetGeneration sets metadata.generation, or removes it if the value is 0.
func (o *sharedObject) SetGeneration(n int64) {
	if n == 0 {
		o.RemoveMeta("generation")
		return
	}
	o.SetMeta("generation", n)
}

// RemoveMeta removes a field of the metadata.
func (o *sharedObject) RemoveMeta(key string) {
	if _, present := o.meta[key]; !present {
		return
	}
	if meta := o.writableMeta(); meta != nil {
		delete(meta, key)
	}
}

// writableMeta returns the metadata to write to, nil if the object has
// something else in its place.
func (o *sharedObject) writableMeta() map[string]any {
	value, present := o.fields["metadata"]
	meta, isObject := value.(map[string]any)
	switch {
	case !present:
		meta = map[string]any{}
	case !isObject:
		return nil
	case o.ownsMeta:
		return meta
	default:
		meta = maps.Clone(meta)
	}
	o.Set("metadata", meta)
	o.meta, o.ownsMeta = meta, true
	return meta
}
