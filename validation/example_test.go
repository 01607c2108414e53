package validation_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

func exampleValidator() *validation.Validator {
	schema, err := structural.Parse([]byte(`{
		"type": "object",
		"properties": {"spec": {
			"type": "object",
			"required": ["image"],
			"properties": {
				"image":    {"type": "string"},
				"replicas": {"type": "integer", "minimum": 0},
				"ports":    {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}}
			}
		}}
	}`))
	if err != nil {
		panic(err)
	}
	return validation.Compile(schema)
}

func Example() {
	v := exampleValidator()
	object := map[string]any{
		"spec": map[string]any{"replicas": int64(-1), "ports": []any{int64(80), int64(80)}},
	}
	for _, err := range v.Validate(context.Background(), object) {
		fmt.Println(err)
	}
	// Output:
	// spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0
	// spec.image: Required value
	// spec.ports[1]: Duplicate value: 80
}

// A value that did not change does not make an update fail.
func ExampleValidator_ValidateUpdate() {
	v := exampleValidator()
	old := map[string]any{"spec": map[string]any{"image": "a", "replicas": int64(-1)}}
	object := map[string]any{"spec": map[string]any{"image": int64(2), "replicas": int64(-1)}}
	errs, ratcheted := v.ValidateUpdate(context.Background(), object, old)
	fmt.Println("errors:", errs)
	fmt.Println("ratcheted:", ratcheted)
	// Output:
	// errors: [spec.image: Invalid value: "integer": spec.image in body must be of type string: "integer"]
	// ratcheted: [spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0]
}
