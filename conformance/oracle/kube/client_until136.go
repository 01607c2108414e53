//go:build until1.36

package kube

import (
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
)

// newClient returns a client of a server that has one definition. NewClientset
// does not know the types of definitions in these minors.
func newClient(crd *v1.CustomResourceDefinition) *fake.Clientset {
	return fake.NewSimpleClientset(crd)
}
