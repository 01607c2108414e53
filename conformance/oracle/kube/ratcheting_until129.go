//go:build until1.29

package kube

import (
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	apivalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
)

// ratchetedValues returns no options. The gate of ratcheting is off.
func ratchetedValues(_, _ any, _ *schemaModel) []apivalidation.ValidationOption { return nil }

// ratchetedRules returns no options. The gate of ratcheting is off.
func ratchetedRules(_, _ any, _ *schemaModel) []cel.Option { return nil }
