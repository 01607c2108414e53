// Package fasteval evaluates CEL expressions directly on the maps and lists of
// an object, without the values of cel-go.
//
// For example, `self.replicas <= self.maxReplicas` becomes two look-ups in the
// object's own map and one comparison of Go integers. The cost is added up as
// cel-go's tracker counts it; charges.go shows how each charge follows from
// cel-go.
//
// The evaluation stops without a result as soon as anything is out of the
// ordinary: an error, a value of an unexpected type, the cost limit, a context
// that is done. The caller then evaluates the expression again with cel-go.
// Therefore every odd case has one implementation, which is cel-go's.
//
// # Terms
//
//   - step: a compiled sub-expression that returns a value, e.g. `self.a + 1`.
//   - test: a compiled sub-expression that returns a truth, e.g. `self.a > 1`.
//   - evaluator: a sub-expression compiled to a step, a test, or both.
//   - to stop: to give up without a result.
//   - to leave: to find while compiling that only cel-go can evaluate the
//     expression.
//   - slot: where the variable of a loop is stored, e.g. `x` of
//     `self.all(x, x > 0)`.
//
// # Specification
//
// Rules COST-023 and COST-001 to COST-004;
// https://github.com/google/cel-spec/blob/master/doc/langdef.md.
package fasteval
