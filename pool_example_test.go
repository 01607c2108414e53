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
	stored := v.Apply(ctx, pool(map[string]any{"replicas": int64(3)}), nil,
		crdsem.FieldManager("scaler")).Object
	config := pool(map[string]any{"replicas": int64(5)})
	fmt.Println(v.Apply(ctx, config, stored, crdsem.FieldManager("deployer")).Err())
	forced := v.Apply(ctx, config, stored, crdsem.FieldManager("deployer"), crdsem.Force())
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
