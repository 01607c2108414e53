package tables

import (
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// description returns a description, or the one of a field that it names with
// @.
func description(of schema.GroupVersionKind, text string) string {
	path, isField := strings.CutPrefix(text, "@")
	if !isField {
		return text
	}
	object, err := clientscheme.Scheme.New(of)
	if err != nil { // a definition: its metadata is as all
		object = &metav1.PartialObjectMetadata{}
	}
	at, found := reflect.TypeOf(object), ""
	for name := range strings.SplitSeq(path[1:], ".") {
		for at.Kind() != reflect.Struct {
			at = at.Elem()
		}
		if documented, ok := reflect.Zero(at).Interface().(interface {
			SwaggerDoc() map[string]string
		}); ok {
			found = documented.SwaggerDoc()[name]
		}
		at = fieldOf(at, name)
	}
	return found
}

// fieldOf returns the type of the field with a name in JSON.
func fieldOf(of reflect.Type, name string) reflect.Type {
	for _, field := range reflect.VisibleFields(of) {
		if jsonName, _, _ := strings.Cut(field.Tag.Get("json"), ","); jsonName == name {
			return field.Type
		}
	}
	return of
}
