package openapi_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/structural/openapi"
)

// A server publishes the schema of a version with what every object has.
func ExamplePublishV3() {
	schema, err := structural.Parse([]byte(`{"type": "object", "properties": {"spec": {"type": "object",
		"properties": {"replicas": {"type": "integer", "default": 1}}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	published := openapi.PublishV3(schema, openapi.Kind{
		Group: "example.com", Version: "v1", Kind: "Widget",
	})
	spec, err := json.Marshal(published.Properties["spec"])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(spec))
	_, hasKind := published.Properties["kind"]
	fmt.Println("kind:", hasKind)
	// Output:
	// {"type":"object","properties":{"replicas":{"type":"integer","default":1}}}
	// kind: true
}
