// Package live holds the library against a running API server: etcd and the real apiextensions API server, asked over
// its REST API as any client asks it.
//
// A run applies CRDs (those of examples/, of this package's testdata and, where it is, of a corpus of real projects), waits
// until they are served, and then creates, updates, status-updates, patches, applies, scales, reads and lists objects in every served version:
// as they are and changed at random, as JSON and as YAML, plain and with fieldValidation Strict, Warn and Ignore. It asks for
// changed CRDs, too, and makes CRDs stricter under stored objects. Conversion webhooks are the library's own, behind its own
// handler: the server calls them over HTTPS. Every answer is compared with the verdict of the
// library's root package (for CRD objects: of package definition): the HTTP status, the reason and the message, the causes, the Warning
// headers, the object in the answer and the bytes in etcd.
//
//	make live                                    # everything, some minutes
//	go test ./live -short                        # the CRDs of the repository only
//	go test ./live -live.crds kueue -live.log f  # some CRDs; every request and answer as JSON lines
//
// # Terms
//
//   - judge: the implementation whose verdicts are compared; here the library.
//   - exchange: one request and the server's answer.
//   - session: the work on one CRD, from its creation to its end.
//
// # Specification
//
// The requests are random; they follow from the seed, the manifests and the server's answers, so that they repeat but for what is random in those:
// uids, times, revisions, and what of it is sent back. What the server decides by itself is left out,
// see serverowned.go for the whole list.
//
// # Deviations
//
// The server runs without what needs a cluster around it: authentication, authorization, admission plugins, priority and
// fairness; its watch cache is off. The conversion webhooks of real CRDs, which are not here, are replaced by one that changes little.
package live
