package crdsem_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crdsem/crdsem"
)

// machines returns a definition with two versions and both subresources.
func machines() (*crdsem.Definition, *crdsem.Version) {
	def, err := crdsem.Parse([]byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: machines.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: machines, singular: machine, kind: Machine, listKind: MachineList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              image: {type: string, default: debian}
              replicas: {type: integer, minimum: 0, maximum: 9}
          status:
            type: object
            properties:
              replicas: {type: integer}
              phase: {type: string, enum: [Ready, Failed]}
  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              image: {type: string}
              zone: {type: string, default: a}
`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	return def, v
}

func machine(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "Machine",
		"metadata": map[string]any{"name": "a", "namespace": "default"}, "spec": spec,
	}
}

// A create fills in defaults, removes unknown fields and validates the rest.
func ExampleVersion_Create() {
	_, v := machines()
	result := v.Create(context.Background(), machine(map[string]any{"replica": int64(2)}))
	fmt.Println(result.Err(), result.Object["spec"])
	fmt.Println(result.Pruned, result.Defaulted)
	fmt.Println(result.Warnings)

	result = v.Create(context.Background(), machine(map[string]any{"replicas": int64(10)}))
	fmt.Println(result.Errors)
	// Output:
	// <nil> map[image:debian]
	// [spec.replica] [spec.image]
	// [unknown field "spec.replica"]
	// [spec.replicas: Invalid value: 10: spec.replicas in body should be less than or equal to 9]
}

// The body of a request is YAML or JSON. Strict refuses unknown fields.
func ExampleVersion_CreateBytes() {
	_, v := machines()
	body := []byte(`{"apiVersion": "example.com/v1", "kind": "Machine",
		"metadata": {"name": "a"}, "spec": {"replica": 2}}`)
	result := v.CreateBytes(context.Background(), body, crdsem.FieldValidation(crdsem.Strict))
	fmt.Println(result.Err())
	// Output:
	// Machine in version "v1" cannot be handled as a Machine: strict decoding error: unknown field "spec.replica"
}

// An update of the status changes nothing else, and validates only the status.
func ExampleVersion_UpdateStatus() {
	ctx := context.Background()
	_, v := machines()
	stored := v.Create(ctx, machine(map[string]any{"replicas": int64(2)})).Object
	changed := machine(map[string]any{"replicas": int64(10)})
	changed["status"] = map[string]any{"phase": "Ready"}
	result := v.UpdateStatus(ctx, changed, stored)
	fmt.Println(result.Err(), result.Object["spec"], result.Object["status"])

	changed["status"] = map[string]any{"phase": "Gone"}
	fmt.Println(v.UpdateStatus(ctx, changed, stored).Errors)
	// Output:
	// <nil> map[image:debian replicas:2] map[phase:Ready]
	// [status.phase: Unsupported value: "Gone": supported values: "Ready", "Failed"]
}

// An update of the scale writes the replicas into the object.
func ExampleVersion_UpdateScale() {
	ctx := context.Background()
	_, v := machines()
	stored := v.Create(ctx, machine(map[string]any{"replicas": int64(2)})).Object
	scale, err := v.Scale(ctx, stored)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("replicas:", scale.Replicas)
	scale.Replicas = 5
	result := v.UpdateScale(ctx, stored, *scale)
	fmt.Println(result.Err(), result.Object["spec"])
	// Output:
	// replicas: 2
	// <nil> map[image:debian replicas:5]
}

// A stored object is read in another version: its stored version fills in
// defaults, then it is converted and pruned.
func ExampleVersion_Read() {
	ctx := context.Background()
	def, v1 := machines()
	stored := v1.Create(ctx, machine(map[string]any{"replicas": int64(2)})).Object
	v2, err := def.Version("v2")
	if err != nil {
		log.Fatal(err)
	}
	result := v2.Read(ctx, stored)
	fmt.Println(result.Err(), result.Object["apiVersion"], result.Object["spec"])
	// Output:
	// <nil> example.com/v2 map[image:debian]
}

// The conversion strategy None changes the apiVersion only.
func ExampleDefinition_Convert() {
	def, _ := machines()
	object, err := def.Convert(context.Background(),
		machine(map[string]any{"replicas": int64(2)}), "example.com/v2")
	fmt.Println(object["apiVersion"], object["spec"], err)
	// Output:
	// example.com/v2 map[replicas:2] <nil>
}
