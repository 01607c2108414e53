package merge

import (
	"sigs.k8s.io/structured-merge-diff/v4/schema"

	"github.com/crdsem/crdsem/structural"
)

// The names of the types that others refer to.
const (
	rootName    = "root"
	atomicName  = "__untyped_atomic_"
	deducedName = "__untyped_deduced_"
	metaName    = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
)

// converter converts structural schemas to the schemas of
// structured-merge-diff. The type of a node depends on the node, and on whether
// a node above it preserves unknown fields. Identical nodes share their type.
type converter struct {
	done map[conversionKey]schema.Atom
	// fill gives keys that items can omit the default absent; omits reports
	// whether there are such keys.
	fill, omits bool
}

type conversionKey struct {
	node  *structural.Schema
	under undeclared
}

// undeclared is what happens to fields that a node does not declare.
type undeclared uint8

const (
	pruned    undeclared = iota
	preserved            // by the node or a node above it
)

// at returns what holds at a node below.
func (u undeclared) at(s *structural.Schema) undeclared {
	if s.PreservesUnknownFields() {
		return preserved
	}
	return u
}

// typesOf makes the types of a resource: as the server publishes them, and as
// the merge library gets them. They are the same unless items can omit keys.
func typesOf(s *structural.Schema) (published, filled *schema.Schema) {
	c := &converter{done: map[conversionKey]schema.Atom{}}
	published = c.types(s)
	if !c.omits {
		return published, published
	}
	return published, (&converter{done: map[conversionKey]schema.Atom{}, fill: true}).types(s)
}

// types makes the root and the types that it refers to. A nil schema is not
// published: it takes any object.
func (c *converter) types(s *structural.Schema) *schema.Schema {
	root := schema.Atom{Map: &schema.Map{ElementType: named(deducedName)}}
	if s != nil {
		under := pruned.at(s)
		fields := append(c.fields(s, under), resourceFields()...)
		root = c.atom(s, under)
		root.Map = c.object(s, under, distinctFields(fields))
	}
	return &schema.Schema{Types: append([]schema.TypeDef{
		{Name: rootName, Atom: root},
		{Name: atomicName, Atom: schema.Atom{
			Scalar: scalar(schema.Untyped),
			List: &schema.List{
				ElementType:         named(atomicName),
				ElementRelationship: schema.Atomic,
			},
			Map: &schema.Map{ElementType: named(atomicName), ElementRelationship: schema.Atomic},
		}},
		{Name: deducedName, Atom: schema.Atom{
			Scalar: scalar(schema.Untyped),
			List: &schema.List{
				ElementType:         named(atomicName),
				ElementRelationship: schema.Atomic,
			},
			Map: &schema.Map{
				ElementType:         named(deducedName),
				ElementRelationship: schema.Separable,
			},
		}},
	}, metaTypes()...)}
}

// ref converts a child node; under is what holds above it.
func (c *converter) ref(s *structural.Schema, under undeclared) schema.TypeRef {
	return schema.TypeRef{Inlined: c.atom(s, under)}
}

func (c *converter) atom(s *structural.Schema, under undeclared) schema.Atom {
	under = under.at(s)
	key := conversionKey{s, under}
	if atom, ok := c.done[key]; ok {
		return atom
	}
	atom := c.newAtom(s, under)
	c.done[key] = atom
	return atom
}

func (c *converter) newAtom(s *structural.Schema, under undeclared) schema.Atom {
	switch s.Type() {
	case "object":
		return schema.Atom{Map: c.object(s, under, c.allFields(s, under))}
	case "array":
		return schema.Atom{List: c.list(s, under)}
	case "integer", "number":
		return schema.Atom{Scalar: scalar(schema.Numeric)}
	case "boolean":
		return schema.Atom{Scalar: scalar(schema.Boolean)}
	case "string":
		if format := s.Values().Format; format != "" && format != "byte" {
			return schema.Atom{Scalar: scalar(schema.Untyped)}
		}
		return schema.Atom{Scalar: scalar(schema.String)}
	}
	return schema.Atom{
		Scalar: scalar(schema.Untyped),
		List:   c.list(s, under),
		Map:    c.object(s, under, c.allFields(s, under)),
	}
}

func (c *converter) object(
	s *structural.Schema, under undeclared, fields []schema.StructField,
) *schema.Map {
	m := &schema.Map{Fields: fields}
	switch additional := s.AdditionalProperties(); {
	case additional == nil && (under == preserved || len(fields) == 0):
		m.ElementType = named(deducedName)
	case additional == nil:
	case s.AdditionalSchema() != nil:
		m.ElementType = c.ref(s.AdditionalSchema(), under)
	case additional.Allows:
		m.ElementType = named(deducedName)
	}
	if s.HasMapType() {
		m.ElementRelationship = schema.Separable
		if s.MapType() == structural.MapAtomic {
			m.ElementRelationship = schema.Atomic
		}
	}
	return m
}

// allFields returns the fields of a node. An embedded resource also has the
// fields of every resource.
func (c *converter) allFields(s *structural.Schema, under undeclared) []schema.StructField {
	fields := c.fields(s, under)
	if s.EmbeddedResource() {
		fields = distinctFields(append(fields, resourceFields()...))
	}
	return fields
}

func (c *converter) fields(s *structural.Schema, under undeclared) []schema.StructField {
	var fields []schema.StructField
	for name, property := range s.Properties() {
		fields = append(
			fields,
			schema.StructField{
				Name:    name,
				Type:    c.ref(property, under),
				Default: property.Default(),
			},
		)
	}
	return fields
}

// distinctFields keeps the last field of each name.
func distinctFields(fields []schema.StructField) []schema.StructField {
	last := make(map[string]int, len(fields))
	for i, f := range fields {
		last[f.Name] = i
	}
	kept := fields[:0:0]
	for i, f := range fields {
		if last[f.Name] == i {
			kept = append(kept, f)
		}
	}
	return kept
}

func (c *converter) list(s *structural.Schema, under undeclared) *schema.List {
	l := &schema.List{ElementRelationship: schema.Atomic, ElementType: named(atomicName)}
	if items := s.Items(); items != nil {
		l.ElementType = c.ref(items, under)
	}
	switch s.ListType() {
	case structural.ListSet:
		l.ElementRelationship = schema.Associative
	case structural.ListMap:
		l.ElementRelationship = schema.Associative
		l.Keys = s.ListMapKeys()
		if filled, ok := fillKeys(l.ElementType, l.Keys); ok {
			c.omits = true
			if c.fill {
				l.ElementType = filled
			}
		}
	}
	return l
}

// resourceFields returns the fields of every resource.
func resourceFields() []schema.StructField {
	return []schema.StructField{
		{Name: "apiVersion", Type: text()},
		{Name: "kind", Type: text()},
		{Name: "metadata", Type: named(metaName)},
	}
}

// metaTypes returns ObjectMeta and the types that it refers to.
func metaTypes() []schema.TypeDef {
	const ownerName, managerName = "OwnerReference", "ManagedFieldsEntry"
	time := schema.TypeRef{Inlined: schema.Atom{Scalar: scalar(schema.Untyped)}}
	number := schema.TypeRef{Inlined: schema.Atom{Scalar: scalar(schema.Numeric)}}
	boolean := schema.TypeRef{Inlined: schema.Atom{Scalar: scalar(schema.Boolean)}}
	texts := schema.TypeRef{Inlined: schema.Atom{Map: &schema.Map{ElementType: text()}}}
	anyObject := schema.TypeRef{
		Inlined: schema.Atom{Map: &schema.Map{ElementType: named(deducedName)}},
	}
	return []schema.TypeDef{
		{Name: metaName, Atom: schema.Atom{Map: &schema.Map{Fields: []schema.StructField{
			{Name: "annotations", Type: texts},
			{Name: "creationTimestamp", Type: time},
			{Name: "deletionGracePeriodSeconds", Type: number},
			{Name: "deletionTimestamp", Type: time},
			{Name: "finalizers", Type: listOf(text(), schema.Associative)},
			{Name: "generateName", Type: text()},
			{Name: "generation", Type: number},
			{Name: "labels", Type: texts},
			{Name: "managedFields", Type: listOf(named(managerName), schema.Atomic)},
			{Name: "name", Type: text()},
			{Name: "namespace", Type: text()},
			{Name: "ownerReferences", Type: listOf(named(ownerName), schema.Associative, "uid")},
			{Name: "resourceVersion", Type: text()},
			{Name: "selfLink", Type: text()},
			{Name: "uid", Type: text()},
		}}}},
		{
			Name: ownerName,
			Atom: schema.Atom{
				Map: &schema.Map{ElementRelationship: schema.Atomic, Fields: []schema.StructField{
					{Name: "apiVersion", Type: text(), Default: ""},
					{Name: "blockOwnerDeletion", Type: boolean},
					{Name: "controller", Type: boolean},
					{Name: "kind", Type: text(), Default: ""},
					{Name: "name", Type: text(), Default: ""},
					{Name: "uid", Type: text(), Default: ""},
				}},
			},
		},
		{Name: managerName, Atom: schema.Atom{Map: &schema.Map{Fields: []schema.StructField{
			{Name: "apiVersion", Type: text()},
			{Name: "fieldsType", Type: text()},
			{Name: "fieldsV1", Type: anyObject},
			{Name: "manager", Type: text()},
			{Name: "operation", Type: text()},
			{Name: "subresource", Type: text()},
			{Name: "time", Type: time},
		}}}},
	}
}

func named(name string) schema.TypeRef      { return schema.TypeRef{NamedType: &name} }
func scalar(s schema.Scalar) *schema.Scalar { return &s }
func text() schema.TypeRef {
	return schema.TypeRef{Inlined: schema.Atom{Scalar: scalar(schema.String)}}
}

func listOf(
	element schema.TypeRef, relationship schema.ElementRelationship, keys ...string,
) schema.TypeRef {
	return schema.TypeRef{
		Inlined: schema.Atom{
			List: &schema.List{ElementType: element, ElementRelationship: relationship, Keys: keys},
		},
	}
}
