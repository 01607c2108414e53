package crd

import (
	"encoding/base64"
	"math"
	"reflect"
	"time"

	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
)

// The fast reader reads definitions and schemas from the nodes of a document,
// by the table of fields (fields.go).
//
// It takes documents that are in order and reads each distinct schema once:
// real definitions repeat themselves. It does not word errors. When it comes
// upon a value of a wrong type it sets mismatch, and the functions of decode.go
// hand over to the exact decoder (exact.go). When it comes upon an unknown
// field it sets unknown, and a strict decoder over the API types is asked for
// the errors.
//
// TestFastReaderAgreesWithExactDecoder and the oracle's tests of definitions
// compare it with the exact decoder.

// reader fills the types of this package. Its zero value is ready to read
// schemas.
type reader struct {
	profile *profile.Profile // of definitions
	form    form

	mismatch bool // some value has a wrong type
	unknown  bool // there is an unknown field that a strict decoder sees
	unseen   int  // > 0 below a union, where a strict decoder sees no fields

	known map[*node]knownSchema
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

// read reads a value into the variable that to points to. Null leaves it
// unchanged.
func (r *reader) read(to any, value *node) {
	switch to := to.(type) {
	case *any:
		*to = value.Value()
	case *map[string]any:
		r.metadata(to, value)
	case *map[string]*JSONSchemaProps:
		dictionary(r, to, value, r.schemaOf)
	case *map[string]*JSONSchemaPropsOrStringArray:
		dictionary(r, to, value, r.schemaOrNames)
	case *[]*JSONSchemaProps:
		r.schemas(to, value)
	default:
		if value != nil {
			r.readPresent(to, value)
		}
	}
}

// readPresent reads a value that is not null.
func (r *reader) readPresent(to any, value *node) {
	switch to := to.(type) {
	case *string:
		scalar(r, to, value.Text)
	case *bool:
		scalar(r, to, as[bool](value))
	case *int64:
		scalar(r, to, as[int64](value))
	case *int32:
		scalar(r, to, func() (int32, bool) {
			n, ok := value.Scalar().(int64)
			return int32(n), ok && int64(int32(n)) == n
		})
	case *float64:
		scalar(r, to, value.number)
	case *time.Time:
		scalar(r, to, value.time)
	case *[]byte:
		scalar(r, to, value.bytes)
	case **JSONSchemaProps:
		*to = r.schemaOf(value)
	case **JSONSchemaPropsOrArray:
		*to = r.schemaOrList(value)
	case **JSONSchemaPropsOrBool:
		r.schemaOrBool(to, value)
	case *ServiceReference:
		to.Port = defaultServicePort
		r.object(reflect.ValueOf(to).Elem(), value)
	default:
		r.reflected(reflect.ValueOf(to).Elem(), value)
	}
}

// defaultServicePort is the port of a service without a port.
const defaultServicePort = 443

// reflected reads a value that is not null into a pointer, a list or a struct.
// An array without elements stands for its element.
func (r *reader) reflected(to reflect.Value, value *node) {
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		r.read(to.Interface(), value)
	case reflect.Array:
		r.read(reflect.New(to.Type().Elem()).Interface(), value)
	case reflect.Slice:
		items, ok := value.Items()
		if !ok {
			r.wrong()
			return
		}
		out := reflect.MakeSlice(to.Type(), len(items), len(items))
		for i := range items {
			r.read(out.Index(i).Addr().Interface(), items[i].Value)
		}
		to.Set(out)
	default:
		r.object(to, value)
	}
}

// object reads an object into a struct.
func (r *reader) object(to reflect.Value, value *node) {
	r.fields(to, tables()[r.form][to.Type()], value)
}

// fields reads the members of an object into fields of a struct.
func (r *reader) fields(to reflect.Value, known fields, value *node) {
	members, ok := value.Members()
	if !ok && value != nil {
		r.wrong()
	}
	for _, m := range members {
		f, ok := known[m.Key()]
		switch {
		case !ok || !r.has(m.Key()):
			r.unknownKey()
		case f.nested != nil:
			r.fields(to, f.nested, m.Value)
		case f.blank:
			if m.Value != nil {
				r.reflected(to.Field(f.index), m.Value)
			}
		default:
			r.read(to.Field(f.index).Addr().Interface(), m.Value)
		}
	}
}

// has reports whether the minor has a field of definitions.
func (r *reader) has(name string) bool {
	return name != "observedGeneration" || r.profile.ObservedGenerationKnown
}

// scalar sets a variable to what get returns.
func scalar[T any](r *reader, to *T, get func() (T, bool)) {
	value, ok := get()
	if !ok {
		r.wrong()
	}
	*to = value
}

// as returns a function that returns the scalar of a node if it is a T.
func as[T any](n *node) func() (T, bool) {
	return func() (T, bool) {
		value, ok := n.Scalar().(T)
		return value, ok
	}
}

func (n *node) number() (float64, bool) {
	if n.isNegativeZero() {
		return math.Copysign(0, -1), true
	}
	if whole, ok := n.Scalar().(int64); ok {
		return float64(whole), true
	}
	f, ok := n.Scalar().(float64)
	return f, ok
}

// time reads a time of RFC 3339.
func (n *node) time() (time.Time, bool) {
	text, ok := n.Text()
	at, err := time.Parse(time.RFC3339, text)
	return at, ok && err == nil
}

// bytes reads base64.
func (n *node) bytes() ([]byte, bool) {
	text, ok := n.Text()
	decoded, err := base64.StdEncoding.DecodeString(text)
	return decoded, ok && err == nil
}

// schemaOf returns the schema that a node holds. Null is an empty schema.
func (r *reader) schemaOf(value *node) *JSONSchemaProps {
	known, ok := r.known[value]
	if !ok {
		known = r.newSchema(value)
		if r.known == nil {
			r.known = map[*node]knownSchema{}
		}
		r.known[value] = known
	}
	if known.unknown {
		r.unknownKey()
	}
	return known.props
}

// newSchema reads a schema as if it stood outside of unions: the result serves
// for every place of the node.
func (r *reader) newSchema(value *node) knownSchema {
	unknown, unseen := r.unknown, r.unseen
	r.unknown, r.unseen = false, 0
	p := &JSONSchemaProps{}
	r.object(reflect.ValueOf(p).Elem(), value)
	out := knownSchema{p, r.unknown}
	r.unknown, r.unseen = unknown, unseen
	return out
}

// schemas reads a list of schemas, in which null is an empty schema.
func (r *reader) schemas(to *[]*JSONSchemaProps, value *node) {
	items, ok := value.Items()
	if !ok && value != nil {
		r.wrong()
	}
	if !ok {
		return
	}
	*to = make([]*JSONSchemaProps, len(items))
	for i := range items {
		(*to)[i] = r.schemaOf(items[i].Value)
	}
}

// schemaOrList reads a union of a schema and a list of schemas. A strict
// decoder does not look into unions. A value that is neither is an empty union.
func (r *reader) schemaOrList(value *node) *JSONSchemaPropsOrArray {
	r.unseen++
	to := &JSONSchemaPropsOrArray{}
	if _, ok := value.Members(); ok {
		to.Schema = r.schemaOf(value)
	} else if _, ok := value.Items(); ok {
		r.schemas(&to.JSONSchemas, value)
	}
	r.unseen--
	return to
}

func (r *reader) schemaOrBool(to **JSONSchemaPropsOrBool, value *node) {
	r.unseen++
	if allows, ok := value.Scalar().(bool); ok {
		*to = &JSONSchemaPropsOrBool{Allows: allows}
	} else if _, ok := value.Members(); ok {
		*to = &JSONSchemaPropsOrBool{Allows: true, Schema: r.schemaOf(value)}
	} else {
		r.wrong()
	}
	r.unseen--
}

func (r *reader) schemaOrNames(value *node) *JSONSchemaPropsOrStringArray {
	r.unseen++
	to := &JSONSchemaPropsOrStringArray{}
	if _, ok := value.Members(); ok {
		to.Schema = r.schemaOf(value)
	} else if _, ok := value.Items(); ok {
		r.read(&to.Property, value)
	}
	r.unseen--
	return to
}

// dictionary reads an object whose keys are names, e.g. properties. Null leaves
// *to unchanged.
func dictionary[T any](r *reader, to *map[string]*T, value *node, item func(*node) *T) {
	members, ok := value.Members()
	if !ok && value != nil {
		r.wrong()
	}
	if members == nil {
		return
	}
	*to = make(map[string]*T, len(members))
	for _, m := range members {
		(*to)[m.Key()] = item(m.Value)
	}
}

// metadata reads metadata and coerces it, as the server does.
func (r *reader) metadata(to *map[string]any, value *node) {
	coerced, err := metadata.Coerce(value.Value(), metadata.Strict)
	if err != nil {
		r.wrong()
	}
	if len(coerced.Unknown) > 0 {
		r.unknownKey()
	}
	*to = coerced.Metadata
}
