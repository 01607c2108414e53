package generate_test

import (
	"fmt"

	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/structural"
)

// A fuzz target makes its objects from the bytes that the fuzzer changes, and
// makes an object that it found small before it reports it.
func ExampleFromBytes() {
	schema, err := structural.Parse([]byte(`
type: object
properties:
  size: {type: integer, minimum: 1}
  names: {type: array, items: {type: string}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	interesting := func(v any) bool { // what the target looks for
		object, _ := v.(map[string]any)
		names, _ := object["names"].([]any)
		return len(names) > 0
	}
	target := func(data []byte) { // f.Fuzz(func(t *testing.T, data []byte) { ... })
		object := generate.Object(generate.FromBytes(data), schema)
		if interesting(object) {
			fmt.Printf("%q\n", generate.Shrink(object, interesting))
		}
	}
	target([]byte("seed 001 and choices"))
	// Output:
	// map["names":[""]]
}

// The same seed makes the same object, and the same breakage.
func ExampleBroken() {
	schema, err := structural.Parse([]byte(`
type: object
required: [size]
properties:
  size: {type: string, enum: [small, large]}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	object, broken, ok := generate.Broken(generate.NewRand(1), schema)
	fmt.Println(object, broken.Path, broken.Keyword, ok)
	// Output:
	// map[size:none of these] size enum true
}
