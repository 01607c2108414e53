// Command oracle is the judge of this project: the real Kubernetes code behind
// the evaluation protocol, and commands that compare with it.
//
//	go run . eval [-hello] [-parallel N]   answer requests from stdin
//	go run . record [-check]               write or check the answers of all
//	                                       vectors and cases
//	go run . differential                  compare with the library on generated
//	                                       input
//
// It is a module of its own, so that none of its dependencies enters the
// library's module. Each folder compares one part of the library with the real
// code, e.g. pipeline for whole requests; live compares with a running API
// server.
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/internal/protocol]. The real code is what
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
