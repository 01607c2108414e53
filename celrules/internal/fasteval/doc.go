// Package direct evaluates expressions on unstructured objects without the detour over CEL values: fields are looked up in the object's own
// maps, numbers, strings and booleans are compared as Go values, and the cost is added up as cel-go's tracker counts it.
//
// It takes only what goes well: the moment anything is out of the ordinary (an error, a value of an unexpected type, a limit, a context
// that is done) the evaluation stops without a result, and the caller evaluates the expression again by cel-go. So there is one
// implementation of every odd case, and this one is only ever fast.
//
// # Terms
//
//   - step: a compiled sub-expression. Executed steps are charged as expressions of their own, resolved ones (the branches of a conditional,
//     an index) only for what they select.
//   - to stop: to give up without a result.
//   - slot: the place of a loop's variable.
//
// # Specification
//
// Rules COST-023, COST-001 to COST-004; https://github.com/google/cel-spec/blob/master/doc/langdef.md.
//
// # Deviations
//
// None: results and costs are those of cel-go, which tests compare.
package fasteval
