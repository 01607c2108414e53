package lint_test

import (
	"context"
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/kit/advice/lint"
)

func ExampleDefinition() {
	text := []byte(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: books.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: books, kind: Book}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          isbn: {type: string, pattern: '[0-9]{13}-^[A-Z]$'}
`)
	def, err := crdsem.Parse(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	var document map[string]any
	if err := yaml.Unmarshal(text, &document); err != nil {
		fmt.Println(err)
		return
	}
	found, err := lint.Definition(context.Background(), def.Model(), document)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range found {
		fmt.Println(f.Check, f.Path)
	}
	// Output:
	// LINT-pattern spec.versions[0].schema.openAPIV3Schema.properties[isbn].pattern
}
