package generate_test

import (
	"fmt"

	"github.com/crdsem/crdsem/kit/generate"
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
	object, err := resources.Valid(generate.NewRand(1))
	fmt.Println(object["apiVersion"], object["kind"], err)
	_, broken, err := resources.Broken(generate.NewRand(1), "enum")
	fmt.Println(broken.Path, string(broken.Type), err)
	// Output:
	// example.com/v1 Widget <nil>
	// size FieldValueNotSupported <nil>
}

func ExampleResources_Update() {
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
        properties:
          size: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}
`), "v1")
	if err != nil {
		fmt.Println(err)
		return
	}
	old := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "a"}, "size": int64(3),
	}
	r := generate.NewRand(1)
	_, err = resources.Update(r, old)
	fmt.Println("an update:", err)
	changed, broken, err := resources.BrokenUpdate(r, old, "x-kubernetes-validations")
	fmt.Println(broken.Path, broken.Keyword, broken.Rule, err, changed["size"] == old["size"])
	// Output:
	// an update: <nil>
	// size x-kubernetes-validations self == oldSelf <nil> false
}
