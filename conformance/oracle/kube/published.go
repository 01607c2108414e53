//go:build !from1.38

package kube

import "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"

// published returns how schemas are published.
func published(v2 bool) builder.Options {
	return builder.Options{V2: v2, IncludeSelectableFields: true}
}
