// Package verdict defines the results of judging documents: a verdict on each,
// its findings with their places, and what would be stored.
//
// # Terms
//
//   - result: the outcome for one document, e.g. an object that is refused.
//   - finding: one thing that is wrong or doubtful, with its place.
//   - summary: the numbers of results.
//
// The JSON form is that of the command: cmd/crdsem/internal/output/schema.json.
package verdict
