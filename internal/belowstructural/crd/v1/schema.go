package v1

// JSONSchemaProps is a node of an openAPIV3Schema. Encoding keeps absent and
// null apart from empty: no field is omitted.
type JSONSchemaProps struct {
	ID          string        `json:"id"`
	Schema      JSONSchemaURL `json:"$schema"`
	Ref         *string       `json:"$ref"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Type        string        `json:"type"`
	Format      string        `json:"format"`
	Nullable    bool          `json:"nullable"`
	Default     *JSON         `json:"default"`
	Example     *JSON         `json:"example"`
	Enum        []JSON        `json:"enum"`

	Minimum          *float64 `json:"minimum"`
	Maximum          *float64 `json:"maximum"`
	MultipleOf       *float64 `json:"multipleOf"`
	ExclusiveMinimum bool     `json:"exclusiveMinimum"`
	ExclusiveMaximum bool     `json:"exclusiveMaximum"`
	MinLength        *int64   `json:"minLength"`
	MaxLength        *int64   `json:"maxLength"`
	Pattern          string   `json:"pattern"`
	MinItems         *int64   `json:"minItems"`
	MaxItems         *int64   `json:"maxItems"`
	UniqueItems      bool     `json:"uniqueItems"`
	MinProperties    *int64   `json:"minProperties"`
	MaxProperties    *int64   `json:"maxProperties"`
	Required         []string `json:"required"`

	Properties           map[string]JSONSchemaProps `json:"properties"`
	PatternProperties    map[string]JSONSchemaProps `json:"patternProperties"`
	Definitions          JSONSchemaDefinitions      `json:"definitions"`
	Dependencies         JSONSchemaDependencies     `json:"dependencies"`
	AdditionalProperties *JSONSchemaPropsOrBool     `json:"additionalProperties"`
	AdditionalItems      *JSONSchemaPropsOrBool     `json:"additionalItems"`
	Items                *JSONSchemaPropsOrArray    `json:"items"`

	Not          *JSONSchemaProps       `json:"not"`
	AllOf        []JSONSchemaProps      `json:"allOf"`
	AnyOf        []JSONSchemaProps      `json:"anyOf"`
	OneOf        []JSONSchemaProps      `json:"oneOf"`
	ExternalDocs *ExternalDocumentation `json:"externalDocs"`

	XIntOrString           bool            `json:"x-kubernetes-int-or-string"`
	XEmbeddedResource      bool            `json:"x-kubernetes-embedded-resource"`
	XPreserveUnknownFields *bool           `json:"x-kubernetes-preserve-unknown-fields"`
	XListType              *string         `json:"x-kubernetes-list-type"`
	XListMapKeys           []string        `json:"x-kubernetes-list-map-keys"`
	XMapType               *string         `json:"x-kubernetes-map-type"`
	XValidations           ValidationRules `json:"x-kubernetes-validations"`
}

// JSONSchemaURL is the value of $schema.
type JSONSchemaURL string

// JSONSchemaDefinitions is the value of definitions.
type JSONSchemaDefinitions map[string]JSONSchemaProps

// JSONSchemaDependencies is the value of dependencies.
type JSONSchemaDependencies map[string]JSONSchemaPropsOrStringArray

// ExternalDocumentation is the value of externalDocs.
type ExternalDocumentation struct {
	URL         string `json:"url"`
	Description string `json:"description"`
}

// ValidationRules is the value of x-kubernetes-validations.
type ValidationRules []ValidationRule

// ValidationRule is one entry of x-kubernetes-validations.
type ValidationRule struct {
	Rule              string                 `json:"rule"`
	FieldPath         string                 `json:"fieldPath"`
	Message           string                 `json:"message"`
	MessageExpression string                 `json:"messageExpression"`
	OptionalOldSelf   *bool                  `json:"optionalOldSelf"`
	Reason            *FieldValueErrorReason `json:"reason"`
}

// FieldValueErrorReason is the type of the error that a rule reports.
type FieldValueErrorReason string
