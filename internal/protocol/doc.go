// Package protocol is the evaluation protocol of this project: one process that
// takes requests as JSON lines and gives an answer line for each, in order. Any
// implementation of the custom resource semantics, in any language, can stand
// behind it and be compared with any other.
//
// The package holds the types of requests and answers, their exact JSON form and
// the loop that serves them. Besides the standard library it needs the errors of
// k8s.io/apimachinery only, so that a harness can use it without the rest of the
// module.
//
// # Terms
//
//   - op: what is asked, such as "prune" or "validate" (see [Ops]).
//   - request: one line in: an id, an op and the op's inputs ([Request]).
//   - input: a schema, a definition or an object inside a request, either a JSON
//     value or a text that holds a JSON or YAML document ([Input]).
//   - answer: one line out: the request's id and either a result or a fault ([Answer]).
//   - result: what an op found out ([Result]); finding errors in an object is a result.
//   - fault: one sentence that says why a request could not be carried out.
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
// A request has an id, an op, the op's required inputs and at most its optional
// ones; anything else is a fault. Where a line holds no readable id, the answer's
// id is "". Lines hold at most [MaxLine] bytes; a longer one is skipped and
// answered by a fault. Bad input never ends the process.
//
// Numbers keep their kind: an int64 is written as an integer, a float64 always
// with a point or an exponent, in the shortest form that reads back. When read, a
// number without point and exponent that fits into an int64 is an int64, any other
// a float64 (PIPE-001).
//
// What the ops leave open is fixed so:
//
//   - an old object that is null was not given; a duplicate member of a request
//     counts as its last.
//   - crd: the registry prepares the definition before it is validated, so a new one's
//     status is wiped and an updated one has that of the old (CRD-013). The warnings of
//     create and update are given where there are no errors, those of strict decoding
//     always.
//   - default: the schema's own defaults are taken as they are.
//   - admit: the request is sent to the namespace of its object, or to "default"; an
//     update to the name and namespace of the old object, and a body that does not fit
//     there ends at [StageDecode], as one of another version does. unknownFields are
//     sorted, and told under every fieldValidation. A name that would be generated
//     ends in 00000. Warnings are told once.
//     An old object that does not decode or convert is a fault.
//   - convert: the first object that fails ends it. A document that does not decode
//     is a fault.
//   - the strategy Webhook: what needs no conversion is answered; where a webhook
//     would have to be asked it is a fault, for no request can bring one.
//
// # Deviations
//
// None.
package protocol
