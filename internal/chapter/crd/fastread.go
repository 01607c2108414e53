package crd

import (
	"github.com/crdsem/crdsem/internal/base/dom"
	"github.com/crdsem/crdsem/internal/chapter/metadata"
	"github.com/crdsem/crdsem/internal/chapter/profile"
)

// The fast reader reads definitions and schemas from the nodes of a document.
//
// It takes documents that are in order and reads each distinct schema once:
// real definitions repeat themselves. It does not word errors. When it comes
// upon a value of a wrong type it sets mismatch, and the functions of decode.go
// hand over to the exact decoder (exact.go). When it comes upon an unknown
// field it sets unknown, and a strict decoder over the API types is asked for
// the errors.
//
// fastread_definition.go, fastread_conversion.go and fastread_schema.go have
// one method for each API type: a switch over its fields.
//
// TestFastReaderAgreesWithExactDecoder and the oracle's tests of definitions
// compare it with the exact decoder.

// reader fills the types of this package. Its zero value is ready to read
// schemas.
type reader struct {
	profile *profile.Profile // of definitions

	mismatch bool // some value has a wrong type
	unknown  bool // there is an unknown field that a strict decoder sees
	unseen   int  // > 0 below a union, where a strict decoder sees no fields

	known map[*dom.Node]knownSchema
}

// knownSchema is a schema that was read before.
type knownSchema struct {
	props   *JSONSchemaProps
	unknown bool // it has an unknown field outside of unions
}

func (r *reader) wrong() { r.mismatch = true }

// unknownKey records an unknown field.
func (r *reader) unknownKey() {
	if r.unseen == 0 {
		r.unknown = true
	}
}

// object returns the members of an object. Null has no members.
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

// read reads a scalar. Null leaves *to unchanged.
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

// readPointer reads a scalar into a new variable. Null leaves *to unchanged.
func readPointer[T any](r *reader, to **T, value *dom.Node) {
	if value == nil {
		return
	}
	*to = new(T)
	read(r, *to, value)
}

// number reads a number into a new variable. Null leaves *to unchanged.
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

// list reads a list item by item. Null leaves *to unchanged.
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

// dictionary reads an object whose keys are names, e.g. properties. Null leaves
// *to unchanged.
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

// metadata reads metadata and coerces it, as the server does.
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
