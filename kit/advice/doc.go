// Package advice says how to fix what an API server refuses.
//
// The server's errors name a field and a limit. A hint adds what an author
// needs next, with the values at hand: "did you mean `maxLength`?", or "add
// `name` to `required`". Hints are for people. Their texts may change.
//
// # Terms
//
//   - hint: one or two sentences on how to fix one error.
//   - rule: the rule of the specification that the error breaks, e.g. STR-047.
//     It is the Origin of the error, and it selects the hint.
//   - nearest name: the known name that a misspelt name differs least from.
//
// Package spec provides the text of every rule.
package advice
