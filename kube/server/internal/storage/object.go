package storage

import (
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/crdsem/crdsem"
)

// Object is a stored object. It is immutable.
type Object struct {
	Key      string
	Revision uint64
	Size     int64 // how many bytes the content has as JSON
	// NegativeZero reports that the object was written with a -0, which is read
	// as 0 but is not the same bytes.
	NegativeZero bool

	text    []byte // the JSON of the content; nil if only the content is kept
	content atomic.Pointer[fields]
}

// fields are the content of an object.
type fields struct{ of map[string]any }

// NewObject returns what is stored when an object is written. The content has
// no resourceVersion.
func NewObject(key string, content, written map[string]any) *Object {
	o := &Object{Key: key, Size: sizeOf(content), NegativeZero: hasNegativeZero(written)}
	o.content.Store(&fields{content})
	return o
}

// Changed returns an object as [NewObject] does, of a content that was made
// from the present one: what both share is not measured again.
func (o *Object) Changed(from, to map[string]any) *Object {
	old, next := maps.Clone(from), maps.Clone(to)
	for key, value := range from {
		if one, ok := value.(map[string]any); ok && isSameMap(one, to[key]) {
			old[key], next[key] = nil, nil
		}
	}
	out := &Object{
		Key: o.Key, Size: o.Size + sizeOf(next) - sizeOf(old), NegativeZero: hasNegativeZero(to),
	}
	out.content.Store(&fields{to})
	return out
}

// isSameMap reports whether two values are one map.
func isSameMap(a map[string]any, b any) bool {
	other, ok := b.(map[string]any)
	return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(other).Pointer()
}

// Packed returns an object of which only the JSON is kept.
func Packed(key string, revision uint64, text []byte) *Object {
	return &Object{Key: key, Revision: revision, Size: int64(len(text)), text: text}
}

// Content returns the content of the object. It has no resourceVersion, and
// must not be changed: others may have it, too.
func (o *Object) Content() map[string]any {
	if known := o.content.Load(); known != nil {
		return known.of
	}
	content, _ := crdsem.Decode(o.text) // it was encoded from an object
	return content
}

// JSON returns the JSON of the content, which must not be changed.
func (o *Object) JSON() ([]byte, error) {
	if o.text != nil {
		return o.text, nil
	}
	return json.Marshal(o.Content())
}

// stored returns an object as it is kept under a key: its content, if it is to
// be decoded or has no JSON, or else its JSON.
func (o *Object) stored(key string, decoded bool) *Object {
	out := &Object{Key: key, Size: o.Size, NegativeZero: o.NegativeZero}
	if !decoded {
		out.text, _ = o.JSON() // without it the content is kept
	}
	if out.text == nil {
		out.content.Store(&fields{o.Content()})
	}
	return out
}

// The content is kept of so many bytes of JSON. Each object counts as so many
// more.
const (
	maxRecent   = 4 << 20
	recentBytes = 1 << 10
)

// recent are the objects that were written or read last. Their content is kept
// beside their JSON.
type recent struct {
	mu      sync.Mutex
	objects []*Object // as they came
	bytes   int64
}

// add keeps the content of an object, and no longer that of the first ones, as
// far as there are too many.
func (r *recent) add(o *Object, content map[string]any) {
	if !o.content.CompareAndSwap(nil, &fields{content}) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.objects = append(r.objects, o)
	r.bytes += o.Size + recentBytes
	for r.bytes > maxRecent && len(r.objects) > 1 {
		first := r.objects[0]
		first.content.Store(nil)
		r.bytes -= first.Size + recentBytes
		r.objects[0], r.objects = nil, r.objects[1:]
	}
}

// hasNegativeZero reports whether there is a -0 in a value.
func hasNegativeZero(value any) bool {
	switch v := value.(type) {
	case float64:
		return v == 0 && math.Signbit(v)
	case []any:
		return slices.ContainsFunc(v, hasNegativeZero)
	case map[string]any:
		for _, below := range v {
			if hasNegativeZero(below) {
				return true
			}
		}
	}
	return false
}
