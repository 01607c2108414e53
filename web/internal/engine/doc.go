// Package engine answers the requests of web pages and of the npm package. It
// answers the evaluation protocol, and operations of its own that return what
// the command prints as JSON.
//
// # Terms
//
//   - request, answer: one JSON object each, as in the evaluation protocol.
//   - judge: the operation that checks definitions and sends objects to them.
//   - open, close: the operations that keep definitions for later requests,
//     which name them by a handle, and that forget them.
//   - validate: the operation that judges documents of any kind.
//   - costs: the operation that estimates the rules of definitions.
//   - conversions: the operation that converts an object to every version.
//   - describe: the operation that lists the fields of definitions, with what
//     is said about them.
//   - edit: the operation that completes and explains what is typed, and fixes
//     what is wrong.
//   - mark: lines of an object as it is stored that the server changed.
package engine
