package testschema

import "strings"

// Definition returns the YAML of a namespaced definition of the group
// example.com with one version, v1. The rest of the version, its schema first,
// is indented by four spaces, after a line break.
func Definition(kind, version string) string {
	name := strings.ToLower(kind)
	return strings.NewReplacer("KIND", kind, "NAME", name).Replace(head) + version[1:]
}

const head = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: NAMEs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: NAMEs, singular: NAME, kind: KIND, listKind: KINDList}
  versions:
  - name: v1
    served: true
    storage: true
`
