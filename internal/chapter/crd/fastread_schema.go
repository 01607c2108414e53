package crd

import "github.com/crdsem/crdsem/internal/base/dom"

// schemaOf returns the schema that a node holds. Null is an empty schema.
func (r *reader) schemaOf(value *dom.Node) *JSONSchemaProps {
	known, ok := r.known[value]
	if !ok {
		known = r.newSchema(value)
		if r.known == nil {
			r.known = map[*dom.Node]knownSchema{}
		}
		r.known[value] = known
	}
	if known.unknown {
		r.unknownKey()
	}
	return known.props
}

// newSchema reads a schema as if it stood outside of unions: the result serves
// for every place of the node.
func (r *reader) newSchema(value *dom.Node) knownSchema {
	unknown, unseen := r.unknown, r.unseen
	r.unknown, r.unseen = false, 0
	p := &JSONSchemaProps{}
	for _, member := range r.object(value) {
		key, v := member.Key(), member.Value
		known := r.describes(p, key, v) || r.restricts(p, key, v) ||
			r.structures(p, key, v) || r.extends(p, key, v)
		if !known {
			r.unknownKey()
		}
	}
	out := knownSchema{p, r.unknown}
	r.unknown, r.unseen = unknown, unseen
	return out
}

func (r *reader) schema(to **JSONSchemaProps, value *dom.Node) {
	if value != nil {
		*to = r.schemaOf(value)
	}
}

func (r *reader) schemas(to *[]*JSONSchemaProps, value *dom.Node) {
	list(r, to, value, func(p **JSONSchemaProps, v *dom.Node) { *p = r.schemaOf(v) })
}

// describes reads the keywords that describe a value, e.g. type and
// description. It reports whether key is one of them.
func (r *reader) describes(p *JSONSchemaProps, key string, v *dom.Node) bool {
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
		p.Default = v.Value()
	case "example":
		p.Example = v.Value()
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

// restricts reads the keywords that restrict a value, e.g. maxLength. It
// reports whether key is one of them.
func (r *reader) restricts(p *JSONSchemaProps, key string, v *dom.Node) bool {
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
		list(r, &p.Enum, v, func(to *any, item *dom.Node) { *to = item.Value() })
	default:
		return false
	}
	return true
}

// structures reads the keywords that hold schemas, e.g. properties. It reports
// whether key is one of them.
func (r *reader) structures(p *JSONSchemaProps, key string, v *dom.Node) bool {
	switch key {
	case "properties":
		dictionary(r, &p.Properties, v, r.schemaOf)
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
		dictionary(r, &p.PatternProperties, v, r.schemaOf)
	case "definitions":
		dictionary(r, &p.Definitions, v, r.schemaOf)
	case "dependencies":
		dictionary(r, &p.Dependencies, v, r.schemaOrNames)
	default:
		return false
	}
	return true
}

// extends reads the x-kubernetes extensions. It reports whether key is one of
// them.
func (r *reader) extends(p *JSONSchemaProps, key string, v *dom.Node) bool {
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

// items reads a union of a schema and a list of schemas. A strict decoder does
// not look into unions. A value that is neither is an empty union.
func (r *reader) items(p *JSONSchemaProps, value *dom.Node) {
	if value == nil {
		return
	}
	r.unseen++
	p.Items = &SchemaOrArray{}
	if _, ok := value.Members(); ok {
		p.Items.Schema = r.schemaOf(value)
	} else if _, ok := value.Items(); ok {
		r.schemas(&p.Items.JSONSchemas, value)
	}
	r.unseen--
}

func (r *reader) schemaOrBool(to **SchemaOrBool, value *dom.Node) {
	if value == nil {
		return
	}
	r.unseen++
	if allows, ok := value.Scalar().(bool); ok {
		*to = &SchemaOrBool{Allows: allows}
	} else if _, ok := value.Members(); ok {
		*to = &SchemaOrBool{Allows: true, Schema: r.schemaOf(value)}
	} else {
		r.wrong()
	}
	r.unseen--
}

func (r *reader) schemaOrNames(value *dom.Node) *SchemaOrStringArray {
	r.unseen++
	to := &SchemaOrStringArray{}
	if _, ok := value.Members(); ok {
		to.Schema = r.schemaOf(value)
	} else if _, ok := value.Items(); ok {
		r.strings(&to.Property, value)
	}
	r.unseen--
	return to
}

func (r *reader) externalDocs(to **ExternalDocumentation, value *dom.Node) {
	if value == nil {
		return
	}
	*to = &ExternalDocumentation{}
	for _, member := range r.object(value) {
		key, v := member.Key(), member.Value
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

func (r *reader) rule(to *ValidationRule, value *dom.Node) {
	for _, member := range r.object(value) {
		key, v := member.Key(), member.Value
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
