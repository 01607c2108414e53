// Package v1beta1 holds what the version v1beta1 of the API group apiextensions.k8s.io has other than v1, for the same purpose:
// what only the API server's own decoder can tell. Error texts name the types; [ErrorText] gives those shared with v1 their name here.
package v1beta1

import (
	"strings"

	v1 "github.com/crdsem/crdsem/internal/crd/v1"
)

// CustomResourceDefinition is a definition.
type CustomResourceDefinition struct {
	v1.TypeMeta   `json:""`
	v1.ObjectMeta `json:"metadata"`
	Spec          CustomResourceDefinitionSpec      `json:"spec"`
	Status        v1.CustomResourceDefinitionStatus `json:"status"`
}

// CustomResourceDefinitionSpec is the spec of a definition: what all versions have in common may stand at its top.
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

// CustomResourceConversion says how objects are converted between versions.
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

// CustomResourceColumnDefinition is a column of the server's table output.
type CustomResourceColumnDefinition struct {
	Name        string `json:"name"`
	JSONPath    string `json:"JSONPath"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Priority    int32  `json:"priority"`
	Description string `json:"description"`
}

// ErrorText returns a decoder's error text with the names that shared types have in this version. Metadata is not of this API group.
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
