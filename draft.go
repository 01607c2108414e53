package crdsem

import (
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/metadata"
)

// draft is an object on its way. It starts as somebody else's: the object and its metadata are each copied before the first write, one
// level deep, so that whatever is not written stays shared and unchanged.
type draft struct {
	object               map[string]any
	meta                 map[string]any // its metadata
	ownsObject, ownsMeta bool
	normal               bool // the metadata is known to be in normal form
}

// newDraft takes an object as it is; normal tells that its metadata is known to be in normal form.
func newDraft(object map[string]any, normal bool) draft {
	meta, _ := object["metadata"].(map[string]any)
	return draft{object: object, meta: meta, normal: normal}
}

// readMeta returns the metadata to be validated.
func (d *draft) readMeta() (metadata.Meta, field.ErrorList) {
	if d.normal {
		return metadata.ReadNormal(d.meta), nil
	}
	return metadata.Read(d.object)
}

// metaText returns a string of the metadata, empty if there is none.
func (d *draft) metaText(key string) string {
	s, _ := d.meta[key].(string)
	return s
}

// generation returns the object's generation, 0 if it has none.
func (d *draft) generation() int64 {
	n, _ := d.meta["generation"].(int64)
	return n
}

func (d *draft) set(key string, value any) {
	if !d.ownsObject {
		d.object, d.ownsObject = maps.Clone(d.object), true
	}
	d.object[key] = value
}

func (d *draft) remove(key string) {
	if _, present := d.object[key]; !present {
		return
	}
	if !d.ownsObject {
		d.object, d.ownsObject = maps.Clone(d.object), true
	}
	delete(d.object, key)
}

// writableMeta returns the metadata to write to; nil if there is something else in its place.
func (d *draft) writableMeta() map[string]any {
	value, present := d.object["metadata"]
	meta, isObject := value.(map[string]any)
	switch {
	case !present:
		meta = map[string]any{}
	case !isObject:
		return nil
	case d.ownsMeta:
		return meta
	default:
		meta = maps.Clone(meta)
	}
	d.set("metadata", meta)
	d.meta, d.ownsMeta = meta, true
	return meta
}

// setMeta sets a field of the metadata; a value that is there already costs nothing. The value is a string, an int64 or a list.
func (d *draft) setMeta(key string, value any) {
	if _, isList := value.([]any); !isList && d.meta[key] == value {
		return
	}
	if meta := d.writableMeta(); meta != nil {
		meta[key] = value
		d.normal = d.normal && metadata.IsNormalField(key, value)
	}
}

func (d *draft) removeMeta(key string) {
	if _, present := d.meta[key]; !present {
		return
	}
	if meta := d.writableMeta(); meta != nil {
		delete(meta, key)
	}
}

// setMetaString sets a field of the metadata, or removes it if the value is empty.
func (d *draft) setMetaString(key, value string) {
	if value == "" {
		d.removeMeta(key)
		return
	}
	d.setMeta(key, value)
}

// metaString returns a string of an object's metadata, empty if there is none.
func metaString(object map[string]any, key string) string {
	meta, _ := object["metadata"].(map[string]any)
	s, _ := meta[key].(string)
	return s
}
