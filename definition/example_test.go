package definition_test

import (
	"fmt"

	"github.com/crdsem/crdsem/definition"
)

func ExampleCompile() {
	crd, _, _ := definition.Parse([]byte(`
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: foos, kind: Foo}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}
  - {name: v1beta1, deprecated: true, subresources: {status: {}}, schema: {openAPIV3Schema: {type: object}}}
`))
	model, err := definition.Compile(crd)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Group(), model.Names().ListKind, model.Scope(), model.StorageVersion().Name)
	for _, v := range model.Versions() {
		fmt.Println(v.Name, v.Served, v.Deprecated, v.HasStatus, v.Schema().PropertyNames())
	}
	// Output:
	// example.com FooList Cluster v1
	// v1 true false false [size]
	// v1beta1 false true true []
}
