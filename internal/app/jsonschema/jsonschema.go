package jsonschema

import (
	"math"
	"slices"
	"strings"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/belowstructural/metadata"
	"github.com/crdsem/crdsem/structural"
)

// draft is the draft of JSON Schema.
const draft = "http://json-schema.org/draft-07/schema#"

// Kind names the objects that a schema describes.
type Kind struct{ Group, Version, Kind string }

// File returns the path of a kind's schema in the layout, with slashes, e.g.
// "example.com/crontab_v1.json".
func File(kind Kind) string {
	return kind.Group + "/" + strings.ToLower(kind.Kind) + "_" + kind.Version + ".json"
}

// Option is an option of [Of].
type Option func(*maker)

// AllowUnknownFields accepts fields that a server prunes, as it does for
// requests with field validation Ignore. The default is to refuse them.
func AllowUnknownFields() Option { return func(m *maker) { m.allowsUnknown = true } }

// DropStatus accepts any status, since a server drops it from the objects of a
// version with a status subresource. The default is to describe it.
func DropStatus() Option { return func(m *maker) { m.dropsStatus = true } }

// Of returns the schema of a version's objects. A nil schema describes objects
// of any content. The result shares nothing with the argument.
func Of(s *structural.Schema, kind Kind, options ...Option) map[string]any {
	var m maker
	for _, option := range options {
		if option != nil {
			option(&m)
		}
	}
	out := map[string]any{"type": "object"}
	if s != nil {
		out = m.node(s)
	}
	properties, _ := out["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
	}
	properties["apiVersion"] = map[string]any{
		"type": "string", "const": kind.Group + "/" + kind.Version,
	}
	properties["kind"] = map[string]any{"type": "string", "const": kind.Kind}
	properties["metadata"] = m.metadata(s.Property("metadata"))
	if _, ok := properties["status"]; ok && m.dropsStatus {
		properties["status"] = map[string]any{"description": s.Property("status").Description()}
	}
	out["properties"] = properties
	require(out, "apiVersion", "kind")
	out["$schema"], out["title"] = draft, kind.Kind
	out["x-kubernetes-group-version-kind"] = []any{map[string]any{
		"group": kind.Group, "version": kind.Version, "kind": kind.Kind,
	}}
	return out
}

// All returns a schema of all kinds. It refers to their files, and accepts
// objects of other kinds.
func All(kinds []Kind) map[string]any {
	branches := make([]any, len(kinds))
	for i, kind := range kinds {
		is := func(value string) any { return map[string]any{"const": value} }
		branches[i] = map[string]any{
			"if": map[string]any{
				"properties": map[string]any{
					"apiVersion": is(kind.Group + "/" + kind.Version), "kind": is(kind.Kind),
				},
				"required": []any{"apiVersion", "kind"},
			},
			"then": map[string]any{"$ref": File(kind)},
		}
	}
	out := map[string]any{"$schema": draft}
	if len(branches) > 0 {
		out["allOf"] = branches
	}
	return out
}

// maker makes schemas.
type maker struct{ allowsUnknown, dropsStatus bool }

// node returns the schema of a node that fields have.
func (m *maker) node(s *structural.Schema) map[string]any {
	out := map[string]any{}
	for keyword, text := range map[string]string{
		"title": s.Title(), "description": description(s),
	} {
		if text != "" {
			out[keyword] = text
		}
	}
	if s.Default() != nil {
		out["default"] = jsonvalue.DeepCopy(s.Default())
	}
	m.values(s.Values(), s, out)
	var types []any
	switch {
	case s.IntOrString():
		types = []any{"integer", "string"}
	case s.Type() != "":
		types = []any{s.Type()}
	}
	if s.Nullable() && types != nil {
		types = append(types, "null")
	}
	setTypes(out, types)
	// A server refuses a null that an enum lists.
	if enum, ok := out["enum"].([]any); ok && s.Nullable() {
		out["enum"] = slices.DeleteFunc(enum, func(v any) bool { return v == nil })
	}
	if s.Type() == "integer" && s.Values().Format == "int32" {
		bound(out, "minimum", "exclusiveMinimum", math.MinInt32)
		bound(out, "maximum", "exclusiveMaximum", math.MaxInt32)
	}
	m.children(s, out)
	if s.ListType() == structural.ListSet {
		out["uniqueItems"] = true
	}
	return out
}

// bound sets a limit, unless there is one.
func bound(out map[string]any, keyword, exclusive string, value int64) {
	if out[keyword] == nil && out[exclusive] == nil {
		out[keyword] = value
	}
}

// setTypes sets a type, or a list of several.
func setTypes(out map[string]any, types []any) {
	switch len(types) {
	case 0:
	case 1:
		out["type"] = types[0]
	default:
		out["type"] = types
	}
}

// children adds the schemas of a node's fields and items.
func (m *maker) children(s *structural.Schema, out map[string]any) {
	if s.Items() != nil {
		out["items"] = m.node(s.Items())
	}
	properties := map[string]any{}
	for name, property := range s.Properties() {
		properties[name] = m.field(property, slices.Contains(s.Values().Required, name))
	}
	additional := s.AdditionalProperties()
	switch {
	case additional != nil && additional.Schema != nil:
		out["additionalProperties"] = m.field(additional.Schema, false)
	case additional != nil:
		out["additionalProperties"] = additional.Allows
	case s.Type() == "object" && !s.PreservesUnknownFields() && !m.allowsUnknown:
		out["additionalProperties"] = false
	}
	if s.EmbeddedResource() {
		properties["apiVersion"] = map[string]any{"type": "string", "minLength": 1}
		properties["kind"] = map[string]any{"type": "string", "minLength": 1}
		properties["metadata"] = m.metadata(s.Property("metadata"))
		require(out, "apiVersion", "kind")
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
}

// field returns the schema of an object's field. The server drops nulls that
// are not nullable, or puts a default in their place.
func (m *maker) field(s *structural.Schema, isRequired bool) map[string]any {
	out := m.node(s)
	_, isTyped := out["type"]
	if s.Nullable() || isRequired && s.Default() == nil || !isTyped && out["enum"] == nil {
		return out
	}
	for _, junctor := range junctors {
		if out[junctor] == nil {
			continue
		}
		either := map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
		for _, keyword := range [...]string{"title", "description", "default"} {
			if value, ok := out[keyword]; ok {
				either[keyword] = value
				delete(out, keyword)
			}
		}
		return either
	}
	switch types := out["type"].(type) {
	case string:
		out["type"] = []any{types, "null"}
	case []any:
		out["type"] = append(types, "null")
	}
	if enum, ok := out["enum"].([]any); ok && !slices.Contains(enum, nil) {
		out["enum"] = append(enum, nil)
	}
	return out
}

// metadata returns the schema of an object's metadata, with what a definition
// adds for its name.
func (m *maker) metadata(declared *structural.Schema) map[string]any {
	out := m.metadataFields(metadata.Fields())
	if declared != nil {
		out["allOf"] = []any{m.branch(declared, nil)}
	}
	return out
}

// metadataFields returns the schema of a struct of the metadata. Its reader
// takes null for every field.
func (m *maker) metadataFields(fields []metadata.Field) map[string]any {
	properties := map[string]any{}
	for _, f := range fields {
		field := map[string]any{}
		switch f.Type {
		case metadata.Strings:
			field["additionalProperties"] = map[string]any{"type": []any{"string", "null"}}
			f.Type = "object"
		case metadata.StringList:
			field["items"] = map[string]any{"type": []any{"string", "null"}}
			f.Type = "array"
		case metadata.Time:
			field["format"] = "date-time"
			f.Type = "string"
		case metadata.Structs:
			field["items"] = m.metadataFields(f.Elem)
			f.Type = "array"
		}
		if f.Type != "" {
			field["type"] = []any{string(f.Type), "null"}
		}
		properties[f.Name] = field
	}
	out := map[string]any{"type": []any{"object", "null"}, "properties": properties}
	if !m.allowsUnknown {
		out["additionalProperties"] = false
	}
	return out
}

// require adds required fields.
func require(out map[string]any, names ...string) {
	required, _ := out["required"].([]any)
	for _, name := range names {
		if !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
	}
	out["required"] = required
}

// description returns the description of a node, with what JSON Schema cannot
// say.
func description(s *structural.Schema) string {
	var b strings.Builder
	b.WriteString(s.Description())
	paragraph := func(text string) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	if s.ListType() == structural.ListMap {
		paragraph("Items are identified by: " + strings.Join(s.ListMapKeys(), ", ") + ".")
	}
	if len(s.Rules()) > 0 {
		paragraph("Rules:")
		for _, rule := range s.Rules() {
			b.WriteString("\n- ")
			if rule.Message != "" {
				b.WriteString(strings.TrimSpace(rule.Message) + ": ")
			}
			b.WriteString(strings.Join(strings.Fields(rule.Rule), " "))
		}
	}
	return b.String()
}

// junctors are the keywords that have schemas of the same value.
var junctors = [...]string{"allOf", "anyOf", "oneOf", "not"}

// branch returns the schema of a node in a junctor, which restricts the values
// of a node of the spine. The latter may be nil.
func (m *maker) branch(s, spine *structural.Schema) map[string]any {
	out := map[string]any{}
	if s.Type() != "" {
		out["type"] = s.Type()
	}
	m.values(s.Values(), spine, out)
	if s.Items() != nil {
		out["items"] = m.branch(s.Items(), spine.Items())
	}
	properties := map[string]any{}
	for name, property := range s.Properties() {
		field := spine.Child(name)
		properties[name] = m.branch(property, field)
		if field.Default() != nil && refuses(property.Values(), field.Default()) {
			require(out, name)
		}
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	return out
}

// refuses reports whether enums refuse a value. Other keywords are not looked
// at.
func refuses(v *structural.ValueValidation, value any) bool {
	lists := func(enum []any) bool {
		return slices.ContainsFunc(enum, func(v any) bool { return jsonvalue.Equal(v, value) })
	}
	if v.Enum != nil && !lists(v.Enum) {
		return true
	}
	return v.Not != nil && lists(v.Not.Values().Enum)
}

// values adds the keywords that restrict values of a node of the spine.
func (m *maker) values(
	v *structural.ValueValidation, spine *structural.Schema, out map[string]any,
) {
	for keyword, text := range map[string]string{"format": v.Format, "pattern": v.Pattern} {
		if text != "" {
			out[keyword] = text
		}
	}
	limit := func(keyword, exclusive string, value *float64, isExclusive bool) {
		switch {
		case value == nil:
		case isExclusive:
			out[exclusive] = *value
		default:
			out[keyword] = *value
		}
	}
	limit("maximum", "exclusiveMaximum", v.Maximum, v.ExclusiveMaximum)
	limit("minimum", "exclusiveMinimum", v.Minimum, v.ExclusiveMinimum)
	limit("multipleOf", "", v.MultipleOf, false)
	for keyword, value := range map[string]*int64{
		"maxLength": v.MaxLength, "minLength": v.MinLength,
		"maxItems": v.MaxItems, "minItems": v.MinItems,
		"maxProperties": v.MaxProperties, "minProperties": v.MinProperties,
	} {
		if value != nil {
			out[keyword] = *value
		}
	}
	if v.UniqueItems {
		out["uniqueItems"] = true
	}
	if v.Enum != nil {
		out["enum"] = jsonvalue.DeepCopy(v.Enum)
	}
	for _, name := range v.Required {
		if spine.Child(name).Default() == nil {
			require(out, name)
		}
	}
	for keyword, branches := range map[string][]*structural.Schema{
		"allOf": v.AllOf, "anyOf": v.AnyOf, "oneOf": v.OneOf,
	} {
		if len(branches) == 0 {
			continue
		}
		all := make([]any, len(branches))
		for i, branch := range branches {
			all[i] = m.branch(branch, spine)
		}
		out[keyword] = all
	}
	if v.Not != nil {
		out["not"] = m.branch(v.Not, spine)
	}
}
