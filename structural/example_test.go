package structural_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

func ExampleValidate() {
	schema, err := structural.Parse([]byte(`
type: object
properties:
  ports:
    type: array
anyOf:
- properties:
    name: {type: string}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, violation := range structural.Validate(schema, field.NewPath("openAPIV3Schema")) {
		fmt.Println(violation)
	}
	// Output:
	// openAPIV3Schema.anyOf[0].properties[name].type: Forbidden: must be empty to be structural
	// openAPIV3Schema.properties[name]: Required value: because it is defined in openAPIV3Schema.anyOf[0].properties[name]
	// openAPIV3Schema.properties[ports].items: Required value: must be specified
}
