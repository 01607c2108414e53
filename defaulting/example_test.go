package defaulting_test

import (
	"fmt"
	"log"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/structural"
)

// The documented example of defaulting and nullable:
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable.
func ExampleDefault() {
	schema, err := structural.Parse([]byte(`{
		"type": "object",
		"properties": {
			"foo": {"type": "string", "nullable": false, "default": "default"},
			"bar": {"type": "string", "nullable": true},
			"baz": {"type": "string"}
		}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	spec := map[string]any{"foo": nil, "bar": nil, "baz": nil}
	for _, change := range defaulting.DropNulls(spec, schema) {
		fmt.Println("a null was dropped:", change.Path)
	}
	for _, change := range defaulting.Default(spec, schema) {
		fmt.Println("a default was filled in:", change.Path)
	}
	fmt.Println(spec)
	// Output:
	// a null was dropped: baz
	// a default was filled in: foo
	// map[bar:<nil> foo:default]
}
