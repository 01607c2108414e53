// Package check judges the validation rules of a CustomResourceDefinition, as
// an API server does when the definition is written.
//
// [Validate] returns what a server rejects. [Costs] returns what each rule may
// cost, and which missing bounds make it expensive. Running the rules on an
// object is for package celrules.
//
// # Terms
//
//   - estimated cost: the maximum cost of one evaluation of an expression, for
//     any object that the schema allows. The rule `self.all(x, x < 10)` on a
//     list with `maxItems: 5` has a lower estimate than on a list without a
//     bound.
//   - cardinality: how many values of a node one object can hold, e.g. 10 for
//     the items of a list with `maxItems: 10`. A rule is charged its estimated
//     cost times its cardinality.
//   - uncorrelatable: a value that has no old value on an update, e.g. an item
//     of a list that is not of type map. oldSelf cannot be used on it.
//   - spine: the nodes reached by properties, items and additionalProperties,
//     and not by allOf, anyOf, oneOf or not.
//   - stored expression: an expression that is part of a stored definition. It
//     may use every library, while a new expression may use only those that the
//     previous minor version has too.
//
// # Specification
//
// Rules CEL-070 to CEL-083, COST-001 to COST-024, CRD-201 to CRD-226;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
package check
