// Package v1beta1 defines the types of the version v1beta1 of the API group
// apiextensions.k8s.io that differ from those of v1. The exact decoder decodes
// into them. Error texts name the types, so [ErrorText] renames those that are
// shared with v1, e.g. v1.ResourceScope to v1beta1.ResourceScope.
package v1beta1

import (
	"strings"

	v1 "github.com/crdsem/crdsem/internal/belowstructural/crd/v1"
)

// CustomResourceDefinition is a definition.
type CustomResourceDefinition struct {
	v1.TypeMeta   `json:""`
	v1.ObjectMeta `json:"metadata"`
	Spec          CustomResourceDefinitionSpec      `json:"spec"`
	Status        v1.CustomResourceDefinitionStatus `json:"status"`
}

// Before35 returns an empty definition of the types before Kubernetes 1.35.
func Before35() any {
	// Errors have the names of the types.
	type CustomResourceDefinitionCondition struct {
		Type               v1.CustomResourceDefinitionConditionType `json:"type"`
		Status             v1.ConditionStatus                       `json:"status"`
		Reason             string                                   `json:"reason"`
		Message            string                                   `json:"message"`
		LastTransitionTime v1.Time                                  `json:"lastTransitionTime"`
	}
	type CustomResourceDefinitionStatus struct {
		StoredVersions []string                            `json:"storedVersions"`
		AcceptedNames  v1.CustomResourceDefinitionNames    `json:"acceptedNames"`
		Conditions     []CustomResourceDefinitionCondition `json:"conditions"`
	}
	type CustomResourceDefinition struct {
		v1.TypeMeta   `json:""`
		v1.ObjectMeta `json:"metadata"`
		Spec          CustomResourceDefinitionSpec   `json:"spec"`
		Status        CustomResourceDefinitionStatus `json:"status"`
	}
	return new(CustomResourceDefinition)
}

// CustomResourceDefinitionSpec is the spec of a definition. What all versions
// share may stand at its top.
type CustomResourceDefinitionSpec struct {
	Scope                    v1.ResourceScope                  `json:"scope"`
	Group                    string                            `json:"group"`
	Names                    v1.CustomResourceDefinitionNames  `json:"names"`
	PreserveUnknownFields    *bool                             `json:"preserveUnknownFields"`
	Conversion               *CustomResourceConversion         `json:"conversion"`
	Version                  string                            `json:"version"`
	Versions                 []CustomResourceDefinitionVersion `json:"versions"`
	Validation               *v1.CustomResourceValidation      `json:"validation"`
	Subresources             *v1.CustomResourceSubresources    `json:"subresources"`
	SelectableFields         []v1.SelectableField              `json:"selectableFields"`
	AdditionalPrinterColumns []CustomResourceColumnDefinition  `json:"additionalPrinterColumns"`
}

// CustomResourceConversion describes how objects are converted between
// versions.
type CustomResourceConversion struct {
	Strategy                 v1.ConversionStrategyType `json:"strategy"`
	ConversionReviewVersions []string                  `json:"conversionReviewVersions"`
	WebhookClientConfig      *v1.WebhookClientConfig   `json:"webhookClientConfig"`
}

// CustomResourceDefinitionVersion is one version of a definition.
type CustomResourceDefinitionVersion struct {
	Name                     string                           `json:"name"`
	Storage                  bool                             `json:"storage"`
	Served                   bool                             `json:"served"`
	Deprecated               bool                             `json:"deprecated"`
	DeprecationWarning       *string                          `json:"deprecationWarning"`
	Subresources             *v1.CustomResourceSubresources   `json:"subresources"`
	Schema                   *v1.CustomResourceValidation     `json:"schema"`
	SelectableFields         []v1.SelectableField             `json:"selectableFields"`
	AdditionalPrinterColumns []CustomResourceColumnDefinition `json:"additionalPrinterColumns"`
}

// CustomResourceColumnDefinition is a column of the server's tables.
type CustomResourceColumnDefinition struct {
	Name        string `json:"name"`
	JSONPath    string `json:"JSONPath"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Priority    int32  `json:"priority"`
	Description string `json:"description"`
}

// ErrorText returns a decoder's error text with the names of v1beta1 for the
// types that are shared with v1. Types of metadata keep their names: they are
// not of this API group.
func ErrorText(text string) string {
	const of = " of type "
	at := strings.LastIndex(text, of)
	if at < 0 {
		return text
	}
	typ := text[at+len(of):]
	for _, meta := range [...]string{"ObjectMeta", "OwnerReference", "ManagedFields", "Time"} {
		if strings.Contains(typ, "v1."+meta) {
			return text
		}
	}
	return text[:at+len(of)] + strings.ReplaceAll(typ, "v1.", "v1beta1.")
}
