package apiextensions

// schemaInto fills a schema from a value; null leaves it empty.
func (r *reader) schemaInto(p *JSONSchemaProps, value any) {
	for key, v := range r.object(value) {
		if !r.describes(p, key, v) && !r.restricts(p, key, v) && !r.structures(p, key, v) && !r.extends(p, key, v) {
			r.unknownKey()
		}
	}
}

func (r *reader) schema(to **JSONSchemaProps, value any) {
	if value != nil {
		*to = &JSONSchemaProps{}
		r.schemaInto(*to, value)
	}
}

func (r *reader) schemas(to *[]*JSONSchemaProps, value any) {
	list(r, to, value, func(p **JSONSchemaProps, v any) {
		*p = &JSONSchemaProps{}
		r.schemaInto(*p, v)
	})
}

// describes reads the keywords that say what a node is; false: key is none of them.
func (r *reader) describes(p *JSONSchemaProps, key string, v any) bool {
	switch key {
	case "type":
		read(r, &p.Type, v)
	case "description":
		read(r, &p.Description, v)
	case "format":
		read(r, &p.Format, v)
	case "title":
		read(r, &p.Title, v)
	case "nullable":
		read(r, &p.Nullable, v)
	case "default":
		p.Default = r.copyOf(v)
	case "example":
		p.Example = r.copyOf(v)
	case "externalDocs":
		r.externalDocs(&p.ExternalDocs, v)
	case "id":
		read(r, &p.ID, v)
	case "$schema":
		read(r, &p.Schema, v)
	case "$ref":
		readPointer(r, &p.Ref, v)
	default:
		return false
	}
	return true
}

// restricts reads the keywords that restrict a value by itself; false: key is none of them.
func (r *reader) restricts(p *JSONSchemaProps, key string, v any) bool {
	switch key {
	case "maximum":
		r.number(&p.Maximum, v)
	case "minimum":
		r.number(&p.Minimum, v)
	case "multipleOf":
		r.number(&p.MultipleOf, v)
	case "exclusiveMaximum":
		read(r, &p.ExclusiveMaximum, v)
	case "exclusiveMinimum":
		read(r, &p.ExclusiveMinimum, v)
	case "maxLength":
		readPointer(r, &p.MaxLength, v)
	case "minLength":
		readPointer(r, &p.MinLength, v)
	case "pattern":
		read(r, &p.Pattern, v)
	case "maxItems":
		readPointer(r, &p.MaxItems, v)
	case "minItems":
		readPointer(r, &p.MinItems, v)
	case "uniqueItems":
		read(r, &p.UniqueItems, v)
	case "maxProperties":
		readPointer(r, &p.MaxProperties, v)
	case "minProperties":
		readPointer(r, &p.MinProperties, v)
	case "required":
		r.strings(&p.Required, v)
	case "enum":
		list(r, &p.Enum, v, func(to *any, item any) { *to = r.copyOf(item) })
	default:
		return false
	}
	return true
}

// structures reads the keywords that hold schemas; false: key is none of them.
func (r *reader) structures(p *JSONSchemaProps, key string, v any) bool {
	switch key {
	case "properties":
		dictionary(r, &p.Properties, v, r.schemaInto)
	case "items":
		r.items(p, v)
	case "additionalProperties":
		r.schemaOrBool(&p.AdditionalProperties, v)
	case "additionalItems":
		r.schemaOrBool(&p.AdditionalItems, v)
	case "allOf":
		r.schemas(&p.AllOf, v)
	case "anyOf":
		r.schemas(&p.AnyOf, v)
	case "oneOf":
		r.schemas(&p.OneOf, v)
	case "not":
		r.schema(&p.Not, v)
	case "patternProperties":
		dictionary(r, &p.PatternProperties, v, r.schemaInto)
	case "definitions":
		dictionary(r, &p.Definitions, v, r.schemaInto)
	case "dependencies":
		dictionary(r, &p.Dependencies, v, r.schemaOrNames)
	default:
		return false
	}
	return true
}

// extends reads the x-kubernetes extensions; false: key is none of them.
func (r *reader) extends(p *JSONSchemaProps, key string, v any) bool {
	switch key {
	case "x-kubernetes-preserve-unknown-fields":
		readPointer(r, &p.XPreserveUnknownFields, v)
	case "x-kubernetes-embedded-resource":
		read(r, &p.XEmbeddedResource, v)
	case "x-kubernetes-int-or-string":
		read(r, &p.XIntOrString, v)
	case "x-kubernetes-list-map-keys":
		r.strings(&p.XListMapKeys, v)
	case "x-kubernetes-list-type":
		readPointer(r, &p.XListType, v)
	case "x-kubernetes-map-type":
		readPointer(r, &p.XMapType, v)
	case "x-kubernetes-validations":
		list(r, &p.XValidations, v, r.rule)
	default:
		return false
	}
	return true
}

// items is a union: below it a strict decoder sees nothing. What is neither object nor list is an empty union.
func (r *reader) items(p *JSONSchemaProps, value any) {
	if value == nil {
		return
	}
	r.unseen++
	p.Items = &SchemaOrArray{}
	switch value.(type) {
	case map[string]any:
		r.schema(&p.Items.Schema, value)
	case []any:
		r.schemas(&p.Items.JSONSchemas, value)
	}
	r.unseen--
}

func (r *reader) schemaOrBool(to **SchemaOrBool, value any) {
	r.unseen++
	switch v := value.(type) {
	case nil:
	case bool:
		*to = &SchemaOrBool{Allows: v}
	case map[string]any:
		*to = &SchemaOrBool{Allows: true}
		r.schema(&(*to).Schema, v)
	default:
		r.wrong()
	}
	r.unseen--
}

func (r *reader) schemaOrNames(to *SchemaOrStringArray, value any) {
	r.unseen++
	switch value.(type) {
	case map[string]any:
		r.schema(&to.Schema, value)
	case []any:
		r.strings(&to.Property, value)
	}
	r.unseen--
}

func (r *reader) externalDocs(to **ExternalDocumentation, value any) {
	if value == nil {
		return
	}
	*to = &ExternalDocumentation{}
	for key, v := range r.object(value) {
		switch key {
		case "description":
			read(r, &(*to).Description, v)
		case "url":
			read(r, &(*to).URL, v)
		default:
			r.unknownKey()
		}
	}
}

func (r *reader) rule(to *ValidationRule, value any) {
	for key, v := range r.object(value) {
		switch key {
		case "rule":
			read(r, &to.Rule, v)
		case "message":
			read(r, &to.Message, v)
		case "messageExpression":
			read(r, &to.MessageExpression, v)
		case "reason":
			readPointer(r, &to.Reason, v)
		case "fieldPath":
			read(r, &to.FieldPath, v)
		case "optionalOldSelf":
			readPointer(r, &to.OptionalOldSelf, v)
		default:
			r.unknownKey()
		}
	}
}
