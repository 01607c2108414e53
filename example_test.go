package crdsem_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/crdsem/crdsem"
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
