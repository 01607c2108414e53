package crd

// JSONSchemaProps is one node of an openAPIV3Schema as it was written: every
// keyword of the API type, supported or not, before any rule is applied. An
// absent keyword has its zero value. Nil and empty differ where the server
// distinguishes them.
//
// The types of this file have the names and the order of fields of the API
// server's internal types: errors show whole values as the JSON of these types,
// or in the syntax of Go (CRD-001), and one rule depends on the order
// (CRD-141). The tags "go" have the types of the server's fields where they are
// others.
type JSONSchemaProps struct {
	ID          string  `api:"id"`
	Schema      string  `api:"$schema"`
	Ref         *string `api:"$ref"`
	Description string
	Type        string
	Nullable    bool
	Format      string
	Title       string

	Default any `go:"*apiextensions.JSON"` // nil if there is no default, or if it is null

	Maximum              *float64
	ExclusiveMaximum     bool
	Minimum              *float64
	ExclusiveMinimum     bool
	MaxLength, MinLength *int64
	Pattern              string
	MaxItems, MinItems   *int64
	UniqueItems          bool
	MultipleOf           *float64
	Enum                 []any `go:"[]apiextensions.JSON"`

	MaxProperties, MinProperties *int64
	Required                     []string

	Items                *JSONSchemaPropsOrArray
	AllOf, OneOf, AnyOf  []*JSONSchemaProps
	Not                  *JSONSchemaProps
	Properties           map[string]*JSONSchemaProps
	AdditionalProperties *JSONSchemaPropsOrBool
	PatternProperties    map[string]*JSONSchemaProps
	Dependencies         map[string]*JSONSchemaPropsOrStringArray `go:"apiextensions.JSONSchemaDependencies"`
	AdditionalItems      *JSONSchemaPropsOrBool
	Definitions          map[string]*JSONSchemaProps `go:"apiextensions.JSONSchemaDefinitions"`

	ExternalDocs *ExternalDocumentation
	Example      any `go:"*apiextensions.JSON"` // nil if there is no example, or if it is null

	XPreserveUnknownFields *bool            `api:"x-kubernetes-preserve-unknown-fields"`
	XEmbeddedResource      bool             `api:"x-kubernetes-embedded-resource"`
	XIntOrString           bool             `api:"x-kubernetes-int-or-string"`
	XListMapKeys           []string         `api:"x-kubernetes-list-map-keys"`
	XListType              *string          `api:"x-kubernetes-list-type"`
	XMapType               *string          `api:"x-kubernetes-map-type"`
	XValidations           []ValidationRule `api:"x-kubernetes-validations" go:"apiextensions.ValidationRules"`
}

// JSONSchemaPropsOrArray is the value of items: a schema, a list of schemas, or
// neither. Both fields are then nil.
type JSONSchemaPropsOrArray struct {
	Schema      *JSONSchemaProps
	JSONSchemas []*JSONSchemaProps
}

// JSONSchemaPropsOrBool is the value of additionalProperties and
// additionalItems: a schema or a boolean. Allows is true if there is a schema.
type JSONSchemaPropsOrBool struct {
	Allows bool
	Schema *JSONSchemaProps
}

// JSONSchemaPropsOrStringArray is a value of dependencies: a schema, a list of
// names, or neither. Both fields are then nil.
type JSONSchemaPropsOrStringArray struct {
	Schema   *JSONSchemaProps
	Property []string
}

// ExternalDocumentation is the value of externalDocs.
type ExternalDocumentation struct {
	Description string
	URL         string `api:"url"`
}

// ValidationRule is one entry of x-kubernetes-validations.
type ValidationRule struct {
	Rule, Message, MessageExpression string
	Reason                           *string `go:"*apiextensions.FieldValueErrorReason"`
	FieldPath                        string
	OptionalOldSelf                  *bool
}
