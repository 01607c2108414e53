package v1

// CustomResourceDefinition is a definition.
type CustomResourceDefinition struct {
	TypeMeta   `json:""`
	ObjectMeta `json:"metadata"`
	Spec       CustomResourceDefinitionSpec   `json:"spec"`
	Status     CustomResourceDefinitionStatus `json:"status"`
}

// CustomResourceDefinitionSpec is the spec of a definition.
type CustomResourceDefinitionSpec struct {
	Scope                 ResourceScope                     `json:"scope"`
	Group                 string                            `json:"group"`
	Names                 CustomResourceDefinitionNames     `json:"names"`
	PreserveUnknownFields bool                              `json:"preserveUnknownFields"`
	Conversion            *CustomResourceConversion         `json:"conversion"`
	Versions              []CustomResourceDefinitionVersion `json:"versions"`
}

// ResourceScope is Cluster or Namespaced.
type ResourceScope string

// CustomResourceConversion describes how objects are converted between
// versions.
type CustomResourceConversion struct {
	Webhook  *WebhookConversion     `json:"webhook"`
	Strategy ConversionStrategyType `json:"strategy"`
}

// ConversionStrategyType is None or Webhook.
type ConversionStrategyType string

// WebhookConversion is the configuration of a conversion webhook.
type WebhookConversion struct {
	ConversionReviewVersions []string             `json:"conversionReviewVersions"`
	ClientConfig             *WebhookClientConfig `json:"clientConfig"`
}

// WebhookClientConfig describes how a conversion webhook is reached.
type WebhookClientConfig struct {
	CABundle []byte            `json:"caBundle"`
	Service  *ServiceReference `json:"service"`
	URL      *string           `json:"url"`
}

// ServiceReference is a Service in the cluster.
type ServiceReference struct {
	Name      string  `json:"name"`
	Namespace string  `json:"namespace"`
	Port      *int32  `json:"port"`
	Path      *string `json:"path"`
}

// CustomResourceDefinitionVersion is one version of a definition.
type CustomResourceDefinitionVersion struct {
	Name                     string                           `json:"name"`
	Storage                  bool                             `json:"storage"`
	Served                   bool                             `json:"served"`
	Deprecated               bool                             `json:"deprecated"`
	DeprecationWarning       *string                          `json:"deprecationWarning"`
	Subresources             *CustomResourceSubresources      `json:"subresources"`
	Schema                   *CustomResourceValidation        `json:"schema"`
	SelectableFields         []SelectableField                `json:"selectableFields"`
	AdditionalPrinterColumns []CustomResourceColumnDefinition `json:"additionalPrinterColumns"`
}

// CustomResourceValidation holds the schema of a version.
type CustomResourceValidation struct {
	OpenAPIV3Schema *JSONSchemaProps `json:"openAPIV3Schema"`
}

// CustomResourceSubresources names the subresources of a version.
type CustomResourceSubresources struct {
	Scale  *CustomResourceSubresourceScale  `json:"scale"`
	Status *CustomResourceSubresourceStatus `json:"status"`
}

// CustomResourceSubresourceStatus turns the status subresource on.
type CustomResourceSubresourceStatus struct{}

// CustomResourceSubresourceScale has the JSON paths of the fields of the scale
// subresource.
type CustomResourceSubresourceScale struct {
	LabelSelectorPath  *string `json:"labelSelectorPath"`
	StatusReplicasPath string  `json:"statusReplicasPath"`
	SpecReplicasPath   string  `json:"specReplicasPath"`
}

// SelectableField is a field that field selectors may use.
type SelectableField struct {
	JSONPath string `json:"jsonPath"`
}

// CustomResourceColumnDefinition is a column of the server's tables.
type CustomResourceColumnDefinition struct {
	Name        string `json:"name"`
	JSONPath    string `json:"jsonPath"`
	Type        string `json:"type"`
	Format      string `json:"format"`
	Priority    int32  `json:"priority"`
	Description string `json:"description"`
}

// CustomResourceDefinitionNames are the names of the defined resource and kind.
type CustomResourceDefinitionNames struct {
	Kind       string   `json:"kind"`
	ListKind   string   `json:"listKind"`
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular"`
	ShortNames []string `json:"shortNames"`
	Categories []string `json:"categories"`
}

// CustomResourceDefinitionStatus is the status of a definition.
type CustomResourceDefinitionStatus struct {
	StoredVersions     []string                            `json:"storedVersions"`
	AcceptedNames      CustomResourceDefinitionNames       `json:"acceptedNames"`
	Conditions         []CustomResourceDefinitionCondition `json:"conditions"`
	ObservedGeneration int64                               `json:"observedGeneration"`
}

// CustomResourceDefinitionCondition is a condition of a definition.
type CustomResourceDefinitionCondition struct {
	Type               CustomResourceDefinitionConditionType `json:"type"`
	Status             ConditionStatus                       `json:"status"`
	Reason             string                                `json:"reason"`
	Message            string                                `json:"message"`
	LastTransitionTime Time                                  `json:"lastTransitionTime"`
	ObservedGeneration int64                                 `json:"observedGeneration"`
}

// CustomResourceDefinitionConditionType names a condition.
type CustomResourceDefinitionConditionType string

// ConditionStatus is True, False or Unknown.
type ConditionStatus string
