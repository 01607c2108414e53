// Package requests provides what the tests of the facade have in common: a
// definition, objects of it, and results as text.
package requests

import (
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// DefinitionText is a definition with two served versions: v1 is stored and has
// both subresources, v1beta1 is deprecated. v2 is not served.
const DefinitionText = `{
	"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "ks.g.io"},
	"spec": {
		"group": "g.io", "scope": "Namespaced", "names": {"plural": "ks", "kind": "K"},
		"versions": [
			{"name": "v1", "served": true, "storage": true,
				"subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}},
				"schema": {"openAPIV3Schema": {"type": "object", "required": ["spec"], "properties": {
					"spec": {"type": "object", "properties": {"replicas": {"type": "integer"}, "a": {"type": "string", "maxLength": 3, "default": "d"}, "o": {"type": "object"}},
						"x-kubernetes-validations": [{"rule": "!has(self.replicas) || self.replicas < 100"}]},
					"status": {"type": "object", "properties": {"replicas": {"type": "integer"}, "selector": {"type": "string"}, "phase": {"type": "string", "enum": ["Ready"]}}}
				}}}},
			{"name": "v1beta1", "served": true, "storage": false, "deprecated": true,
				"schema": {"openAPIV3Schema": {"type": "object", "properties": {
					"spec": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string", "default": "only in v1beta1"}}}}}}},
			{"name": "v2", "served": false, "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}}
		]
	}
}`

// Parse parses a definition.
func Parse(t testing.TB, text string) *crdsem.Definition {
	t.Helper()
	def, err := crdsem.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return def
}

// Version returns a version of the definition DefinitionText.
func Version(t testing.TB, name string) *crdsem.Version {
	t.Helper()
	v, err := Parse(t, DefinitionText).Version(name)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Object decodes an object.
func Object(t testing.TB, text string) map[string]any {
	t.Helper()
	out, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Lines returns what a result says, in one line each.
func Lines(r *crdsem.Result) []string {
	var out []string
	if r.Stage != crdsem.StageInvalid && r.Err() != nil {
		out = append(out, "refused: "+r.Err().Error())
	}
	for _, err := range r.Errors {
		out = append(out, "error: "+err.Error())
	}
	for _, err := range r.Ratcheted {
		out = append(out, "ratcheted: "+err.Error())
	}
	for _, warning := range r.Warnings {
		out = append(out, "warning: "+warning)
	}
	return out
}

// Head is the start of an object of DefinitionText.
const Head = `"apiVersion":"g.io/v1","kind":"K","metadata":{"name":"n"}`
