package structural

// Visitor has the functions that Visit calls. A nil function is not called.
type Visitor struct {
	// Spine is called for each spine node, Nested for each nested node.
	Spine, Nested func(*Schema)
}

// Visit calls the visitor for a schema and all nodes below it. A node comes
// first, then its items, its properties in the order of their names,
// additionalProperties, allOf, anyOf, oneOf and not (STR-113). Nested nodes
// come after the spine children of their spine node.
func Visit(s *Schema, v Visitor) {
	if s == nil {
		return
	}
	if v.Spine != nil {
		v.Spine(s)
	}
	visitChildren(s, v, Visit)
	visitJunctors(s, v)
}

func visitNested(s *Schema, v Visitor) {
	if s == nil || v.Nested == nil {
		return
	}
	v.Nested(s)
	visitChildren(s, v, visitNested)
	visitJunctors(s, v)
}

func visitChildren(s *Schema, v Visitor, child func(*Schema, Visitor)) {
	child(s.items, v)
	s.properties.each(func(_ string, node *Schema) { child(node, v) })
	child(s.AdditionalSchema(), v)
}

func visitJunctors(s *Schema, v Visitor) {
	values := s.Values()
	not := []*Schema{values.Not}
	for _, branches := range [...][]*Schema{values.AllOf, values.AnyOf, values.OneOf, not} {
		for _, branch := range branches {
			visitNested(branch, v)
		}
	}
}
