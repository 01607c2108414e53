package crd

import "time"

// CustomResourceDefinition is a definition in the form into which documents of
// v1 and v1beta1 are decoded: what all versions share stands at the top of the
// spec, not in the versions (CRD-011). The types have the names and the order
// of fields of the API server's internal types, because errors show whole
// values as the JSON of these types.
type CustomResourceDefinition struct {
	_ [0]string `api:"apiVersion"`
	_ [0]string `api:"kind"`
	// Metadata is coerced. It is nil if the document has none.
	Metadata map[string]any
	Spec     CustomResourceDefinitionSpec
	Status   CustomResourceDefinitionStatus
}

// CustomResourceDefinitionSpec is the spec of a definition.
type CustomResourceDefinitionSpec struct {
	Group                    string
	Version                  string `v1:"-"` // name of the first version
	Names                    CustomResourceDefinitionNames
	Scope                    string
	Validation               *CustomResourceValidation   `v1:"-"`
	Subresources             *CustomResourceSubresources `v1:"-"`
	Versions                 []CustomResourceDefinitionVersion
	AdditionalPrinterColumns []CustomResourceColumnDefinition `v1:"-"`
	SelectableFields         []SelectableField                `v1:"-"`
	Conversion               *CustomResourceConversion
	PreserveUnknownFields    *bool
}

// CustomResourceDefinitionVersion is one version of a definition.
type CustomResourceDefinitionVersion struct {
	Name                     string
	Served                   bool
	Storage                  bool
	Deprecated               bool
	DeprecationWarning       *string
	Schema                   *CustomResourceValidation
	Subresources             *CustomResourceSubresources
	AdditionalPrinterColumns []CustomResourceColumnDefinition
	SelectableFields         []SelectableField
}

// CustomResourceValidation holds the schema of a version.
type CustomResourceValidation struct {
	OpenAPIV3Schema *JSONSchemaProps
}

// CustomResourceSubresources names the subresources of a version.
type CustomResourceSubresources struct {
	Status *CustomResourceSubresourceStatus
	Scale  *CustomResourceSubresourceScale
}

// CustomResourceSubresourceStatus turns the status subresource on.
type CustomResourceSubresourceStatus struct{}

// CustomResourceSubresourceScale turns the scale subresource on and has the
// JSON paths of its fields.
type CustomResourceSubresourceScale struct {
	SpecReplicasPath   string
	StatusReplicasPath string
	LabelSelectorPath  *string
}

// CustomResourceColumnDefinition is a column of the server's tables.
type CustomResourceColumnDefinition struct {
	Name        string
	Type        string
	Format      string
	Description string
	Priority    int32
	JSONPath    string `v1:"jsonPath" v1beta1:"JSONPath"`
}

// SelectableField is a field that field selectors may use.
type SelectableField struct {
	JSONPath string `api:"jsonPath"`
}

// CustomResourceDefinitionNames are the names of the defined resource and kind.
type CustomResourceDefinitionNames struct {
	Plural     string
	Singular   string
	ShortNames []string
	Kind       string
	ListKind   string
	Categories []string
}

// CustomResourceConversion describes how objects are converted between
// versions.
type CustomResourceConversion struct {
	Strategy                 string
	WebhookClientConfig      *WebhookClientConfig `v1:"webhook.clientConfig"`
	ConversionReviewVersions []string             `v1:"webhook.conversionReviewVersions"`
}

// WebhookClientConfig describes how a conversion webhook is reached.
type WebhookClientConfig struct {
	URL      *string `api:"url"`
	Service  *ServiceReference
	CABundle []byte `api:"caBundle"`
}

// ServiceReference is a Service in the cluster.
type ServiceReference struct {
	Namespace string
	Name      string
	Path      *string
	Port      int32
}

// CustomResourceDefinitionStatus is the status of a definition.
type CustomResourceDefinitionStatus struct {
	_ [0]int64 `api:"observedGeneration"`

	Conditions     []CustomResourceDefinitionCondition
	AcceptedNames  CustomResourceDefinitionNames
	StoredVersions []string
}

// CustomResourceDefinitionCondition has the fields of a condition that rules
// depend on.
type CustomResourceDefinitionCondition struct {
	_ [0]string    `api:"reason"`
	_ [0]string    `api:"message"`
	_ [0]time.Time `api:"lastTransitionTime"`
	_ [0]int64     `api:"observedGeneration"`

	Type, Status string
}
