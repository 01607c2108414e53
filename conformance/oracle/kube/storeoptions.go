//go:build !until1.30

package kube

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
)

// GetRESTOptions implements generic.RESTOptionsGetter.
func (o storeOptions) GetRESTOptions(
	resource schema.GroupResource, _ runtime.Object,
) (generic.RESTOptions, error) {
	return o.of(resource), nil
}
