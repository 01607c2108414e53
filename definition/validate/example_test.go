package validate_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
)

func Example() {
	crd, strict, err := definition.Parse([]byte(`
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
	for _, err := range validate.Create(context.Background(), crd.ForCreate()).Errors {
		fmt.Println(err.Field, err.Type)
	}
	// Output:
	// [unknown field "spec.names.shortname"]
	// spec.validation.openAPIV3Schema.properties[hosts].items Required value
}

func ExampleUpdate() {
	text := `
metadata: {name: foos.example.com, resourceVersion: "1"}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions: [{name: %s, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`
	old, _, _ := definition.Parse(fmt.Appendf(nil, text, "v1"))
	crd, _, _ := definition.Parse(fmt.Appendf(nil, text, "v2"))
	result := validate.Update(context.Background(), crd.ForUpdate(old), old)
	for _, err := range result.Errors {
		fmt.Println(err.Field, err.BadValue)
	}
	// Output:
	// status.storedVersions[0] v1
}
