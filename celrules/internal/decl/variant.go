package decl

import "github.com/crdsem/crdsem/internal/belowstructural/profile"

// Variant is what other minors do differently with the values and sizes of
// nodes. Minors with the same variant share a [Universe]. The zero value is
// that of the default minor.
type Variant struct {
	// UnboundedNames ignores how long metadata.name can be.
	UnboundedNames bool
	// UnboundedIntOrStrings ignores maxLength of x-kubernetes-int-or-string.
	UnboundedIntOrStrings bool
	// ListsAsItems compares set and map lists item by item.
	ListsAsItems bool
	// NullsDiffer makes objects with a field that is null different from
	// themselves.
	NullsDiffer bool
	// StandardBase64 reads values of format byte as standard base64.
	StandardBase64 bool
}

// VariantOf returns the variant of a minor.
func VariantOf(p *profile.Profile) Variant {
	return Variant{
		UnboundedNames:        !p.NameSizes,
		UnboundedIntOrStrings: !p.IntOrStringSizes,
		ListsAsItems:          !p.ScalarSets,
		NullsDiffer:           !p.NullFieldsEqual,
		StandardBase64:        p.StandardBase64,
	}
}

// NewUniverse returns an empty universe of a variant.
func NewUniverse(v Variant) *Universe { return &Universe{variant: v} }

// Variant returns the variant of the node's universe.
func (n *Node) Variant() Variant { return n.universe.variant }

// Like returns the node of this universe for the schema and the role of another
// universe's node. A node without a schema is returned as it is.
func (u *Universe) Like(n *Node) *Node {
	if n.universe == u || n.Schema == nil {
		return n
	}
	return u.node(nodeKey{n.Schema, n.Resource})
}
