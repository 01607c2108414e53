package structural

// rewriter builds edited copies of schemas. The edit gets the keywords of a
// spine node before its children are rewritten. A node that occurs several
// times is rewritten once for the spine and once for junctors.
type rewriter struct {
	build         *builder
	edit          func(*keywords) // of spine nodes; may be nil
	spine, nested map[*Schema]*Schema
}

func newRewriter(edit func(*keywords)) *rewriter {
	return &rewriter{
		build:  newBuilder(),
		edit:   edit,
		spine:  map[*Schema]*Schema{},
		nested: map[*Schema]*Schema{},
	}
}

// rewrite returns an edited copy of a schema; nil stays nil.
func rewrite(s *Schema, edit func(*keywords)) *Schema {
	return newRewriter(edit).spineNode(s)
}

func (r *rewriter) spineNode(s *Schema) *Schema {
	return r.node(s, r.spine, func(k *keywords) {
		if r.edit != nil {
			r.edit(k)
		}
		r.children(k, r.spineNode)
	})
}

func (r *rewriter) nestedNode(s *Schema) *Schema {
	return r.node(s, r.nested, func(k *keywords) { r.children(k, r.nestedNode) })
}

func (r *rewriter) node(s *Schema, done map[*Schema]*Schema, change func(*keywords)) *Schema {
	if s == nil {
		return nil
	}
	if out, ok := done[s]; ok {
		return out
	}
	k := s.keywords
	change(&k)
	out := r.build.intern(&k)
	done[s] = out
	return out
}

// children replaces the children of a node. The node shares its containers,
// therefore they are replaced too.
func (r *rewriter) children(k *keywords, child func(*Schema) *Schema) {
	if p := k.properties; p != nil {
		nodes := make([]*Schema, len(p.nodes))
		for i, node := range p.nodes {
			nodes[i] = child(node)
		}
		k.properties = newProperties(p.names, nodes)
	}
	k.items = child(k.items)
	if k.additional != nil {
		k.additional = &AdditionalProperties{
			Allows: k.additional.Allows,
			Schema: child(k.additional.Schema),
		}
	}
	if k.values != nil {
		v := *k.values
		v.AllOf, v.AnyOf, v.OneOf = r.branches(v.AllOf), r.branches(v.AnyOf), r.branches(v.OneOf)
		v.Not = r.nestedNode(v.Not)
		k.values = &v
	}
}

func (r *rewriter) branches(in []*Schema) []*Schema {
	if in == nil {
		return nil
	}
	out := make([]*Schema, len(in))
	for i, branch := range in {
		out[i] = r.nestedNode(branch)
	}
	return out
}

// Equal reports whether two schemas have the same keywords at every node. Nil
// and empty lists differ where the server treats them differently, e.g.
// required.
func Equal(a, b *Schema) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	// One builder rebuilds both: their identical nodes become one value.
	unchanged := newRewriter(nil)
	return unchanged.spineNode(a) == unchanged.spineNode(b)
}
