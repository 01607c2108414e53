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
// Built-in kinds are decoded strictly by their Go types and merged by them, and
// have Kubernetes' own defaults. Of their validation there are the structure,
// names, the rules that manifests break most often, and the fields that no
// update changes. No controller runs, so that a Deployment makes no Pods, and
// garbage is collected only if that is asked for. Tests of those need a
// cluster.
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
// its token. Its objects are in memory and end with it, unless
// [Options.Data] names a file.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/api-concepts/.
//
// # Deviations
//
//   - A namespace that is deleted stays until it is finalized, as in envtest:
//     without [Options.CollectGarbage], no controller removes its objects.
//   - OpenAPI describes built-in kinds as objects with any fields.
//   - Versions of a built-in kind are taken to have the same fields, e.g. v1
//     and v2 of HorizontalPodAutoscaler.
//   - Webhooks for admission and conversion are asked as on the server. Of
//     policies that deny, the first by name is the answer; a server takes any.
//     Audit annotations go nowhere. Policies have an effect in all minors.
//   - Every request is allowed. Watches of custom resources are sent as JSON,
//     those of built-in kinds also as protobuf.
//   - The bounds and pages are those of package fake.
package server
