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
	object, ok := resources.Valid(generate.New(1))
	fmt.Println(ok, object["apiVersion"], object["kind"])
	_, broken, ok := resources.Broken(generate.New(1))
	fmt.Println(ok, broken.Path)
	// Output:
	// true example.com/v1 Widget
	// true size
}
