package crd

import "reflect"

// SemanticEqual tells whether two values of this package's types say the same: nil and empty lists and maps are alike, numbers of
// different Go types are not.
func SemanticEqual[T any](a, b T) bool {
	return alike(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
}

func alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return true
		}
		a, b = a.Elem(), b.Elem()
		return a.Type() == b.Type() && alike(a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		return alikeLists(a, b)
	case reflect.Map:
		return alikeMaps(a, b)
	default:
		return a.Equal(b)
	}
}

func alikeLists(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !alike(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func alikeMaps(a, b reflect.Value) bool {
	if a.Len() != b.Len() {
		return false
	}
	for entries := a.MapRange(); entries.Next(); {
		other := b.MapIndex(entries.Key())
		if !other.IsValid() || !alike(entries.Value(), other) {
			return false
		}
	}
	return true
}
