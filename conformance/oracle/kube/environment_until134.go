//go:build until1.34

package kube

import "k8s.io/apiserver/pkg/cel/environment"

// Environments returns the environments of the default compatibility version,
// with the costs that definitions have.
func Environments() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion(), true)
}
