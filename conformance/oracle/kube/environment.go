//go:build !until1.34

package kube

import "k8s.io/apiserver/pkg/cel/environment"

// Environments returns the environments of the default compatibility version.
func Environments() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}
