// Package server is an API server for custom resources in one process, without
// kube-apiserver and etcd.
//
//	srv, err := server.Start(ctx, server.Options{Definitions: []string{"config/crd"}})
//	defer srv.Stop()
//	c, err := client.New(srv.Config(), client.Options{})
//
// It answers requests about custom resources as the real server does: defaults,
// pruned fields, errors, rules, versions, managed fields, watches. The requests
// of package fake, which it serves, are compared with a live API server.
// Definitions are resources: they are validated when they are created, get
// their conditions, and are served as soon as they are stored.
//
// Built-in kinds are stored as they are sent. Nothing of theirs is validated
// or defaulted; no controller runs, so that a Deployment makes no Pods, and
// nothing is collected. Tests of those need a cluster.
//
// # Terms
//
//   - handler: the kinds of some definitions as an http.Handler, for tests in
//     one process.
//   - server: a handler with built-in kinds, namespaces and definitions as
//     resources, that listens.
//
// # Access
//
// A server listens on the loopback interface unless [Options.Listen] differs,
// over TLS with a certificate of its own, and answers only clients that have
// its token. Its objects are in memory and end with it.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/api-concepts/.
//
// # Deviations
//
//   - A definition is shown as it was sent, without its defaults.
//   - A namespace that is deleted is gone at once, with its objects.
//   - A patch of a definition is not validated.
//   - There is no admission, authorization, OpenAPI, and no answer in protobuf.
//   - The bounds and pages are those of package fake.
package server
