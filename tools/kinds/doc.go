// Command kinds writes the kinds that are built into Kubernetes, with the
// minors that serve them, into internal/kit/builtin/kinds.txt.
//
//	go run ./tools/kinds
//
// It reads the Go sources of k8s.io/api, k8s.io/apiextensions-apiserver and
// k8s.io/kube-aggregator of each supported minor from the module proxy: the
// types that register.go adds to the scheme, and the minor that removes each by
// its method APILifecycleRemoved.
package main
