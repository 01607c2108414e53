// Package live compares the library with a running API server: etcd and the
// real apiextensions API server, over its REST API, as any client uses it.
//
// A run applies CRDs: those of examples/, of this package's testdata and of a
// corpus of real projects, if there is one. It waits until they are served. It
// then creates, updates, status-updates, patches, applies, scales, reads and
// lists objects in every served version. The objects are sent unchanged and
// changed at random, as JSON and as YAML, plain and with fieldValidation
// Strict, Warn and Ignore. The run also sends changed CRDs, and makes CRDs
// stricter under stored objects. Conversion webhooks are the library's own,
// behind its own handler; the server calls them over HTTPS.
//
// Every answer is compared with the verdict of the library's root package, or
// of package definition for CRD objects. Compared are the HTTP status, the
// reason and the message, the causes, the Warning headers, the object in the
// answer and the bytes in etcd.
//
//	make live                                    # everything, some minutes
//	go test ./live -short                        # only the CRDs of the repository
//	go test ./live -live.crds kueue -live.log f  # some CRDs, with a log of all
//	                                             # exchanges as JSON lines
//
// # Files
//
//   - the server: etcd.go, server.go, store.go, exchange.go (one request over
//     HTTPS), hooks.go (conversion webhooks)
//   - the order of the work: run.go (a run and its sessions), manifests.go
//     (CRDs and objects), crd.go, objects.go, update.go, patch.go, apply.go,
//     scale.go, read.go, tighten.go, write.go
//   - the random input: sample.go (objects from a schema), mutate.go (objects),
//     mutate_crd.go (CRDs)
//   - the judge: judge.go (the interface), facade.go, facade_apply.go,
//     faults.go
//   - our servers beside the real one: twin.go, twin_requests.go,
//     twin_server.go, and with a generator of their own (TestHTTP)
//     http_definitions.go, http_texts.go, http_requests.go, http_lies.go
//   - policies: policies.go (the plugin of the real server), policies.yaml (the
//     cases), policies_random.go
//   - the comparison: compare.go, serverowned.go (what is not compared, and
//     why)
//
// # Terms
//
//   - judge: the implementation whose verdicts are compared; here the library.
//   - verdict: the outcome of a write, e.g. refused with 422 and one cause.
//   - exchange: one request and the server's answer.
//   - session: the work on one CRD, from its creation to its end.
//
// # Specification
//
// The requests are random but repeatable: they follow from the seed, the
// manifests and the server's answers. Random parts of the answers that are sent
// back (uids, times, revisions) do not repeat. Decisions that the server makes
// by itself are not compared; serverowned.go has the whole list.
//
// # Deviations
//
// The server runs without the parts that need a cluster around it:
// authentication, authorization, priority and fairness. It has no admission
// plugin, but TestPolicies gives it those of policies. Its watch cache is off.
// The conversion webhooks of real CRDs are not available here and are replaced
// by one that changes little.
package live
