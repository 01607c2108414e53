// Package protocol is the evaluation protocol of this project. A process reads
// requests as JSON lines and writes an answer line for each, in order. Any
// implementation of the custom resource semantics, in any language, can
// implement it and be compared with any other.
//
// The package holds the types of requests and answers, their exact JSON form
// and the loop that serves them. Outside the standard library it imports only
// a JSON library and the errors of k8s.io/apimachinery, so that a harness can
// use it without the rest of the module.
//
// # Terms
//
//   - op: the operation that is asked for, e.g. "prune" or "validate" (see
//     [Ops]).
//   - request: one line in: an id, an op and the op's inputs ([Request]).
//   - input: a schema, a definition or an object inside a request, either a
//     JSON value or a text that holds a JSON or YAML document ([Input]). A text
//     is JSON if its first character is "{", otherwise it is YAML.
//   - answer: one line out: the request's id and either a result or a fault
//     ([Answer]).
//   - result: the outcome of an op ([Result]). Errors found in an object are a
//     result.
//   - fault: one sentence with the reason why a request could not be carried
//     out.
//   - handler: the function that carries requests out ([Handler]).
//
// # Specification
//
// Protocol version 1 ([Version]). Requests:
//
//	{"id":"7","op":"prune","schema":{"type":"object"},"object":{"a":1}}
//
// Answers, each a single line:
//
//	{"id":"7","object":{},"unknownFields":["a"]}
//	{"id":"8","fault":"unknown op \"prun\""}
//
// A request has an id, an op, the op's required inputs and any of its optional
// ones. Anything else is a fault. If a line has no readable id, the answer's id
// is "". Lines hold at most [MaxLine] bytes; a longer one is skipped and
// answered with a fault. Bad input never ends the process.
//
// Every request may name the Kubernetes minor whose answer is asked for, e.g.
// "kubernetes":"1.33". Without it the newest is meant. A minor that the
// implementation does not know is a fault that lists those it knows; [Hello]
// lists them too.
//
// Numbers keep their kind. An int64 is written as an integer. A float64 is
// always written with a point or an exponent, in the shortest form that reads
// back. When read, a number without point and exponent that fits into an int64
// is an int64; any other is a float64 (PIPE-001).
//
// An error may name the rule of the specification that was broken, e.g.
// "rule":"STR-047". The member is for information only: it is absent if the
// rule is not known, and it does not count when answers are compared.
//
// A server has no bounds but those of its machine. A request that takes more
// than this program allows has no answer of a server, and gets a fault: errors
// with their texts, paths of unknown fields, defaults and values of rules
// beyond some 30 to 256 MiB each, an answer of more than 256 MiB, and more than
// a minute (the flag --timeout). SECURITY.md has the bounds.
//
// Details of the ops:
//
//   - old: a null counts as not given. The last of duplicate members of a
//     request counts.
//   - crd: the registry prepares the definition before it is validated. The
//     status of a new definition is therefore wiped, and an updated one has the
//     status of the old (CRD-013). The warnings of create and update are
//     returned only if there are no errors, those of strict decoding always.
//   - define: nothing is decoded. Later requests of the process may give crd as
//     {"$ref":NAME}, which then stands for the definition. A name that is
//     defined again stands for the last one. A process keeps 64 MiB of
//     definitions and forgets those that were not used for the longest time. A
//     reference to one that is not kept is a fault.
//   - schema: null is an empty schema. One that does not decode or convert is a
//     fault, except in op structural, where it is an error.
//   - prune: the object is pruned as the root of a resource (PRN-001).
//   - default: nulls are removed (DEF-030), then defaults are filled in
//     (DEF-001). Nothing else is removed or coerced. The schema's own defaults
//     are taken as they are.
//   - admit: a create is sent to the namespace of its object, or to "default".
//     An update is sent to the name and namespace of the old object. A body
//     that does not fit there ends at [StageDecode], as does one of another
//     version. unknownFields are sorted and are returned under every
//     fieldValidation. A generated name ends in 00000. Each warning is returned
//     once. An old object that does not decode or convert is a fault.
//   - positions: if it is true, each error of crd and admit has a position in
//     the text of the definition or object, e.g. {"line":3,"column":7}, and so
//     has each element of unknown, which lists unknownFields. Columns count
//     characters. An input that is no text has no positions.
//   - convert: the first object that fails ends it. A document that does not
//     decode is a fault.
//   - store: the object was admitted in any version. The answer is what etcd
//     holds (PIPE-021). An object that does not convert is one
//     [ConversionError].
//   - read: the object is given as etcd holds it. The answer is what a get in
//     the version returns (PIPE-022). An object that cannot be read is one
//     [DecodeError].
//   - the strategy Webhook: an object that needs no conversion is answered. If
//     the webhook would have to be called, it answers with the body that
//     convert, store and read may have as webhook; "$UID" in it, and in the
//     errors of the answer, stands for the uid of the request. Without one, the
//     answer is a fault.
//   - update, status, patch, apply, scale: the object that is written is given
//     as etcd holds it. Its resourceVersion, "1" if it has none, is that of the
//     store. A write is sent to the name and namespace of the stored object,
//     an apply without one to those of its object. A namespace that is missing
//     is "default". As on a server, an update needs a resourceVersion
//     (PIPE-016).
//   - the answer of a write: code is the HTTP status. A write that is done has
//     object, which the client gets, and stored, what etcd holds then, unless
//     both are the same. A refused one has reason, message and causes, without
//     those that a server leaves empty. What differs each time is left out:
//     resourceVersion, the times of managers, and the uid and
//     creationTimestamp of a new object. metadata.managedFields is there if the
//     request has a manager.
//   - patch: a patch that is a string is the text of the body. The type
//     strategic is refused, as a server refuses it for custom resources.
//   - apply: without a manager the server refuses it.
//   - scale: the object is a Scale of autoscaling/v1; one that is not is a
//     fault. managedFields are left out.
//   - an update that removes the last finalizer of an object that is being
//     deleted, and a stored object that cannot be read, are faults.
package protocol
