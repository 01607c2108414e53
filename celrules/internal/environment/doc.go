// Package environment builds the CEL environments in which an API server
// compiles, costs and evaluates the rules of CustomResourceDefinitions.
//
// The base environment of a Kubernetes minor exists once in a process. It is
// built when it is first used and never changes. A [Scope] is the base
// environment with the variables of one schema node, e.g. `self` of type
// list(string). It costs two small map copies, where extending a cel.Env
// registers every function again. Programs of all scopes share one dispatcher
// of functions, because functions do the same for every schema.
//
//	base, err := environment.For(profile.Latest(), library.StoredExpressions)
//	variable := environment.Variable{Name: "self", Type: nodeType}
//	scope, err := base.Scope(provider, variable)
//	ast, issues := scope.Compile("self.size() > 0")
//	estimate, err := base.EstimateCost(profile.Latest(), ast, sizes)
//	program, err := base.Plan(ast)
//	value, cost, err := program.Eval(ctx, activation,
//		environment.Limits{Cost: environment.PerCallLimit})
//
// Package functions of this directory implements the functions, package cost
// charges for them.
//
// # Terms
//
//   - base environment: what all rules share: functions, macros, validators,
//     evaluation options.
//   - scope: a base environment with the variables of one schema node.
//   - estimate: the static cost of an expression. The run-time cost is counted
//     while it runs.
//   - program: a checked expression that is ready to run.
//
// # Specification
//
// Rules CEL-001 to CEL-013 (environments), LIB-001 to LIB-101 (functions) and
// COST-001 to COST-024 (costs).
//
// # Deviations
//
// On a literal map with bytes as keys, e.g. `{b'a': 1}`, the server panics;
// here it is an error.
//
// optMap and optFlatMap double their receiver. An expression in which they make
// tens of thousands of parts is an error here. The server takes most of a
// minute for a chain of eleven calls, which is as long as it has for a request,
// four times that for twelve, and does not end for twenty.
package environment
