package builtin_test

import (
	"context"
	"fmt"
	"log"

	"github.com/crdsem/crdsem/kit/builtin"
	"github.com/crdsem/crdsem/kit/manifest"
)

// A tool finds misspelled fields of a Deployment.
func Example() {
	object := map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": "web"},
		"spec": map[string]any{
			"replica":  int64(3),
			"selector": map[string]any{"matchLabels": map[string]any{"app": "web"}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": "web"}},
				"spec": map[string]any{
					"containers": []any{map[string]any{"name": "web", "image": "nginx"}},
				},
			},
		},
	}
	kind, err := builtin.Find(manifest.TypeOf(object), "1.37")
	if err != nil {
		log.Fatal(err)
	}
	result := kind.Validate(context.Background(), object)
	fmt.Println(result.Unknown, result.Errors)
	// Output:
	// [spec.replica] []
}
