//go:build until1.34

package kube

import (
	"context"

	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
)

// controller writes the status of definitions.
type controller interface {
	Run(workers int, stop <-chan struct{})
}

// runController runs a controller until the context ends.
func runController(ctx context.Context, c controller) { c.Run(1, ctx.Done()) }

// newClient returns a client of a server that has one definition.
func newClient(crd *v1.CustomResourceDefinition) *fake.Clientset {
	return fake.NewSimpleClientset(crd)
}
