package defaulting_test

import (
	"fmt"
	"log"

	"github.com/crdsem/crdsem/defaulting"
	"github.com/crdsem/crdsem/structural"
)

// The documented example of defaulting and nullable: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable.
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
	for _, change := range append(defaulting.DropNulls(spec, schema), defaulting.Default(spec, schema)...) {
		fmt.Println(change.Action, change.Path)
	}
	fmt.Println(spec)
	// Output:
	// NullDropped baz
	// Defaulted foo
	// map[bar:<nil> foo:default]
}
