// Package celrules runs x-kubernetes-validations: the CEL rules of a
// CustomResourceDefinition's schema, as an API server does.
//
// [Compile] prepares the rules of a schema. [Rules.Validate] runs them on an
// object that is created or updated. Whether the rules themselves are
// acceptable, and what they may cost, is for package celrules/check. The
// functions that rules can call are listed by the specification, chapter
// libraries.
//
// # Terms
//
//   - rule: one entry of x-kubernetes-validations, e.g. `self.min <= self.max`.
//     self is the value at the rule's schema node.
//   - transition rule: a rule that refers to oldSelf, the value before the
//     update, e.g. `self.name == oldSelf.name`. Without an old value it does
//     not run, unless it sets optionalOldSelf.
//   - correlated: an old value that belongs to a new one. It has the same field
//     name, the same map key, or the same keys in a list of type map.
//   - ratcheted: a failure that is only a warning, because the update does not
//     change the value that it is about.
//   - messageExpression: an expression for the message of a failure, e.g.
//     `'min is ' + string(self.min)`.
//   - fieldPath: the field that a failure is reported at, e.g. `.spec.min`.
//   - actual cost: what an evaluation takes, counted while it runs in units
//     that do not depend on the machine. `self.min <= self.max` takes about 5.
//   - per-call limit: the actual cost at which one evaluation is stopped.
//   - budget: the maximum actual cost of all rules of one object together.
//
// # Specification
//
// Rules CEL-001 to CEL-114, COST-001 to COST-004;
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules.
//
// # Deviations
//
// Rules run in a fixed order: those of a node, then those of its allOf, then
// items by index, map values by key, and fields by name. A server visits fields
// and keys in random order. The difference shows in the order of errors, and in
// which rules run before a budget is spent.
//
// The values that functions make in one evaluation are limited to
// [MemoryLimit], and the evaluation fails beyond it. A server has no such
// limit: `self.a.replace('x', self.a)` makes it allocate 1 TB for a string of
// 1 MB. The limit counts the results of functions that make more than they are
// charged for: +, replace, join, format, split, findAll, lists.range, flatten,
// unwrapOpt, getQuery and getEscapedPath. Each byte counts 1, each item 16, and
// what is only known to be at most so long counts as if it were. All results of
// one evaluation count together, also those that are garbage by then. Therefore
// no expression can hold more than the limit, however it keeps results. While a
// function runs it can need up to four times its result for a moment. Other
// results are not counted, because the per-call limit bounds them to about
// 40 MB. One call visits at most 1,048,576 items of the lists and maps that an
// expression built.
//
// The context ends long work of functions too, not only comprehensions. Once
// rules have been interrupted, further rules do not run; see [Result.Err].
//
// Object types print as selfType, without the number that a server adds for
// each compilation.
package celrules
