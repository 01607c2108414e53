package evaluator

import (
	"strings"
	"testing"

	"github.com/crdsem/crdsem/internal/app/protocol"
)

// Errors and unknown fields have their places in the texts of a request, if
// they are asked for.
func TestPositions(t *testing.T) {
	const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, kind: Foo}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            a: {type: integer, maximum: 3}
`
	for _, c := range []struct {
		name string
		req  protocol.Request
		want []string
	}{
		{"object", protocol.Request{
			Op: "admit", CRD: protocol.TextInput(crd), Version: "v1", Positions: true,
			Object: protocol.TextInput("kind: Foo\napiVersion: example.com/v1\n" +
				"metadata: {name: x}\na: 7\nb: 1\n"),
		}, []string{`"position":{"line":4,"column":4}`,
			`"unknown":[{"field":"b","position":{"line":5,"column":1}}]`}},
		{"object that does not decode", protocol.Request{
			Op: "admit", CRD: protocol.TextInput(crd), Version: "v1", Positions: true,
			Object: protocol.TextInput("a: 1\nb: [\n"),
		}, []string{`"stage":"decode"`, `"position":{"line":3,`}},
		{"definition", protocol.Request{
			Op: "crd", Positions: true,
			CRD: protocol.TextInput(strings.Replace(crd, "type: integer, ", "", 1)),
		}, []string{`"position":{"line":16,"column":13}`}},
		{"not asked for", protocol.Request{
			Op: "crd", CRD: protocol.TextInput(strings.Replace(crd, "type: integer, ", "", 1)),
		}, nil},
	} {
		result, err := New()(t.Context(), &c.req)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		line := string((&protocol.Answer{ID: "1", Result: result}).AppendJSON(nil))
		for _, want := range c.want {
			if !strings.Contains(line, want) {
				t.Errorf("%s: %s is not in %s", c.name, want, line)
			}
		}
		if c.want == nil && strings.Contains(line, "position") {
			t.Errorf("%s: got %s", c.name, line)
		}
	}
}
