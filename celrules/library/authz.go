package library

// authzFunctions returns the functions of LIB-009. Every environment declares
// them, so that an expression with one of them compiles or fails as on the
// server. No rule can call them, because it has no authorizer.
func authzFunctions() []Function {
	const (
		authorizer = "kubernetes.authorization.Authorizer"
		path       = "kubernetes.authorization.PathCheck"
		group      = "kubernetes.authorization.GroupCheck"
		resource   = "kubernetes.authorization.ResourceCheck"
		decision   = "kubernetes.authorization.Decision"
	)
	step := func(name, summary string, o Overload) Function {
		return Function{Name: name, Cost: CostNominal, Summary: summary, Overloads: []Overload{o}}
	}
	return []Function{
		step("path", "a check of a non-resource path",
			method("authorizer_path", authorizer, path, "string")),
		step("group", "a check in an API group",
			method("authorizer_group", authorizer, group, "string")),
		step("serviceAccount", "the authorizer of a service account",
			method("authorizer_serviceaccount", authorizer, authorizer, "string", "string")),
		step("resource", "a check of a resource",
			method("groupcheck_resource", group, resource, "string")),
		step("subresource", "the check with a subresource",
			method("resourcecheck_subresource", resource, resource, "string")),
		step("namespace", "the check with a namespace",
			method("resourcecheck_namespace", resource, resource, "string")),
		step("name", "the check with a name",
			method("resourcecheck_name", resource, resource, "string")),
		{
			Name: "check", Cost: CostAuthorizationCheck,
			Summary: "the authorizer's decision about a verb",
			Overloads: []Overload{
				method("pathcheck_check", path, decision, "string"),
				method("resourcecheck_check", resource, decision, "string"),
			},
		},
		step("errored", "whether the decision failed",
			method("decision_errored", decision, "bool")),
		step("error", "why the decision failed", method("decision_error", decision, "string")),
		step("allowed", "whether the decision allows",
			method("decision_allowed", decision, "bool")),
		step("reason", "the reason of the decision", method("decision_reason", decision, "string")),
	}
}

// authzSelectorFunctions returns the selectors of LIB-009.
func authzSelectorFunctions() []Function {
	const resource = "kubernetes.authorization.ResourceCheck"
	return []Function{
		{
			Name: "fieldSelector", Cost: CostSelector, Summary: "the check with a field selector",
			Overloads: []Overload{method("authorizer_fieldselector", resource, resource, "string")},
		},
		{
			Name: "labelSelector", Cost: CostSelector, Summary: "the check with a label selector",
			Overloads: []Overload{method("authorizer_labelselector", resource, resource, "string")},
		},
	}
}
