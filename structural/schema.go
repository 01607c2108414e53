package structural

import "iter"

// Schema is one node of a structural schema, e.g. that of `spec.replicas`. It
// is immutable and safe for concurrent use. Identical nodes of one document are
// one value, therefore a Schema has no parent. Slices and values that its
// methods return are shared and must not be changed.
//
// A nil *Schema stands for "no schema". Every method may be called on it and
// returns what an empty node has.
type Schema struct {
	below     facts
	defaulted []string
	keywords
}

// keywords has everything that a document can specify at one node. Children are
// immutable nodes.
type keywords struct {
	nullable, preserve, embedded, intOrString bool

	properties *properties
	items      *Schema
	additional *AdditionalProperties
	def        any

	description, typ, title string
	example                 any
	externalDocs            *ExternalDocs

	listMapKeys       []string
	listType, mapType *string
	rules             []Rule

	values *ValueValidation // nil if it is empty
}

// ExternalDocs is the value of externalDocs.
type ExternalDocs struct {
	Description, URL string
}

// AdditionalProperties is the value of additionalProperties: a schema, or a
// boolean if Schema is nil.
type AdditionalProperties struct {
	Schema *Schema
	Allows bool
}

// ValueValidation holds the keywords that restrict values, e.g. maxLength and
// anyOf. Its fields are shared and must not be changed.
type ValueValidation struct {
	Format                             string
	Maximum, Minimum, MultipleOf       *float64
	ExclusiveMaximum, ExclusiveMinimum bool
	MaxLength, MinLength               *int64
	Pattern                            string
	MaxItems, MinItems                 *int64
	UniqueItems                        bool
	Enum                               []any
	MaxProperties, MinProperties       *int64
	Required                           []string
	AllOf, AnyOf, OneOf                []*Schema
	Not                                *Schema
}

func (v *ValueValidation) isEmpty() bool {
	return v.Format == "" && v.Pattern == "" && v.Enum == nil && v.Required == nil &&
		v.Maximum == nil && v.Minimum == nil && v.MultipleOf == nil &&
		!v.ExclusiveMaximum && !v.ExclusiveMinimum && !v.UniqueItems &&
		v.MaxLength == nil && v.MinLength == nil &&
		v.MaxItems == nil && v.MinItems == nil &&
		v.MaxProperties == nil && v.MinProperties == nil &&
		v.AllOf == nil && v.AnyOf == nil && v.OneOf == nil && v.Not == nil
}

// Rule is one entry of x-kubernetes-validations.
type Rule struct {
	// Rule is the CEL expression, e.g. "self.min <= self.max". Message and
	// MessageExpression give the message that is reported if it is false.
	Rule, Message, MessageExpression string
	// Reason is the reported error type, empty for the default. HasReason
	// distinguishes an empty reason from an absent one.
	Reason    string
	HasReason bool
	// FieldPath is the reported field, relative to the node, e.g. ".min".
	FieldPath string
	// OptionalOldSelf is nil where the rule does not set it.
	OptionalOldSelf *bool
}

// ListType is the value of x-kubernetes-list-type.
type ListType string

// The list types. A list without one is atomic.
const (
	ListAtomic ListType = "atomic"
	ListSet    ListType = "set"
	ListMap    ListType = "map"
)

// MapType is the value of x-kubernetes-map-type.
type MapType string

// The map types. An object without one is granular.
const (
	MapGranular MapType = "granular"
	MapAtomic   MapType = "atomic"
)

// emptySchema and noValues stand for nil. They are never changed.
var (
	emptySchema Schema
	noValues    ValueValidation
)

func (s *Schema) orEmpty() *Schema {
	if s == nil {
		return &emptySchema
	}
	return s
}

// Type returns the value of type, e.g. "object", empty if it is absent.
func (s *Schema) Type() string { return s.orEmpty().typ }

// Title returns the value of title.
func (s *Schema) Title() string { return s.orEmpty().title }

// Description returns the value of description.
func (s *Schema) Description() string { return s.orEmpty().description }

// Default returns the value of default, nil if it is absent. It is shared: copy
// it before it becomes part of an object.
func (s *Schema) Default() any { return s.orEmpty().def }

// Example returns the value of example, nil if it is absent.
func (s *Schema) Example() any { return s.orEmpty().example }

// Nullable returns the value of nullable.
func (s *Schema) Nullable() bool { return s.orEmpty().nullable }

// ExternalDocs returns the value of externalDocs, nil if it is absent.
func (s *Schema) ExternalDocs() *ExternalDocs { return s.orEmpty().externalDocs }

// Items returns the schema of a list's items, nil if it is absent.
func (s *Schema) Items() *Schema { return s.orEmpty().items }

// Property returns the schema of a declared property, nil if the property is
// not declared.
func (s *Schema) Property(name string) *Schema { return s.orEmpty().properties.get(name) }

// PropertyNames returns the names of the declared properties in byte order.
func (s *Schema) PropertyNames() []string {
	if p := s.orEmpty().properties; p != nil {
		return p.names
	}
	return nil
}

// PropertyAt returns the schema of the declared property whose name is
// PropertyNames()[i]. It panics if i is out of range.
func (s *Schema) PropertyAt(i int) *Schema { return s.orEmpty().properties.nodes[i] }

// Properties iterates over the declared properties in the byte order of their
// names.
func (s *Schema) Properties() iter.Seq2[string, *Schema] {
	return func(yield func(string, *Schema) bool) {
		for i, name := range s.PropertyNames() {
			if !yield(name, s.PropertyAt(i)) {
				return
			}
		}
	}
}

// HasProperties reports whether the keyword properties is present. A nested
// node may have it without declaring a property.
func (s *Schema) HasProperties() bool { return s.orEmpty().properties != nil }

// AdditionalProperties returns the value of additionalProperties, nil if it is
// absent.
func (s *Schema) AdditionalProperties() *AdditionalProperties { return s.orEmpty().additional }

// AdditionalSchema returns the schema of additionalProperties, nil if it is
// absent or a boolean.
func (s *Schema) AdditionalSchema() *Schema {
	if a := s.orEmpty().additional; a != nil {
		return a.Schema
	}
	return nil
}

// Child returns the schema of an object's field: that of the declared property,
// else that of additionalProperties, else nil.
func (s *Schema) Child(name string) *Schema {
	if child := s.Property(name); child != nil {
		return child
	}
	return s.AdditionalSchema()
}

// IsLeaf reports whether the node has no spine nodes below it.
func (s *Schema) IsLeaf() bool {
	e := s.orEmpty()
	return e.items == nil && e.properties.len() == 0 && e.AdditionalSchema() == nil
}

// PreservesUnknownFields returns the value of
// x-kubernetes-preserve-unknown-fields.
func (s *Schema) PreservesUnknownFields() bool { return s.orEmpty().preserve }

// EmbeddedResource returns the value of x-kubernetes-embedded-resource.
func (s *Schema) EmbeddedResource() bool { return s.orEmpty().embedded }

// IntOrString returns the value of x-kubernetes-int-or-string.
func (s *Schema) IntOrString() bool { return s.orEmpty().intOrString }

// ListType returns the value of x-kubernetes-list-type, empty if it is absent.
func (s *Schema) ListType() ListType {
	if t := s.orEmpty().listType; t != nil {
		return ListType(*t)
	}
	return ""
}

// HasListType reports whether x-kubernetes-list-type is present, even if empty.
func (s *Schema) HasListType() bool { return s.orEmpty().listType != nil }

// ListMapKeys returns the value of x-kubernetes-list-map-keys, e.g. ["port",
// "protocol"].
func (s *Schema) ListMapKeys() []string { return s.orEmpty().listMapKeys }

// MapType returns the value of x-kubernetes-map-type, empty if it is absent.
func (s *Schema) MapType() MapType {
	if t := s.orEmpty().mapType; t != nil {
		return MapType(*t)
	}
	return ""
}

// HasMapType reports whether x-kubernetes-map-type is present, even if empty.
func (s *Schema) HasMapType() bool { return s.orEmpty().mapType != nil }

// Rules returns the value of x-kubernetes-validations.
func (s *Schema) Rules() []Rule { return s.orEmpty().rules }

// Values returns the keywords that restrict values. It is never nil.
func (s *Schema) Values() *ValueValidation {
	if v := s.orEmpty().values; v != nil {
		return v
	}
	return &noValues
}
