// Command oracle is the judge of this project: the real Kubernetes code behind the
// evaluation protocol, and the commands that compare with it.
//
//	go run . eval [-hello] [-parallel N]   answer requests on stdin
//	go run . record [-check]               ask what the vectors and the cases ask, write or check the answers
//	go run . differential                  compare with the library on generated input
//
// It is a module of its own, so that nothing that it needs enters the library's.
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/conformance/protocol]; the real code is what
// package kube calls.
//
// # Specification
//
// The release of k8s.io/apiextensions-apiserver in go.mod.
//
// # Deviations
//
// Those of package kube.
package main
