package crd

import (
	"github.com/crdsem/crdsem/internal/base/dom"
	"github.com/crdsem/crdsem/internal/metadata"
)

// reader fills objects from the nodes of a document. It knows two answers: the document is plain, or it is not and only the API server's
// own decoder can say what becomes of it. A schema that a document has several times is read once.
type reader struct {
	mismatch bool // a value of the wrong kind
	unknown  bool // a key that the type does not have, where a strict decoder would see it
	unseen   int  // > 0 below a union, where a strict decoder sees nothing

	known map[*dom.Node]knownSchema
}

// knownSchema is a schema that was read, and whether it has an unknown key outside of unions.
type knownSchema struct {
	props   *JSONSchemaProps
	unknown bool
}

// SchemaFromValue returns the schema that a decoded value holds. It fails to (false) if some value is of the wrong kind.
// The result shares nothing with its argument.
func SchemaFromValue(value any) (*JSONSchemaProps, bool) {
	return schemaFromNode(new(dom.Builder).Of(value))
}

func schemaFromNode(root *dom.Node) (*JSONSchemaProps, bool) {
	var r reader
	props := r.schemaOf(root)
	return props, !r.mismatch
}

func (r *reader) wrong() { r.mismatch = true }

func (r *reader) unknownKey() {
	if r.unseen == 0 {
		r.unknown = true
	}
}

// object returns the members of an object, none for null.
func (r *reader) object(value *dom.Node) []dom.Entry {
	if value == nil {
		return nil
	}
	members, ok := value.Members()
	if !ok {
		r.wrong()
	}
	return members
}

// read reads a scalar; null leaves it as it is.
func read[T any](r *reader, to *T, value *dom.Node) {
	if value == nil {
		return
	}
	var ok bool
	if text, isText := any(to).(*string); isText {
		*text, ok = value.Text()
	} else {
		*to, ok = value.Scalar().(T)
	}
	if !ok {
		r.wrong()
	}
}

func readPointer[T any](r *reader, to **T, value *dom.Node) {
	if value == nil {
		return
	}
	*to = new(T)
	read(r, *to, value)
}

func (r *reader) number(to **float64, value *dom.Node) {
	switch v := value.Scalar().(type) {
	case float64:
		*to = &v
	case int64:
		f := float64(v)
		*to = &f
	default:
		if value != nil {
			r.wrong()
		}
	}
}

// list reads a list item by item; null is no list.
func list[T any](r *reader, to *[]T, value *dom.Node, item func(*T, *dom.Node)) {
	if value == nil {
		return
	}
	items, ok := value.Items()
	if !ok {
		r.wrong()
		return
	}
	out := make([]T, len(items))
	for i := range items {
		item(&out[i], items[i].Value)
	}
	*to = out
}

func (r *reader) strings(to *[]string, value *dom.Node) {
	list(r, to, value, func(s *string, v *dom.Node) { read(r, s, v) })
}

func dictionary[T any](r *reader, to *map[string]*T, value *dom.Node, item func(*dom.Node) *T) {
	members := r.object(value)
	if members == nil {
		return
	}
	out := make(map[string]*T, len(members))
	for _, m := range members {
		out[m.Key()] = item(m.Value)
	}
	*to = out
}

// metadata reads an object's metadata and brings it into its normal form.
func (r *reader) metadata(to *map[string]any, value *dom.Node) {
	coerced, err := metadata.Coerce(value.Value(), metadata.Strict)
	if err != nil {
		r.wrong()
	}
	if len(coerced.Unknown) > 0 {
		r.unknownKey()
	}
	*to = coerced.Metadata
}
