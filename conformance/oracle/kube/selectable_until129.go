//go:build until1.29

package kube

import (
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
)

// setStrategies sets up the registry's strategies.
func (r *resource) setStrategies(parts *strategies) {
	s := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), r.namespaced(),
		r.kind, parts.main, parts.status, r.models[r.version.Name], parts.statusSpec,
		parts.scaleSpec)
	r.main, r.status = s, customresource.NewStatusStrategy(s)
}

// published returns how schemas are published.
func published(v2 bool) builder.Options { return builder.Options{V2: v2} }

// addSelectable fails if there are selectable fields. This minor has none.
func addSelectable(_ *v1.CustomResourceDefinitionVersion, paths []string) error {
	if len(paths) > 0 {
		return ErrNotThere
	}
	return nil
}
