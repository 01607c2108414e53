package manifest_test

import (
	"fmt"

	"github.com/crdsem/crdsem/kit/manifest"
)

// A tool reads all objects of a folder, with the places of their fields.
func ExampleObjects() {
	sources := manifest.Find([]string{"../../examples/crontab"}, nil)
	for object, err := range manifest.Objects(sources) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		if manifest.IsDefinition(object.Content) {
			continue
		}
		fmt.Println(object.Find("spec.replicas").Value)
	}
	// Output:
	// ../../examples/crontab/objects.yaml:6:1
	// ../../examples/crontab/objects.yaml:16:1
	// ../../examples/crontab/objects.yaml:26:13
	// ../../examples/crontab/refused.yaml:9:13
}
