package v1

// The functions below return empty definitions of the types that older minors
// decode into. Errors have the names of the types, so that those which differ
// have the same names inside of a function.

// Before35 returns an empty definition of the types before Kubernetes 1.35: the
// status and its conditions had no observedGeneration.
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

// Before30 returns an empty definition of the types before Kubernetes 1.30: a
// version had no selectableFields either.
func Before30() any {
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
	type CustomResourceDefinitionVersion struct {
		Name                     string                           `json:"name"`
		Storage                  bool                             `json:"storage"`
		Served                   bool                             `json:"served"`
		Deprecated               bool                             `json:"deprecated"`
		DeprecationWarning       *string                          `json:"deprecationWarning"`
		Subresources             *CustomResourceSubresources      `json:"subresources"`
		Schema                   *CustomResourceValidation        `json:"schema"`
		AdditionalPrinterColumns []CustomResourceColumnDefinition `json:"additionalPrinterColumns"`
	}
	type CustomResourceDefinitionSpec struct {
		Scope                 ResourceScope                     `json:"scope"`
		Group                 string                            `json:"group"`
		Names                 CustomResourceDefinitionNames     `json:"names"`
		PreserveUnknownFields bool                              `json:"preserveUnknownFields"`
		Conversion            *CustomResourceConversion         `json:"conversion"`
		Versions              []CustomResourceDefinitionVersion `json:"versions"`
	}
	type CustomResourceDefinition struct {
		TypeMeta   `json:""`
		ObjectMeta `json:"metadata"`
		Spec       CustomResourceDefinitionSpec   `json:"spec"`
		Status     CustomResourceDefinitionStatus `json:"status"`
	}
	return new(CustomResourceDefinition)
}
