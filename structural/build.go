package structural

import (
	"fmt"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// position is where a decoded schema stands: on the spine or in a junctor. The
// model keeps more of a nested node (STR-026, STR-028).
type position uint8

const (
	onSpine position = iota
	isNested
)

// node builds the node of a decoded schema, once for each position. Equal parts
// of a document are often one decoded schema.
func (b *builder) node(p *crd.JSONSchemaProps, at position) (*Schema, error) {
	if p == nil {
		return nil, nil
	}
	asked := conversion{p, at}
	if known, ok := b.converted[asked]; ok {
		return known.schema, known.err
	}
	s, err := b.convert(p, at)
	b.converted[asked] = converted{s, err}
	return s, err
}

// convert meets errors in the server's order: first the node's own unsupported
// keywords, then not, allOf, anyOf, oneOf, the preserve flag, items, properties
// and additionalProperties.
func (b *builder) convert(p *crd.JSONSchemaProps, at position) (*Schema, error) {
	if err := unsupported(p); err != nil {
		return nil, err
	}
	k := keywords{
		description: p.Description, typ: p.Type, title: p.Title,
		def: p.Default, example: p.Example, nullable: p.Nullable,
		embedded: p.XEmbeddedResource, intOrString: p.XIntOrString,
		listMapKeys: p.XListMapKeys, listType: p.XListType, mapType: p.XMapType,
		rules: rulesOf(p.XValidations),
	}
	if d := p.ExternalDocs; d != nil {
		k.externalDocs = &ExternalDocs{Description: d.Description, URL: d.URL}
	}
	values := convertValues(p)
	if err := b.junctors(&values, p); err != nil {
		return nil, err
	}
	k.values = b.internValues(&values)
	if p.XPreserveUnknownFields != nil {
		if !*p.XPreserveUnknownFields {
			const text = "internal error: " +
				"'x-kubernetes-preserve-unknown-fields' must be true or undefined"
			return nil, &ConversionError{Text: text, Rule: "STR-019"}
		}
		k.preserve = true
	}
	if err := b.children(&k, p, at); err != nil {
		return nil, err
	}
	return b.internKnown(&k), nil
}

func unsupported(p *crd.JSONSchemaProps) error {
	for _, c := range [...]struct {
		present    bool
		name, rule string
	}{
		{p.ID != "", "id", "STR-011"},
		{p.Schema != "", "schema", "STR-012"},
		{p.Ref != nil && *p.Ref != "", "$ref", "STR-013"},
		{len(p.PatternProperties) > 0, "patternProperties", "STR-014"},
		{len(p.Dependencies) > 0, "dependencies", "STR-015"},
		{p.AdditionalItems != nil, "additionalItems", "STR-016"},
		{len(p.Definitions) > 0, "definitions", "STR-017"},
	} {
		if c.present {
			text := fmt.Sprintf("OpenAPIV3Schema '%s' is not supported", c.name)
			return &ConversionError{Text: text, Rule: c.rule}
		}
	}
	return nil
}

func rulesOf(in []crd.ValidationRule) []Rule {
	if in == nil {
		return nil
	}
	out := make([]Rule, len(in))
	for i, r := range in {
		out[i] = Rule{
			Rule: r.Rule, Message: r.Message, MessageExpression: r.MessageExpression,
			FieldPath: r.FieldPath, OptionalOldSelf: r.OptionalOldSelf,
		}
		if r.Reason != nil {
			out[i].Reason, out[i].HasReason = *r.Reason, true
		}
	}
	return out
}

func convertValues(p *crd.JSONSchemaProps) ValueValidation {
	v := ValueValidation{
		Format: p.Format, Maximum: p.Maximum, Minimum: p.Minimum, MultipleOf: p.MultipleOf,
		ExclusiveMaximum: p.ExclusiveMaximum, ExclusiveMinimum: p.ExclusiveMinimum,
		MaxLength: p.MaxLength, MinLength: p.MinLength, Pattern: p.Pattern,
		MaxItems: p.MaxItems, MinItems: p.MinItems, UniqueItems: p.UniqueItems,
		MaxProperties: p.MaxProperties, MinProperties: p.MinProperties, Required: p.Required,
	}
	if len(p.Enum) > 0 {
		v.Enum = p.Enum
	}
	return v
}

func (b *builder) junctors(v *ValueValidation, p *crd.JSONSchemaProps) (err error) {
	if v.Not, err = b.node(p.Not, isNested); err != nil {
		return err
	}
	for _, j := range []struct {
		from []*crd.JSONSchemaProps
		to   *[]*Schema
	}{{p.AllOf, &v.AllOf}, {p.AnyOf, &v.AnyOf}, {p.OneOf, &v.OneOf}} {
		for _, branch := range j.from {
			node, err := b.node(branch, isNested)
			if err != nil {
				return err
			}
			*j.to = append(*j.to, node)
		}
	}
	return nil
}

func (b *builder) children(k *keywords, p *crd.JSONSchemaProps, at position) (err error) {
	if p.Items != nil {
		if len(p.Items.JSONSchemas) > 0 {
			const text = "OpenAPIV3Schema 'items' must be a schema, but is an array"
			return &ConversionError{Text: text, Rule: "STR-018"}
		}
		if k.items, err = b.node(p.Items.Schema, at); err != nil {
			return err
		}
	}
	if len(p.Properties) > 0 || p.Properties != nil && at == isNested { // STR-026, STR-028
		names := jsonvalue.SortedKeys(p.Properties)
		nodes := make([]*Schema, len(names))
		for i, name := range names {
			if nodes[i], err = b.node(p.Properties[name], at); err != nil {
				return err
			}
		}
		k.properties = newProperties(names, nodes)
	}
	if p.AdditionalProperties != nil {
		k.additional = &AdditionalProperties{Allows: p.AdditionalProperties.Allows}
		if k.additional.Schema, err = b.node(p.AdditionalProperties.Schema, at); err != nil {
			return err
		}
	}
	return nil
}
