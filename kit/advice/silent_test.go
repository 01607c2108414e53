package advice_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/kit/advice"
)

const silent = `
spec:
  versions:
  - name: v1
  - name: v2
    schema:
      openAPIV3Schema:
        typ: object
        properties:
          a:
            patern: b
            items:
              MaxLength: 3
              patern: b
              type: string
              not: {somewhere: 1}
              properties: {patern: {type: string}, b: {enums: []}}
          b: {allOf: [{items: {requird: []}}, {items: {items: {requird: []}}}]}
          c: {additionalProperties: {items: {default: {patern: 1}, x-foo: 1}}}
`

// Below items, a server drops unknown keywords without a warning.
func TestSilent(t *testing.T) {
	var document map[string]any
	if err := yaml.Unmarshal([]byte(silent), &document); err != nil {
		t.Fatal(err)
	}
	const (
		at      = "spec.versions[1].schema.openAPIV3Schema.properties"
		meant   = "? Below `items` the server drops it without a warning"
		nothing = "a schema has no such keyword; below `items` the server drops it " +
			"without a warning"
	)
	want := []string{
		at + "[a].items.MaxLength: did you mean `maxLength`? Below `items` the server does " +
			"not warn of this",
		at + "[a].items.patern: did you mean `pattern`" + meant,
		at + "[a].items.not.somewhere: " + nothing,
		at + "[a].items.properties[b].enums: did you mean `enum`" + meant,
		at + "[b].allOf[0].items.requird: did you mean `required`" + meant,
		at + "[b].allOf[1].items.items.requird: did you mean `required`" + meant,
		at + "[c].additionalProperties.items.x-foo: " + nothing,
	}
	d := &advice.Definition{Document: document}
	if diff := cmp.Diff(want, d.Silent(t.Context())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
