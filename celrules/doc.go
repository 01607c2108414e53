// Package celrules compiles, costs and evaluates x-kubernetes-validations: the CEL rules of a CustomResourceDefinition's
// schema, as an API server does.
//
// [Compile] prepares the rules of a schema for objects; [Rules.Validate] runs them, on a create or on an update. [Check] and
// [NewChecker] say what a server objects to in the rules themselves when the CRD is written; [Costs] tells what they
// may cost and which bounds are missing.
//
// # Terms
//
//   - rule: one entry of x-kubernetes-validations; its expression sees the value at its node as self.
//   - transition rule: a rule that refers to oldSelf, the value before the update.
//   - correlated: an old value that stands for a new one: same field, same map key, or same keys in a list of type map.
//   - ratcheted: a failure that an update does not have to answer for, because what it concerns did not change.
//   - cost: what an evaluation takes, in units that do not depend on the machine. The estimated cost is the most that an
//     expression can take for any object the schema allows; the actual cost is counted while it runs.
//   - cardinality: how many values of a node one object can hold.
//   - per-call limit: the actual cost at which one evaluation is stopped.
//   - budget: the actual cost that all rules of one object may take together.
//   - stored expression: an expression that is in storage already. It may use every library; a new one only those that the
//     previous minor version knows as well.
//
// # Specification
//
// Rules CEL-001 to CEL-114, COST-001 to COST-024, CRD-200 to CRD-226;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
//
// # Deviations
//
// Rules run in a fixed order: a node's own, then allOf, then items by index, values of maps by key, fields by name. A server goes
// over fields and keys in random order, which shows in the order of errors and in what still runs before a budget is spent.
// Object types print as selfType, without the number that a server makes up for each compilation.
package celrules
