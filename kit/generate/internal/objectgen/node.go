package objectgen

import (
	"slices"
	"sync"

	"github.com/crdsem/crdsem/structural"
)

// Node is a place of a schema with what is asked of the values there. That is
// one node of the structural schema and, after [Maker.resolved], the branches
// of its junctors that a value is made to keep. The methods answer for all of
// them together: the greater of two minimums, the properties of each.
//
// The zero Node asks nothing, as a nil schema does. A Node is immutable.
type Node struct {
	schema   *structural.Schema
	branches []*structural.Schema
	resolved bool // branches were chosen
	part     Part
}

// Part is which properties a root has: with a status subresource, a request
// writes the status or everything else.
type Part int

// The parts of a root.
const (
	Whole Part = iota
	WithoutStatus
	StatusOnly
)

// NodeOf returns the node of a schema.
func NodeOf(s *structural.Schema) Node { return Node{schema: s} }

// PartOf returns the root of a schema with some of its properties. Of the
// keywords of the root only required differs: a status is not required.
func PartOf(s *structural.Schema, part Part) Node { return Node{schema: s, part: part} }

// Schema returns the node of the structural schema, without branches.
func (n Node) Schema() *structural.Schema { return n.schema }

// each calls yield with the node's schemas, until it returns false.
func (n Node) each(yield func(s *structural.Schema) bool) {
	if n.schema != nil && !yield(n.schema) {
		return
	}
	for _, s := range n.branches {
		if !yield(s) {
			return
		}
	}
}

// first returns the first answer of a node's schemas that is not zero.
func first[T comparable](n Node, of func(s *structural.Schema) T) (found T) {
	n.each(func(s *structural.Schema) bool {
		found = of(s)
		return found == *new(T)
	})
	return found
}

// child returns the node of the children of a node's schemas that are there;
// ok is false if it is missing.
func (n Node) child(of func(s *structural.Schema) *structural.Schema) (child Node, ok bool) {
	n.each(func(s *structural.Schema) bool {
		switch below := of(s); {
		case below == nil:
		case child.schema == nil:
			child.schema = below
		default:
			child.branches = append(child.branches, below)
		}
		return true
	})
	return child, child.schema != nil
}

func (n Node) typ() string    { return first(n, (*structural.Schema).Type) }
func (n Node) nullable() bool { return first(n, (*structural.Schema).Nullable) }

func (n Node) intOrString() bool { return first(n, (*structural.Schema).IntOrString) }
func (n Node) embedded() bool    { return first(n, (*structural.Schema).EmbeddedResource) }
func (n Node) preserves() bool   { return first(n, (*structural.Schema).PreservesUnknownFields) }

func (n Node) listType() structural.ListType { return first(n, (*structural.Schema).ListType) }

func (n Node) format() string {
	return first(n, func(s *structural.Schema) string { return s.Values().Format })
}

func (n Node) pattern() string {
	return first(n, func(s *structural.Schema) string { return s.Values().Pattern })
}

// Default returns the default, nil without one.
func (n Node) Default() (def any) {
	n.each(func(s *structural.Schema) bool {
		def = s.Default()
		return def == nil
	})
	return def
}

func (n Node) listMapKeys() (keys []string) {
	n.each(func(s *structural.Schema) bool {
		keys = s.ListMapKeys()
		return keys == nil
	})
	return keys
}

// enum returns the values that all enums have in common, or those of the first
// enums where they have none in common; nil without an enum.
func (n Node) enum() (enum []any) {
	n.each(func(s *structural.Schema) bool {
		if enum == nil {
			enum = s.Values().Enum
		} else if both := common(enum, s.Values().Enum); len(both) > 0 {
			enum = both
		}
		return true
	})
	return enum
}

// common returns the values of one list that another has too.
func common(a, b []any) []any {
	var both []any
	others := setOf(b)
	for _, x := range a {
		if others.has(x) {
			both = append(both, x)
		}
	}
	return both
}

// required lists the names that are required; a name may occur twice.
func (n Node) required() (names []string) {
	if n.part == StatusOnly {
		return nil
	}
	n.each(func(s *structural.Schema) bool {
		names = append(names, s.Values().Required...)
		return true
	})
	return names
}

// PropertyNames lists the declared properties in order.
func (n Node) PropertyNames() []string {
	if len(n.branches) == 0 && n.part == Whole {
		return n.schema.PropertyNames()
	}
	var names []string
	n.each(func(s *structural.Schema) bool {
		names = append(names, s.PropertyNames()...)
		return true
	})
	if n.part == StatusOnly && n.preserves() {
		names = append(names, status)
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), n.hides)
}

const status = "status"

// hides reports whether a property does not belong to the part of the root.
func (n Node) hides(name string) bool {
	switch n.part {
	case WithoutStatus:
		return name == status
	case StatusOnly:
		return name != status
	}
	return false
}

func (n Node) hasProperties() bool { return first(n, (*structural.Schema).HasProperties) }

// Property returns the node of a declared property; ok is false if it is
// missing.
func (n Node) Property(name string) (property Node, ok bool) {
	if n.hides(name) {
		return Node{}, false
	}
	property, ok = n.child(
		func(s *structural.Schema) *structural.Schema { return s.Property(name) })
	if !ok && n.part == StatusOnly && n.preserves() {
		return NodeOf(anyObject()), true
	}
	return property, ok
}

// anyObject stands for a status that the schema keeps and does not declare.
var anyObject = sync.OnceValue(func() *structural.Schema {
	s, err := structural.FromMap(map[string]any{
		"type": "object", "x-kubernetes-preserve-unknown-fields": true,
	})
	if err != nil {
		return nil // This schema converts.
	}
	return s
})

// objectName is the schema of the name of an object: a DNS subdomain.
var objectName = sync.OnceValue(func() *structural.Schema {
	s, err := structural.FromMap(map[string]any{
		"type": "string", "maxLength": int64(63),
		"pattern": `^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
	})
	if err != nil {
		return nil // This schema converts.
	}
	return s
})

// Items returns the node of a list's items.
func (n Node) Items() (items Node, ok bool) { return n.child((*structural.Schema).Items) }

// Additional returns the node of the schema of additionalProperties; ok is
// false if it is absent or a boolean.
func (n Node) Additional() (additional Node, ok bool) {
	return n.child((*structural.Schema).AdditionalSchema)
}

// allowsAdditional reports whether additionalProperties is a schema or true.
func (n Node) allowsAdditional() bool {
	return first(n, func(s *structural.Schema) bool {
		a := s.AdditionalProperties()
		return a != nil && (a.Allows || a.Schema != nil)
	})
}

// maxCount is where larger limits of a count or length are cut off.
const maxCount = 1 << 20

// limit is a keyword that limits a count or length, e.g. minLength.
type limit func(v *structural.ValueValidation) *int64

func minLength(v *structural.ValueValidation) *int64     { return v.MinLength }
func maxLength(v *structural.ValueValidation) *int64     { return v.MaxLength }
func minItems(v *structural.ValueValidation) *int64      { return v.MinItems }
func maxItems(v *structural.ValueValidation) *int64      { return v.MaxItems }
func minProperties(v *structural.ValueValidation) *int64 { return v.MinProperties }
func maxProperties(v *structural.ValueValidation) *int64 { return v.MaxProperties }

// atLeast returns the greatest of the lower limits; ok is false without one.
func (n Node) atLeast(of limit) (count int, ok bool) {
	n.each(func(s *structural.Schema) bool {
		if x := of(s.Values()); x != nil {
			count, ok = max(count, cut(*x)), true
		}
		return true
	})
	return count, ok
}

// atMost returns the smallest of the upper limits; ok is false without one.
func (n Node) atMost(of limit) (count int, ok bool) {
	n.each(func(s *structural.Schema) bool {
		if x := of(s.Values()); x != nil && (!ok || cut(*x) < count) {
			count, ok = cut(*x), true
		}
		return true
	})
	return count, ok
}

func cut(count int64) int { return int(max(0, min(count, maxCount))) }
