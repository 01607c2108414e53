package generate_test

import (
	"fmt"

	"github.com/crdsem/crdsem/generate"
)

func ExampleResources_Broken() {
	resources, err := generate.ParseResources([]byte(`
spec:
  group: example.com
  names: {kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [size]
        properties:
          size: {enum: [small, large], type: string}
`), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	object, err := resources.Valid(generate.New(1))
	fmt.Println(object["apiVersion"], object["kind"], err)
	_, broken, err := resources.Broken(generate.New(1), "enum")
	fmt.Println(broken.Path, string(broken.Type), err)
	// Output:
	// example.com/v1 Widget <nil>
	// size FieldValueNotSupported <nil>
}
