package mutation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/app/mutation"
	"github.com/crdsem/crdsem/internal/test/crdcases"
)

// keywords has each keyword that is changed, and some that are not.
const keywords = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: as, singular: a, kind: A, listKind: AList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          code: {type: string, pattern: '^a', format: uuid, description: d}
          note: {type: string, format: of-nothing, default: b}
          word: {type: string, maxLength: 1, default: a}
          fixed: {type: string, enum: [a], default: a}
          one: {type: string, enum: [a, b], default: a}
          switch: {type: boolean, default: true}
          most: {type: integer, maximum: 3, default: 3}
          only: {type: integer, maximum: 3, minimum: 3, default: 3}
          share: {type: number, minimum: 0.5, default: 0.5}
          object: {type: object, default: {}}
          biggest: {type: integer, maximum: 9223372036854775807, minimum: -9223372036854775808}
          huge: {type: number, maximum: 1e300}
          empty: {type: array, default: [], items: {type: string}}
          none: {type: string, nullable: true, default: null}
          exact: {type: string, maxLength: 1, minLength: 1, pattern: '^a$', default: a}
          set: {type: array, x-kubernetes-list-type: set, minItems: 0, items: {type: string}}
          atomic: {type: array, x-kubernetes-list-type: atomic, items: {type: string}}
          list:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [name]
            items:
              type: object
              required: [name]
              properties: {name: {type: string, minLength: 1}}
          map: {type: object, additionalProperties: {type: integer, minimum: 2}}
          port:
            x-kubernetes-int-or-string: true
            anyOf: [{type: integer}, {type: string}]
          size:
            x-kubernetes-int-or-string: true
            allOf: [{anyOf: [{type: integer}, {type: string}]}, {maxLength: 3}]
          either:
            type: integer
            anyOf: [{minimum: 1}, {maximum: 0}]
            allOf: [{maximum: 10}]
            oneOf: [{minimum: 2}, {maximum: -2}]
            not: {minimum: 5}
`

// changes are those that the documentation of Run lists, in the order of the
// schema. A server refuses others, e.g. a bound that excludes the default, or a
// list-map with a key that is not required.
const changes = `
code] pattern ^a is dropped (visited)
code] format uuid is dropped (visited)
either].allOf[0] maximum 10 is 11
either].allOf[0] maximum 10 is 9
either].anyOf[0] minimum 1 is 2
either].anyOf[0] minimum 1 is 0
either].anyOf[1] maximum 0 is 1
either].anyOf[1] maximum 0 is -1
either].oneOf[0] minimum 2 is 3
either].oneOf[0] minimum 2 is 1
either].oneOf[1] maximum -2 is -1
either].oneOf[1] maximum -2 is -3
either].not minimum 5 is 6
either].not minimum 5 is 4
empty] default [] is dropped (visited)
exact] maxLength 1 is 2 (visited)
exact] minLength 1 is 0 (visited)
exact] pattern ^a$ is dropped (visited)
exact] default "a" is dropped (visited)
fixed] enum lacks "a" (visited)
fixed] default "a" is dropped (visited)
list] x-kubernetes-list-type map is dropped
list].items.properties[name] minLength 1 is 2
list].items.properties[name] minLength 1 is 0
map].additionalProperties minimum 2 is 3 (visited)
map].additionalProperties minimum 2 is 1 (visited)
most] maximum 3 is 4 (visited)
most] default 3 is 2 (visited)
none] default null is dropped (visited)
note] default "b" is "bx" (visited)
object] default {} is dropped (visited)
one] enum lacks "b" (visited)
one] default "a" is "b" (visited)
only] maximum 3 is 4 (visited)
only] minimum 3 is 2 (visited)
only] default 3 is dropped (visited)
set] minItems 0 is 1 (visited)
set] x-kubernetes-list-type set is dropped (visited)
share] minimum 0.5 is -0.5 (visited)
share] default 0.5 is 1.5 (visited)
size].allOf[1] maxLength 3 is 4
size].allOf[1] maxLength 3 is 2
switch] default true is false (visited)
word] maxLength 1 is 2 (visited)
word] default "a" is "x" (visited)
`

// Errors that the definition itself has do not matter.
func TestKeywords(t *testing.T) {
	wrong := strings.Replace(keywords, "listKind: AList",
		"listKind: AList, shortNames: [A, B, C, D, E, F, G, H]", 1)
	for _, text := range []string{keywords, wrong} {
		checkKeywords(t, text)
	}
}

func checkKeywords(t *testing.T, text string) {
	t.Helper()
	crd := crdcases.Write(t, t.TempDir(), "crd.yaml", text)
	_, suites := crdcases.Suite(t, crd, "- name: a\n"+
		"  create: {apiVersion: example.com/v1, kind: A, code: x, set: [], map: {a: 2}}\n"+
		"  want: {error: code}\n"+
		"- name: b\n  create: {apiVersion: example.com/v1, kind: A, map: {a: 2}}\n")
	report, err := mutation.Run(t.Context(), nil, suites)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range report.Mutants {
		text := strings.TrimPrefix(m.Path, "openAPIV3Schema.properties[") + " " + m.Change
		if m.Visited {
			text += " (visited)"
		}
		got = append(got, text)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSpace(changes), "\n"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
