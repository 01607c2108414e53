package definition_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/definition/validate"
)

// The old definition of a revision is the stored one with its status. Without
// conditions it is taken to be established.
func TestRevise(t *testing.T) {
	const (
		established = "conditions: [{type: Established, status: 'True'}], storedVersions: [v1]"
		refused     = "conditions: [{type: Established, status: 'False'}], storedVersions: [v1]"
		both        = "conditions: [{type: Established, status: 'True'}], " +
			"storedVersions: [v1alpha1, v1]"
	)
	scope := "spec.scope: Invalid value: \"Cluster\": field is immutable"
	kind := "spec.names.kind: Invalid value: \"Bar\": field is immutable"
	for _, c := range []struct {
		name, status, was, is string
		want                  []string
	}{
		{"another scope", established, "Namespaced", "Cluster", []string{scope}},
		{"another scope, not established", refused, "Namespaced", "Cluster", nil},
		{"another scope, no status", "", "Namespaced", "Cluster", []string{scope}},
		{"another kind", established, "Foo", "Bar", []string{kind}},
		{"another kind, stored versions without conditions", "storedVersions: [v1]", "Foo", "Bar", []string{kind}},
		{"a version less", both, "{name: v1alpha1", "{name: v1beta1", []string{
			"status.storedVersions[0]: Invalid value: \"v1alpha1\": missing from spec.versions; v1alpha1 was previously a storage version, " +
				"and must remain in spec.versions until a storage migration ensures no data remains persisted in v1alpha1 and removes v1alpha1 from status.storedVersions",
		}},
		{"a version less that is not stored", established, "{name: v1alpha1", "{name: v1beta1", nil},
		{"another storage version, no status", "", "{name: v1,", "{name: v2,", []string{
			"status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was previously a storage version, " +
				"and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(stored, c.status)
			old := decode(t, []byte(text))
			if has := old.HasConditions(); has != strings.Contains(c.status, "conditions") {
				t.Errorf("HasConditions is %t", has)
			}
			revised := decode(t, []byte(strings.Replace(text, c.was, c.is, 1)))
			before, update := definition.Revise(old, revised)
			var got []string
			for _, err := range validate.Update(t.Context(), update, before).Errors {
				got = append(got, err.Error())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// stored is a definition with a status.
const stored = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: foos, singular: foo, kind: Foo, listKind: FooList}
  versions:
  - {name: v1alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
status: {%s}
`

// A definition without metadata can be revised, even if nothing changes.
func TestReviseWithoutMetadata(t *testing.T) {
	const text = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"group":"g.io"}}`
	before, update := definition.Revise(decode(t, []byte(text)), decode(t, []byte(text)))
	if before.Name() != "" || update.Name() != "" {
		t.Errorf("names %q and %q", before.Name(), update.Name())
	}
}
