// Package condition evaluates the match conditions of admission webhooks: CEL
// expressions about a request.
//
//	c, err := condition.Compile(minors.Newest(), condition.Condition{
//		Name: "not-by-kubelet", Expression: "request.userInfo.username != 'kubelet'",
//	})
//	matches, err := c.Match(ctx, condition.Request{Request: request, Object: object})
//
// # Terms
//
//   - match condition: an expression that decides whether a webhook is called.
//   - request: the fields of an AdmissionRequest, e.g. `request.operation`.
//
// # Specification
//
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/.
//
// # Deviations
//
// An expression that calls a function of authorizer fails. namespaceObject is
// null, as it is for the match conditions of a server.
package condition
