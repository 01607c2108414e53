package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge/apply"
)

// The whole pipeline: a definition is parsed once, and then answers for each
// object what a server would do with it.
func Example() {
	crd, err := os.ReadFile("examples/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd)
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	result := v.CreateBytes(context.Background(), []byte(`
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: my-cron}
spec:
  image: my-awesome-cron-image
  replicas: 15
  someRandomField: 42
`))
	fmt.Println(result.Stage)
	fmt.Println("pruned:", result.Pruned)
	fmt.Println("defaulted:", result.Defaulted)
	fmt.Println("warnings:", result.Warnings)
	for _, err := range result.Errors {
		fmt.Println("error:", err)
	}
	fmt.Println(result.Object["spec"])
	// Output:
	// invalid
	// pruned: [spec.someRandomField]
	// defaulted: [spec.cronSpec spec.foo]
	// warnings: [unknown field "spec.someRandomField"]
	// error: spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10
	// map[cronSpec:5 0 * * * foo:default image:my-awesome-cron-image replicas:15]
}

// An update is judged together with the stored object. Fields that did not
// change need not be valid.
func ExampleVersion_Update() {
	def, err := crdsem.Parse([]byte(`{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "shirts.example.com"},
		"spec": {
			"group": "example.com", "scope": "Namespaced", "names": {"plural": "shirts", "kind": "Shirt"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
				"type": "object",
				"properties": {"spec": {
					"type": "object",
					"properties": {"color": {"type": "string", "enum": ["blue", "green"]}, "size": {"type": "string"}},
					"x-kubernetes-validations": [{"rule": "self.size == oldSelf.size", "message": "the size is fixed"}]
				}}
			}}}]
		}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	shirt := func(color, size string) map[string]any {
		return map[string]any{
			"apiVersion": "example.com/v1", "kind": "Shirt", "metadata": map[string]any{"name": "mine", "resourceVersion": "7"},
			"spec": map[string]any{"color": color, "size": size},
		}
	}
	result := v.Update(context.Background(), shirt("red", "L"), shirt("red", "M"))
	fmt.Println("errors:", result.Errors)
	fmt.Println("ratcheted:", result.Ratcheted)
	// Output:
	// errors: [spec: Invalid value: the size is fixed]
	// ratcheted: [spec.color: Unsupported value: "red": supported values: "blue", "green"]
}

// The definitions of one project repeat each other. With a cache, their common
// parts are compiled and kept once.
func ExampleCache() {
	const text = `{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "%[1]ss.example.com"},
		"spec": {
			"group": "example.com", "scope": "Namespaced", "names": {"plural": "%[1]ss", "kind": "%[1]s"},
			"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
				"type": "object",
				"properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer", "maximum": 10}}}}
			}}}]
		}
	}`
	var cache crdsem.Cache
	for _, kind := range []string{"shirt", "shoe"} {
		def, err := crdsem.Parse(fmt.Appendf(nil, text, kind), crdsem.InCache(&cache))
		if err != nil {
			log.Fatal(err)
		}
		v, err := def.Version("v1")
		if err != nil {
			log.Fatal(err)
		}
		result := v.CreateBytes(context.Background(), fmt.Appendf(nil,
			`{"apiVersion": "example.com/v1", "kind": "%s", "metadata": {"name": "mine"}, "spec": {"size": 44}}`, kind))
		fmt.Println(kind, result.Errors)
	}
	cache.Drop() // no more definitions to come; those above keep what they use
	// Output:
	// shirt [spec.size: Invalid value: 44: spec.size in body should be less than or equal to 10]
	// shoe [spec.size: Invalid value: 44: spec.size in body should be less than or equal to 10]
}

// A patch is judged with what is stored. A null brings the default back.
func ExampleVersion_Patch() {
	crd, err := os.ReadFile("examples/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd)
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	stored := map[string]any{
		"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": map[string]any{"name": "my-cron", "resourceVersion": "7"},
		"spec": map[string]any{"cronSpec": "1 1 * * *", "foo": "bar", "image": "my-image", "replicas": int64(3)},
	}
	ctx := context.Background()
	result := v.Patch(ctx, []byte(`{"spec":{"cronSpec":null,"replicas":4}}`), crdsem.MergePatch, stored)
	fmt.Println(result.Stage, result.Object["spec"])
	result = v.Patch(ctx, []byte(`[{"op":"test","path":"/spec/replicas","value":4}]`), crdsem.JSONPatch, stored)
	refused, _ := errors.AsType[*crdsem.StatusError](result.Err())
	fmt.Println(refused.Code, refused.Reason, refused.Message)
	fmt.Println(errors.Unwrap(refused))
	// Output:
	// admitted map[cronSpec:5 0 * * * foo:bar image:my-image replicas:4]
	// 422 Invalid the server rejected our request due to an error in our request
	// operation 0 (test "/spec/replicas"): the value is another
}

// Every finding names the rule of the specification that the object breaks.
// `crdsem explain VAL-050` prints the rule.
func ExampleResult_Findings() {
	crd, err := os.ReadFile("examples/crontab/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd)
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	const head = `{"apiVersion": "stable.example.com/v1", "kind": "CronTab", "metadata": {"name": "c"},`
	result := v.CreateBytes(ctx, []byte(head+`"spec": {"cronSpec": "never", "replicas": 15}}`))
	for _, f := range result.Findings() {
		fmt.Println(f.Rule, f.Type, f.Field)
	}
	result = v.CreateBytes(ctx, []byte(head+`"spec": {"replica": 1}}`), crdsem.FieldValidation(crdsem.Strict))
	if status, ok := errors.AsType[*crdsem.StatusError](result.Err()); ok {
		fmt.Println(status.Rule, status.Reason)
	}
	// Output:
	// VAL-042 Invalid value spec.cronSpec
	// VAL-050 Invalid value spec.replicas
	// PIPE-006 BadRequest
}

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
	created := v.Create(ctx, machine(map[string]any{"replicas": int64(2)}))
	stored := v.Write(ctx, created.Object).Stored.Object
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
	created := v.Create(ctx, machine(map[string]any{"replicas": int64(2)}))
	stored := v.Write(ctx, created.Object).Stored.Object
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
	created := v1.Create(ctx, machine(map[string]any{"replicas": int64(2)}))
	stored := v1.Write(ctx, created.Object).Stored.Object
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

// pools returns the definition in examples/rules and its version v1.
func pools() (*crdsem.Definition, *crdsem.Version) {
	crd, err := os.ReadFile("examples/rules/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	def, err := crdsem.Parse(crd, apply.Server())
	if err != nil {
		log.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		log.Fatal(err)
	}
	return def, v
}

func pool(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": "Pool",
		"metadata": map[string]any{"name": "a", "namespace": "default"}, "spec": spec,
	}
}

// The error of a refused object is what the server answers.
func ExampleResult_Err() {
	object := pool(map[string]any{"replicas": int64(12)})
	_, v := pools()
	err := v.Create(context.Background(), object).Err()
	if status, ok := errors.AsType[*crdsem.StatusError](err); ok {
		fmt.Println(status.Code, status.Reason)
		for _, cause := range status.Causes {
			fmt.Printf("%s: %s\n", cause.Field, cause.Message)
		}
	}
	// Output:
	// 422 Invalid
	// spec.replicas: Invalid value: replicas must be between 1 and 10
}

// Explanations have the values of the terms of a rule that failed.
func ExampleExplainFailures() {
	object := pool(map[string]any{"replicas": int64(12)})
	_, v := pools()
	result := v.Create(context.Background(), object, crdsem.ExplainFailures())
	for _, failed := range result.Explanations {
		for _, term := range failed.Terms {
			fmt.Println(term.Text, "is", term.Value)
		}
	}
	// Output:
	// self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas is false
	// self.minReplicas <= self.replicas is true
	// self.minReplicas is 1
	// self.replicas is 12
	// self.replicas <= self.maxReplicas is false
	// self.replicas is 12
	// self.maxReplicas is 10
}

// RuleCosts says what each rule cost for this object.
func ExampleObserveCosts() {
	object := pool(map[string]any{"replicas": int64(3)})
	_, v := pools()
	result := v.Create(context.Background(), object, crdsem.ObserveCosts())
	for _, rule := range result.RuleCosts {
		fmt.Println(rule.Cost, rule.Rule)
	}
	fmt.Println("all rules:", result.Cost)
	// Output:
	// 10 self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas
	// all rules: 10
}

// A server-side apply keeps what other managers own, and refuses to change it.
func ExampleVersion_Apply() {
	_, v := pools()
	ctx := context.Background()
	live := v.Apply(ctx, pool(map[string]any{"replicas": int64(3)}), nil,
		crdsem.FieldManager("scaler")).Object
	config := pool(map[string]any{"replicas": int64(5)})
	fmt.Println(v.Apply(ctx, config, live, crdsem.FieldManager("deployer")).Err())
	forced := v.Apply(ctx, config, live, crdsem.FieldManager("deployer"), crdsem.Force())
	fmt.Println(forced.Err(), forced.Object["spec"].(map[string]any)["replicas"])
	// Output:
	// Apply failed with 1 conflict: conflict with "scaler": .spec.replicas
	// <nil> 5
}

// What is read again is what a client sent, with the defaults of the schema.
func ExampleDefinition_Store() {
	def, v := pools()
	ctx := context.Background()
	admitted := v.Create(ctx, pool(map[string]any{"replicas": int64(3)}))
	stored := def.Store(ctx, admitted.Object)
	read := v.Read(ctx, stored.Object)
	fmt.Println(read.Object["spec"])
	// Output:
	// map[class:standard maxReplicas:10 minReplicas:1 replicas:3]
}

// kubectl get crd -o yaml prints a list. Package manifest opens it.
func ExampleCompile() {
	file, err := os.Open("examples/rules/crd.yaml")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for doc, err := range manifest.ReadObjects(file.Name(), file) {
		if err != nil {
			log.Fatal(err)
		}
		object, _, err := doc.Object()
		if err != nil {
			log.Fatal(err)
		}
		crd, _, err := definition.FromMap(object)
		if err != nil {
			log.Fatal(err)
		}
		def, err := crdsem.Compile(crd)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(def.Model().Name())
	}
	// Output:
	// pools.example.com
}
