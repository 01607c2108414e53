// Package kube is the real Kubernetes code behind the evaluation protocol.
// Every answer comes from the exported functions of
// k8s.io/apiextensions-apiserver and k8s.io/apiserver. All other
// implementations are compared with it. [AnswerCase] answers the cases that no
// request of the protocol can express, by kind (kinds.go).
//
// # Terms
//
// Those of [github.com/crdsem/crdsem/internal/app/protocol].
//
// # Specification
//
// [Version] returns the release that is linked. Feature gates and the
// compatibility version are the libraries' defaults. Each op has a file of its
// own that names the functions it calls, e.g. schema_ops.go for prune and
// default. Two parts of the server are not exported and are written here from
// their parts: the decode step of a custom resource (decoder.go) and the
// handlers' steps around the registry's strategies (admit.go).
//
// # Deviations
//
// The real code generates a type name for every compilation (selfType and a
// number); it is written as selfType. A name that the server would generate
// ends in 00000. Uid and creation time of a new object are removed before it is
// validated, because they would appear in the texts of errors. Each warning is
// returned once, as in the server's response headers. A panic of the real code
// is a fault that starts with "panic:".
package kube
