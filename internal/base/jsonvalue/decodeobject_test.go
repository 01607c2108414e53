package jsonvalue_test

import (
	"testing"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// Documents that are no object are errors, in JSON and in YAML.
func TestDecodeObjectWantsAnObject(t *testing.T) {
	for _, text := range []string{"[1]", `"a"`, "- a\n", "5", "null"} {
		if object, _, err := jsonvalue.DecodeObject([]byte(text)); err == nil || object != nil {
			t.Errorf("%q is read as %v", text, object)
		}
	}
	object, _, err := jsonvalue.DecodeObject([]byte(`{"a":1}`))
	if err != nil || object["a"] != int64(1) {
		t.Errorf("an object: %v %v", object, err)
	}
}
