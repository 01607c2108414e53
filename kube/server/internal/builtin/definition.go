package builtin

import (
	"maps"
	"math"
	"reflect"
	"strings"
	"sync"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// DecodeDefinition decodes a definition that was read as JSON or YAML, as
// [Decode] does with its JSON. Schemas that their Go type writes as they are
// stay the same maps; others, and the rest, are decoded by the Go types. The
// fields without a meaning are removed from the object that was given.
func DecodeDefinition(
	object map[string]any, of schema.GroupVersionKind,
) (out map[string]any, unknown []error, err error) {
	rest, cut := WithoutSchemas(object)
	for _, s := range cut {
		if !fit(s, typeOfSchema, false) {
			return decodeObject(object, of)
		}
	}
	if out, unknown, err = decodeObject(rest, of); err != nil {
		return decodeObject(object, of) // for its error
	}
	for i, s := range cut {
		schemaAt(out, i)[schemaField] = s
	}
	return out, unknown, nil
}

// decodeObject decodes the JSON of an object into the Go type of its kind.
func decodeObject(
	object map[string]any, of schema.GroupVersionKind,
) (out map[string]any, unknown []error, err error) {
	body, err := (&unstructured.Unstructured{Object: object}).MarshalJSON()
	if err != nil {
		return nil, nil, err
	}
	return Decode(body, runtime.ContentTypeJSON, of)
}

const schemaField = "openAPIV3Schema"

// WithoutSchemas returns a definition without the schemas of its versions, and
// these by the numbers of their versions.
func WithoutSchemas(definition map[string]any) (rest map[string]any, cut map[int]map[string]any) {
	spec, _ := definition["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	cut = map[int]map[string]any{}
	left := make([]any, len(versions))
	for i, item := range versions {
		left[i] = item
		version, _ := item.(map[string]any)
		around, _ := version["schema"].(map[string]any)
		if of, ok := around[schemaField].(map[string]any); ok {
			around, version = maps.Clone(around), maps.Clone(version)
			delete(around, schemaField)
			version["schema"] = around
			left[i], cut[i] = version, of
		}
	}
	if len(cut) == 0 {
		return definition, cut
	}
	spec, rest = maps.Clone(spec), maps.Clone(definition)
	spec["versions"], rest["spec"] = left, spec
	return rest, cut
}

// schemaAt returns the field schema of a version.
func schemaAt(definition map[string]any, version int) map[string]any {
	spec, _ := definition["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	of, _ := versions[version].(map[string]any)
	at, _ := of["schema"].(map[string]any)
	return at
}

var (
	typeOfSchema = reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()
	typeOfJSON   = reflect.TypeFor[apiextensionsv1.JSON]()
	typesOfUnion = map[reflect.Type]func(value any) reflect.Type{
		reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool](): func(value any) reflect.Type {
			if _, ok := value.(bool); ok {
				return reflect.TypeFor[bool]()
			}
			return typeOfSchema
		},
		reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       schemaOr[apiextensionsv1.JSONSchemaProps],
		reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): schemaOr[string],
	}
)

// schemaOr returns the type of a value that is a schema or a list.
func schemaOr[T any](value any) reflect.Type {
	if list, ok := value.([]any); ok && len(list) > 0 {
		return reflect.TypeFor[[]T]()
	}
	return typeOfSchema
}

// fit reports whether a Go type that is part of a schema writes a value as it
// is, and makes it so where only empty fields and the type of a number differ.
// Below a union numbers are what JSON makes of them.
func fit(value any, t reflect.Type, below bool) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == typeOfJSON {
		return isPlain(value)
	}
	if union := typesOfUnion[t]; union != nil {
		t, below = union(value), true
	}
	switch v := value.(type) {
	case string:
		return t.Kind() == reflect.String && utf8.ValidString(v)
	case bool:
		return t.Kind() == reflect.Bool
	case int64:
		return t.Kind() == reflect.Int64 || t.Kind() == reflect.Float64 && below && isExact(v)
	case float64:
		return t.Kind() == reflect.Float64 && v != math.Trunc(v)
	case []any:
		for _, item := range v {
			if t.Kind() != reflect.Slice || !fit(item, t.Elem(), below) {
				return false
			}
		}
		return t.Kind() == reflect.Slice
	case map[string]any:
		return fitMap(v, t, below)
	}
	return false
}

// fitMap is [fit] for an object.
func fitMap(value map[string]any, t reflect.Type, below bool) bool {
	if t.Kind() == reflect.Map {
		for key, item := range value {
			if !utf8.ValidString(key) || !fit(item, t.Elem(), below) {
				return false
			}
		}
		return true
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	fields := fieldsOf(t)
	for _, key := range fields.required {
		if value[key] == nil {
			return false
		}
	}
	for key, item := range value {
		of, known := fields.types[key]
		if !known {
			return false
		}
		if of.Kind() == reflect.Pointer && of.Elem().Kind() == reflect.Float64 && !below {
			if number, ok := item.(int64); ok && isExact(number) {
				value[key] = float64(number)
				continue
			}
		}
		if isEmptyOf(item, of) && fields.omits[key] {
			delete(value, key)
		} else if !fit(item, of, below) {
			return false
		}
	}
	return true
}

// isExact reports whether a float64 has the value of an integer.
func isExact(n int64) bool { return -1<<53 <= n && n <= 1<<53 }

// isEmptyOf reports whether a field of a type does not write a value.
func isEmptyOf(value any, t reflect.Type) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == "" && t.Kind() == reflect.String
	case bool:
		return !v && t.Kind() == reflect.Bool
	case []any:
		return len(v) == 0 && t.Kind() == reflect.Slice
	case map[string]any:
		return len(v) == 0 && t.Kind() == reflect.Map
	}
	return false
}

// isPlain reports whether JSON writes and reads a value as it is.
func isPlain(value any) bool {
	switch v := value.(type) {
	case nil, bool, int64:
		return true
	case string:
		return utf8.ValidString(v)
	case float64:
		return v != math.Trunc(v)
	case []any:
		for _, item := range v {
			if !isPlain(item) {
				return false
			}
		}
		return true
	case map[string]any:
		for key, item := range v {
			if !utf8.ValidString(key) || !isPlain(item) {
				return false
			}
		}
		return true
	}
	return false
}

// structFields are the fields of a struct by their names in JSON.
type structFields struct {
	types    map[string]reflect.Type
	omits    map[string]bool // those that are not written when they are empty
	required []string        // the others
}

var knownFields sync.Map // of structFields, by type

// fieldsOf returns the fields of a struct of a schema.
func fieldsOf(t reflect.Type) structFields {
	if known, ok := knownFields.Load(t); ok {
		return known.(structFields)
	}
	out := structFields{types: map[string]reflect.Type{}, omits: map[string]bool{}}
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		out.types[name], out.omits[name] = field.Type, options != ""
		if options == "" {
			out.required = append(out.required, name)
		}
	}
	knownFields.Store(t, out)
	return out
}
