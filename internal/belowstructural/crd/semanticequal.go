package crd

import "reflect"

// SemanticEqual reports whether two values of this package's types are equal,
// where nil and empty lists and maps count as equal. Numbers of different Go
// types differ: the default 1 is not the default 1.0. It is apimachinery's
// equality.Semantic.DeepEqual for these types.
func SemanticEqual[T any](a, b T) bool {
	return equalValues(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

func equalValues(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return true
		}
		a, b = a.Elem(), b.Elem()
		return a.Type() == b.Type() && equalValues(a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if !equalValues(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return equalLists(a, b)
	case reflect.Map:
		return equalMaps(a, b)
	default:
		return a.Equal(b)
	}
}

func equalLists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !equalValues(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func equalMaps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for entries := a.MapRange(); entries.Next(); {
		other := b.MapIndex(entries.Key())
		if !other.IsValid() || !equalValues(entries.Value(), other) {
			return false
		}
	}
	return true
}
