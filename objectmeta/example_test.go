package objectmeta_test

import (
	"fmt"
	"log"

	"github.com/crdsem/crdsem/objectmeta"
	"github.com/crdsem/crdsem/structural"
)

// An embedded resource keeps the metadata that every object has.
func ExampleCoerce() {
	schema, err := structural.Parse([]byte(`
type: object
properties:
  template:
    type: object
    x-kubernetes-embedded-resource: true
`))
	if err != nil {
		log.Fatal(err)
	}
	object := map[string]any{"template": map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "n", "note": "m"},
	}}
	changes, malformed := objectmeta.Coerce(object, schema)
	fmt.Println(structural.Paths(changes, structural.MetadataPruned), malformed)
	fmt.Println(object["template"].(map[string]any)["metadata"])
	// Output:
	// [template.metadata.note] <nil>
	// map[name:n]
}
