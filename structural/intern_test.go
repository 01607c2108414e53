package structural

import (
	"reflect"
	"testing"
)

// A node with any one keyword that restricts values differs from a node without
// keywords.
func TestEveryKeywordIsInTheKey(t *testing.T) {
	fields := reflect.TypeFor[ValueValidation]()
	for i := range fields.NumField() {
		t.Run(fields.Field(i).Name, func(t *testing.T) {
			v := &ValueValidation{}
			fill(reflect.ValueOf(v).Elem().Field(i))
			b := newBuilder()
			plain, restricted := b.intern(&keywords{}), b.intern(&keywords{values: v})
			if plain == restricted || !reflect.DeepEqual(restricted.Values(), v) {
				t.Errorf("got %+v", restricted.Values())
			}
			if again := b.intern(&keywords{values: restricted.Values()}); again != restricted {
				t.Error("an identical node is a second value")
			}
		})
	}
}

// fill sets a field to a value that is not its zero value.
func fill(field reflect.Value) {
	switch field.Kind() {
	case reflect.String:
		field.SetString("x")
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
	case reflect.Slice:
		field.Set(reflect.MakeSlice(field.Type(), 1, 1))
	}
}
