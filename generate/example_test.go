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

// A fuzz target makes its objects from the bytes that the fuzzer changes, and makes what it finds small before it tells.
func ExampleFromBytes() {
	schema := map[string]any{"type": "object", "properties": map[string]any{
		"size":  map[string]any{"type": "integer", "minimum": int64(1)},
		"names": map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	}}
	broken := func(v any) bool { // what the target looks for
		object, _ := v.(map[string]any)
		names, _ := object["names"].([]any)
		return len(names) > 0
	}
	target := func(data []byte) { // f.Fuzz(func(t *testing.T, data []byte) { ... })
		if object := generate.Object(generate.FromBytes(data), schema); broken(object) {
			fmt.Printf("%q\n", generate.Shrink(object, broken))
		}
	}
	target([]byte("seed 001 and choices"))
	// Output:
	// map["names":[""]]
}

func ExampleResources_Update() {
	resources, err := generate.NewResources(map[string]any{"type": "object", "properties": map[string]any{
		"size": map[string]any{"type": "integer", "x-kubernetes-validations": []any{map[string]any{"rule": "self == oldSelf"}}},
	}}, generate.Identity{Group: "example.com", Version: "v1", Kind: "Widget"})
	if err != nil {
		fmt.Println(err)
		return
	}
	old := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a"}, "size": int64(3)}
	_, err = resources.Update(generate.New(1), old)
	fmt.Println("an update:", err)
	changed, broken, err := resources.BrokenUpdate(generate.New(1), old, "x-kubernetes-validations")
	fmt.Println(broken.Path, broken.Keyword, broken.Rule, err, changed["size"] == old["size"])
	// Output:
	// an update: <nil>
	// size x-kubernetes-validations self == oldSelf <nil> false
}
