// Package kube is the real Kubernetes code behind the evaluation protocol: every
// answer comes out of the exported functions of k8s.io/apiextensions-apiserver and
// k8s.io/apiserver. It is what every other implementation is compared with. [AnswerCase]
// answers what no request of the protocol can ask, by kinds (kinds.go).
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/conformance/protocol].
//
// # Specification
//
// The release linked is told by [Version]; feature gates and the compatibility
// version are the libraries' defaults. Each op has a file of its own that names the
// functions it calls. Two things that the server does are not exported and are
// written here from their parts: the decode step of a custom resource (decoder.go)
// and the handlers' steps around the registry's strategies (admit.go).
//
// # Deviations
//
// Type names that the real code makes up anew for every compilation (selfType and
// a number) are written as selfType. A name that the server would generate ends in
// 00000. Uid and creation time of a new object are taken away before it is validated,
// for they would show in the texts of errors. Warnings are told once, as the server's response headers do. A panic of
// the real code is a fault that starts with "panic:".
package kube
