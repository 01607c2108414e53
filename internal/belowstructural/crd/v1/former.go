package v1

// Before35 returns an empty definition of the types before Kubernetes 1.35: the
// status and its conditions had no observedGeneration. Errors have the names of
// the types, so that those which differ have the same names.
func Before35() any {
	type CustomResourceDefinitionCondition struct {
		Type               CustomResourceDefinitionConditionType `json:"type"`
		Status             ConditionStatus                       `json:"status"`
		Reason             string                                `json:"reason"`
		Message            string                                `json:"message"`
		LastTransitionTime Time                                  `json:"lastTransitionTime"`
	}
	type CustomResourceDefinitionStatus struct {
		StoredVersions []string                            `json:"storedVersions"`
		AcceptedNames  CustomResourceDefinitionNames       `json:"acceptedNames"`
		Conditions     []CustomResourceDefinitionCondition `json:"conditions"`
	}
	type CustomResourceDefinition struct {
		TypeMeta   `json:""`
		ObjectMeta `json:"metadata"`
		Spec       CustomResourceDefinitionSpec   `json:"spec"`
		Status     CustomResourceDefinitionStatus `json:"status"`
	}
	return new(CustomResourceDefinition)
}
