package kube

import (
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
)

// setStrategies sets up the registry's strategies.
func (r *resource) setStrategies(parts *strategies) {
	s := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), r.namespaced(),
		r.kind, parts.main, parts.status, r.models[r.version.Name], parts.statusSpec,
		parts.scaleSpec, r.version.SelectableFields)
	r.main, r.status = s, customresource.NewStatusStrategy(s)
}

// addSelectable adds selectable fields to a version.
func addSelectable(v *v1.CustomResourceDefinitionVersion, paths []string) {
	for _, path := range paths {
		v.SelectableFields = append(v.SelectableFields, v1.SelectableField{JSONPath: path})
	}
}
