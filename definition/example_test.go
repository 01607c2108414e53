package definition_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/definition"
)

func Example() {
	crd, strict, err := definition.Decode([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, kind: CronTab, shortname: ct}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          replicas: {type: integer, default: two}
          hosts: {type: array}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strict)
	for _, err := range definition.Validate(context.Background(), crd.ForCreate()).Errors {
		fmt.Println(err.Field, err.Type)
	}
	// Output:
	// [unknown field "spec.names.shortname"]
	// spec.validation.openAPIV3Schema.properties[hosts].items Required value
}

func ExampleValidateUpdate() {
	text := `
metadata: {name: foos.example.com, resourceVersion: "1"}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions: [{name: %s, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	old, _, _ := definition.Decode(fmt.Appendf(nil, text, "v1"))
	crd, _, _ := definition.Decode(fmt.Appendf(nil, text, "v2"))
	result := definition.ValidateUpdate(context.Background(), crd.ForUpdate(old), old)
	for _, err := range result.Errors {
		fmt.Println(err.Field, err.BadValue)
	}
	// Output:
	// status.storedVersions[0] v1
}

func ExampleCompile() {
	crd, _, _ := definition.Decode([]byte(`
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
