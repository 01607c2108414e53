// Package env builds the CEL environments in which an API server compiles, costs and evaluates the rules of CustomResourceDefinitions.
//
// The base environment of a Kubernetes version exists once in a process, comes into being when first asked for, and never changes. A
// [Scope] is the base environment with the types and variables of one schema node; it costs two small map copies, where
// extending a cel.Env would register every function again. Programs of all scopes share one dispatcher of functions, for what a
// function does at run time does not depend on the schema.
//
//	set, err := env.For(library.Latest)
//	base, err := set.Env(library.StoredExpressions)
//	scope, err := base.Scope(provider, env.Variable{Name: "self", Type: nodeType})
//	ast, issues := scope.Compile("self.size() > 0")
//	estimate, err := base.EstimateCost(ast, sizes)
//	program, err := base.Plan(ast)
//	value, cost, err := program.Eval(ctx, activation, env.PerCallLimit)
//
// # Terms
//
// A base environment is what all rules have in common: functions, macros, validators, evaluation options. A scope adds one node's types
// and variables. An estimate is the static cost of an expression; its run-time cost is counted while it runs.
//
// # Specification
//
// Rules CEL-001 … CEL-013 (environments), LIB-001 … LIB-101 (functions) and COST-001 … COST-024, COST-100 … COST-112 (costs).
//
// # Deviations
//
// Making a program of a literal map with bytes as keys panics in the server; here it is an error. So is an
// expression in which optMap and optFlatMap, each of which doubles its receiver, make tens of thousands of parts: the server takes most of a
// minute over eleven of them in a chain, which is as long as it has for a request, four times that over twelve, and does not end over twenty.
package environment
