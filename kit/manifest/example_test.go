package manifest_test

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/manifest"
)

// The second document has two places that are worth a message.
func Example() {
	const text = `apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: a}
---
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: b}
spec:
  replicas: many
`
	replicas := field.NewPath("spec", "replicas")
	for doc, err := range manifest.Read("crontabs.yaml", strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(doc.Start())
		fmt.Println(doc.Locate(field.Invalid(replicas, "many", "must be an integer")))
		fmt.Println(doc.Locate(field.Required(field.NewPath("spec", "image"), "")))
	}
	// Output:
	// crontabs.yaml:1:1
	// crontabs.yaml:1:1
	// crontabs.yaml:1:1
	// crontabs.yaml:5:1
	// crontabs.yaml:9:13
	// crontabs.yaml:8:1
}

// The items of a list are documents, with positions in the list.
func ExampleDocument_Items() {
	const text = `kind: List
items:
- kind: CronTab
  metadata: {name: a}
- kind: CronTab
  metadata: {name: b}
`
	for doc, err := range manifest.Read("list.yaml", strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		object, strict, err := doc.Object()
		if err != nil {
			fmt.Println(err)
			continue
		}
		items, _, _ := doc.Items(object, strict)
		for _, item := range items {
			fmt.Println(item.Item, item.Find("metadata.name").Value)
		}
	}
	// Output:
	// items[0] list.yaml:4:20
	// items[1] list.yaml:6:20
}

// A position within a string leads into a rule of CEL, wherever it stands.
func ExamplePlace_Within() {
	const text = `rule: |
  self.min <= self.max &&
  self.name != 'x'
`
	for doc, err := range manifest.Read("rule.yaml", strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(doc.Find("rule").Within(2, 6))
	}
	// Output: rule.yaml:3:8
}
