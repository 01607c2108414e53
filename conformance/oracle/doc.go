// Package main is the real Kubernetes code behind the evaluation protocol.
package main

import (
	_ "github.com/crdsem/crdsem"
	_ "k8s.io/apiextensions-apiserver/pkg/apiserver"
	_ "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	_ "k8s.io/apiextensions-apiserver/pkg/cmd/server"
	_ "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	_ "k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	_ "k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	_ "k8s.io/apimachinery/pkg/util/managedfields"
	_ "k8s.io/client-go/dynamic"
	_ "k8s.io/kube-openapi/pkg/validation/validate"
	_ "sigs.k8s.io/yaml"
)

func main() {}
