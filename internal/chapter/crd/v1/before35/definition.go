// Package v1 defines those types of the package v1 one level up that were
// different before Kubernetes 1.35: the status of a definition and its
// conditions had no observedGeneration. Errors name the types and the package.
package v1

import v1 "github.com/crdsem/crdsem/internal/chapter/crd/v1"

// CustomResourceDefinition is a definition.
type CustomResourceDefinition struct {
	v1.TypeMeta   `json:""`
	v1.ObjectMeta `json:"metadata"`
	Spec          v1.CustomResourceDefinitionSpec `json:"spec"`
	Status        CustomResourceDefinitionStatus  `json:"status"`
}

// CustomResourceDefinitionStatus is the status of a definition.
type CustomResourceDefinitionStatus struct {
	StoredVersions []string                            `json:"storedVersions"`
	AcceptedNames  v1.CustomResourceDefinitionNames    `json:"acceptedNames"`
	Conditions     []CustomResourceDefinitionCondition `json:"conditions"`
}

// CustomResourceDefinitionCondition is a condition of a definition.
type CustomResourceDefinitionCondition struct {
	Type               v1.CustomResourceDefinitionConditionType `json:"type"`
	Status             v1.ConditionStatus                       `json:"status"`
	Reason             string                                   `json:"reason"`
	Message            string                                   `json:"message"`
	LastTransitionTime v1.Time                                  `json:"lastTransitionTime"`
}
