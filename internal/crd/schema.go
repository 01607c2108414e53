package crd

// JSONSchemaProps is one node of an openAPIV3Schema as it was written: every keyword that the API type has, supported or
// not, before any rule is applied. A keyword's absence is its zero value; nil and empty differ where the server tells them apart.
//
// The types of this file have the names and the order of fields of the API server's internal types: errors show whole values as
// the JSON of these (CRD-001), and one rule goes by the order (CRD-141).
type JSONSchemaProps struct {
	ID, Schema  string
	Ref         *string
	Description string
	Type        string
	Nullable    bool
	Format      string
	Title       string

	Default any // nil: no default; a literal null is none

	Maximum              *float64
	ExclusiveMaximum     bool
	Minimum              *float64
	ExclusiveMinimum     bool
	MaxLength, MinLength *int64
	Pattern              string
	MaxItems, MinItems   *int64
	UniqueItems          bool
	MultipleOf           *float64
	Enum                 []any

	MaxProperties, MinProperties *int64
	Required                     []string

	Items                *SchemaOrArray
	AllOf, OneOf, AnyOf  []*JSONSchemaProps
	Not                  *JSONSchemaProps
	Properties           map[string]*JSONSchemaProps
	AdditionalProperties *SchemaOrBool
	PatternProperties    map[string]*JSONSchemaProps
	Dependencies         map[string]*SchemaOrStringArray
	AdditionalItems      *SchemaOrBool
	Definitions          map[string]*JSONSchemaProps

	ExternalDocs *ExternalDocumentation
	Example      any // nil: none

	XPreserveUnknownFields *bool
	XEmbeddedResource      bool
	XIntOrString           bool
	XListMapKeys           []string
	XListType              *string
	XMapType               *string
	XValidations           []ValidationRule
}

// SchemaOrArray is the value of items: a schema, a list of schemas, or (both nil) neither.
type SchemaOrArray struct {
	Schema      *JSONSchemaProps
	JSONSchemas []*JSONSchemaProps
}

// SchemaOrBool is the value of additionalProperties and additionalItems: a schema (Allows is then true) or a boolean.
type SchemaOrBool struct {
	Allows bool
	Schema *JSONSchemaProps
}

// SchemaOrStringArray is a value of dependencies: a schema, a list of names, or (both nil) neither.
type SchemaOrStringArray struct {
	Schema   *JSONSchemaProps
	Property []string
}

// ExternalDocumentation is the value of externalDocs.
type ExternalDocumentation struct {
	Description, URL string
}

// ValidationRule is one entry of x-kubernetes-validations.
type ValidationRule struct {
	Rule, Message, MessageExpression string
	Reason                           *string
	FieldPath                        string
	OptionalOldSelf                  *bool
}
