// Command oracle is the judge of this project: the real Kubernetes code behind
// the evaluation protocol, and commands that compare with it.
//
//	go run . eval [-hello] [-parallel N]   answer requests from stdin
//	go run . record [-check]               write or check the answers of all
//	                                       vectors and cases
//	go run . matrix                        verdicts on definitions by minor
//	go run . differential                  compare with the library on generated
//	                                       input
//	go run . expressions FILE              the cases of FILE with another outcome
//
// It is a module of its own, so that none of its dependencies enters the
// library's module. Each folder compares one part of the library with the real
// code, e.g. pipeline for whole requests; live compares with a running API
// server.
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/internal/app/protocol]. The real code
// is what package kube calls.
//
// # Specification
//
// The release of k8s.io/apiextensions-apiserver in go.mod. The folder minors
// has the modules of older releases: minors/build.sh builds this program with
// them. Files with the build tag until1.36 are for 1.36 and older, those with
// !until1.36 for newer minors, and those with !older for the newest one only.
// The program of an older minor answers and records; it does not link the
// library and cannot compare.
//
// # Deviations
//
// Those of package kube.
package main
