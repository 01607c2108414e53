package prune_test

import (
	"fmt"
	"log"

	"github.com/crdsem/crdsem/prune"
	"github.com/crdsem/crdsem/structural"
)

func ExampleResource() {
	schema, err := structural.Parse([]byte(`{
		"type": "object",
		"properties": {"spec": {"type": "object", "properties": {"cronSpec": {"type": "string"}}}}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	object := map[string]any{
		"apiVersion": "stable.example.com/v1",
		"kind":       "CronTab",
		"metadata":   map[string]any{"name": "my-cron"},
		"spec":       map[string]any{"cronSpec": "* * * * */5", "someRandomField": int64(42)},
	}
	for _, change := range prune.Resource(object, schema) {
		fmt.Printf("%s (not in %s)\n", change.Path, change.Schema)
	}
	fmt.Println(object["spec"])
	// Output:
	// spec.someRandomField (not in openAPIV3Schema.properties[spec])
	// map[cronSpec:* * * * */5]
}
