package structural

// properties has the declared properties of a node. It is immutable. A nil
// *properties stands for an absent keyword and declares none.
type properties struct {
	names []string  // sorted
	nodes []*Schema // in the order of names
	index map[string]*Schema
}

// scannedProperties is the number of properties up to which a name is searched
// in the list. More have an index.
const scannedProperties = 8

// newProperties returns the properties with these sorted names. It keeps its
// arguments.
func newProperties(names []string, nodes []*Schema) *properties {
	p := &properties{names: names, nodes: nodes}
	if len(names) > scannedProperties {
		p.index = make(map[string]*Schema, len(names))
		for i, name := range names {
			p.index[name] = nodes[i]
		}
	}
	return p
}

// len returns the number of properties.
func (p *properties) len() int {
	if p == nil {
		return 0
	}
	return len(p.names)
}

// get returns the node of a property, nil if it is not declared.
func (p *properties) get(name string) *Schema {
	switch {
	case p == nil:
		return nil
	case p.index != nil:
		return p.index[name]
	}
	for i, declared := range p.names {
		if declared == name {
			return p.nodes[i]
		}
	}
	return nil
}

// each calls a function with every property, in the order of their names.
func (p *properties) each(do func(name string, node *Schema)) {
	if p == nil {
		return
	}
	for i, name := range p.names {
		do(name, p.nodes[i])
	}
}
