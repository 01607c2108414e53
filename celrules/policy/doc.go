// Package policy evaluates the CEL expressions that decide on admission: the
// match conditions of webhooks, and the expressions of policies, e.g. those of
// a ValidatingAdmissionPolicy.
//
//	c, err := policy.NewCompiler(minors.Newest())
//	small := c.Compile("object.spec.size < 5", policy.Condition)
//	run := c.Start(policy.Request{Request: request, Object: object}, policy.Budget)
//	value, err := run.Eval(ctx, small) // a bool
//
// # Terms
//
//   - request: the fields of an AdmissionRequest, e.g. `request.operation`.
//   - variable: an expression of a policy with a name, e.g. `variables.size`.
//     It is evaluated when another expression first asks for it.
//   - mutation: an expression that makes an object of fields to set, e.g.
//     `Object{spec: Object.spec{size: 1}}`, or the operations of a JSON patch.
//   - budget: the maximum actual cost of the expressions of one run.
//
// # Specification
//
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/,
// and k8s.io/apiserver/pkg/admission/plugin/cel, whose texts these are.
//
// # Deviations
//
// The variable authorizer allows everything. Objects of built-in kinds are
// values without a type, as on a server.
package policy
