package advice_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
	"github.com/crdsem/crdsem/kit/advice"
)

const books = `
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
          genre: {type: string, enum: [fiction, science]}
`

func ExampleObject_Hint() {
	def, _ := crdsem.Parse([]byte(books))
	v1, _ := def.Version("v1")
	object := map[string]any{
		"apiVersion": "example.org/v1", "kind": "Book",
		"metadata": map[string]any{"name": "emma"}, "genre": "ficton",
	}
	result := v1.Create(context.Background(), object)
	h := advice.Object{Schema: v1.Schema(), Object: object, Explanations: result.Explanations}
	fmt.Println(h.Hint(context.Background(), result.Errors[0]))
	// Output:
	// did you mean `fiction`?
}

func ExampleDefinition_Hint() {
	document := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "book.example.org"},
		"spec": map[string]any{
			"group": "example.org", "scope": "Cluster",
			"names": map[string]any{"plural": "books", "kind": "Book"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}},
			}},
		},
	}
	crd, _, _ := definition.FromMap(document)
	h := advice.Definition{Document: document}
	for _, err := range validate.Create(context.Background(), crd.ForCreate()).Errors {
		hint, _, _ := strings.Cut(h.Hint(context.Background(), err), ", ")
		fmt.Println(hint)
	}
	// Output:
	// name the definition `books.example.org`
}

// A refusal before validation is a text.
func ExampleObject_Warning() {
	def, _ := crdsem.Parse([]byte(books))
	v1, _ := def.Version("v1")
	book := func(resourceVersion string) map[string]any {
		return map[string]any{
			"apiVersion": "example.org/v1", "kind": "Book", "genre": "fiction",
			"metadata": map[string]any{"name": "emma", "resourceVersion": resourceVersion},
		}
	}
	result := v1.Update(
		context.Background(), book("6"), book("7"),
		crdsem.Concurrency(crdsem.RequireResourceVersion))
	h := advice.Object{Schema: v1.Schema()}
	hint, _, _ := strings.Cut(h.Warning(context.Background(), result.Err().Error()), ";")
	fmt.Println(hint)
	// Output:
	// somebody changed the object since it was read
}
