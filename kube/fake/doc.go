// Package fake is an API server for custom resources in memory, and a client of
// controller-runtime for it. Tests of a controller that use the client see what
// they would see in a cluster: defaults, pruned fields, errors of validation
// and of rules, ratcheting, generation, resourceVersion and managedFields, the
// status and scale subresources, finalizers, conversion, conflicts, warnings.
//
//	def, err := kube.New(crd)
//	server, err := fake.NewServer(def)
//	c, err := server.Client(clientfake.NewClientBuilder().WithScheme(scheme).Build(), nil)
//
// The client sends requests for kinds with a definition to the server, with the
// code of controller-runtime's real client. All other kinds stay with the
// client that it was made from, usually controller-runtime's fake client.
// Objects of defined kinds that this client held are moved to the server.
//
// docs/fake.md of the repository lists what tests rely on that were written for
// the fake client, and what happens here. [Lenient] takes what is harmless.
//
// [Server.Config] is for other clients, e.g. of package client-go/dynamic, and
// for a manager whose controllers watch kinds with a definition only. Built-in
// kinds are not served: a manager that watches a Deployment does not start,
// and needs package kube/server. A Server is also an http.Handler.
//
// # Terms
//
//   - kind: what one definition defines, e.g. CronTab of stable.example.com.
//   - stored object: the object in the storage version, as etcd would hold it.
//   - revision: the number of a write. It is the resourceVersion of what was
//     written.
//
// # Specification
//
// https://kubernetes.io/docs/reference/using-api/api-concepts/.
//
// # Bounds
//
// The server keeps its objects, and the last 1000 writes of each kind for
// watches and for the pages of lists, which show the past of the first page. An
// older resourceVersion is refused as expired. No lock is held while a request
// is decided; a write whose object has changed meanwhile is decided again.
//
// # Deviations
//
//   - There is no admission, no authorization, no quota, no garbage collection,
//     and namespaces need not exist.
//   - Generated names and uids are the same in every run. Times come from
//     [Server.Now].
//   - There is no CBOR, and custom resources have no protobuf, as in a cluster.
package fake
