package crd

import (
	"reflect"
	"strings"
	"sync"
)

// The fields of the types of this package are the one table of what a document
// may have. A field has the name of the Go field with a small first letter,
// e.g. storedVersions, or the one that a tag gives:
//
//	`api:"x"`      the field is x
//	`v1:"x"`       the field is x in v1; `v1:"-"`: v1 does not have it
//	`v1:"a.b"`     the field is b of the object a
//	`v1beta1:"x"`  the same for v1beta1
//
// A blank field is an array without elements. Values of its element type are
// checked and dropped.

// fields are the fields of a struct by their names in a document.
type fields map[string]member

// member is a field of a struct.
type member struct {
	index  int
	blank  bool   // its values are checked and dropped
	nested fields // if it is not nil, the fields of an object that is no struct
}

// tables has the fields of each struct type in each form.
var tables = sync.OnceValue(func() map[form]map[reflect.Type]fields {
	out := map[form]map[reflect.Type]fields{formV1: {}, formV1beta1: {}}
	for from, table := range out {
		addFields(table, reflect.TypeFor[CustomResourceDefinition](), from)
	}
	return out
})

// addFields adds the fields of a struct and of all structs in it.
func addFields(table map[reflect.Type]fields, t reflect.Type, from form) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if _, known := table[t]; known || t.Kind() != reflect.Struct {
		return
	}
	out := fields{}
	table[t] = out
	for i := range t.NumField() {
		f := t.Field(i)
		addFields(table, f.Type, from)
		name := nameOf(f, from)
		if outer, inner, ok := strings.Cut(name, "."); ok {
			if out[outer].nested == nil {
				out[outer] = member{nested: fields{}}
			}
			out[outer].nested[inner] = member{index: i, blank: f.Name == "_"}
		} else if name != "-" {
			out[name] = member{index: i, blank: f.Name == "_"}
		}
	}
}

// nameOf returns the name of a field in a document of a form, or "-".
func nameOf(f reflect.StructField, from form) string {
	key := "v1"
	if from == formV1beta1 {
		key = "v1beta1"
	}
	for _, key := range []string{key, "api"} {
		if name := f.Tag.Get(key); name != "" {
			return name
		}
	}
	return strings.ToLower(f.Name[:1]) + f.Name[1:]
}
