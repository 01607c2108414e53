// Package v1 defines those types of the package v1 one level up that were
// different before Kubernetes 1.30: a version had no selectableFields. Errors
// name the types and the package.
package v1

import (
	v1 "github.com/crdsem/crdsem/internal/chapter/crd/v1"
	before35 "github.com/crdsem/crdsem/internal/chapter/crd/v1/before35"
)

// CustomResourceDefinition is a definition.
type CustomResourceDefinition struct {
	v1.TypeMeta   `json:""`
	v1.ObjectMeta `json:"metadata"`
	Spec          CustomResourceDefinitionSpec            `json:"spec"`
	Status        before35.CustomResourceDefinitionStatus `json:"status"`
}

// CustomResourceDefinitionSpec is the spec of a definition.
type CustomResourceDefinitionSpec struct {
	Scope                 v1.ResourceScope                  `json:"scope"`
	Group                 string                            `json:"group"`
	Names                 v1.CustomResourceDefinitionNames  `json:"names"`
	PreserveUnknownFields bool                              `json:"preserveUnknownFields"`
	Conversion            *v1.CustomResourceConversion      `json:"conversion"`
	Versions              []CustomResourceDefinitionVersion `json:"versions"`
}

// CustomResourceDefinitionVersion is one version of a definition.
type CustomResourceDefinitionVersion struct {
	Name                     string                              `json:"name"`
	Storage                  bool                                `json:"storage"`
	Served                   bool                                `json:"served"`
	Deprecated               bool                                `json:"deprecated"`
	DeprecationWarning       *string                             `json:"deprecationWarning"`
	Subresources             *v1.CustomResourceSubresources      `json:"subresources"`
	Schema                   *v1.CustomResourceValidation        `json:"schema"`
	AdditionalPrinterColumns []v1.CustomResourceColumnDefinition `json:"additionalPrinterColumns"`
}
