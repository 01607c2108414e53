package jsonvalue

// text makes a scalar of the document's result from a text, scalar from any other, list and object from what was read since start.
func (r *yamlReader) text(text string) any {
	if r.nodes != nil {
		return r.nodes.ofText(text)
	}
	return text
}

func (r *yamlReader) value(value any) any {
	if r.nodes != nil && value != nil {
		return r.nodes.Of(value)
	}
	return value
}

func (r *yamlReader) list(start int) any {
	items := r.items[start:]
	r.items = r.items[:start]
	if r.nodes == nil {
		return append(make([]any, 0, len(items)), items...)
	}
	first := len(r.nodes.entries)
	for _, item := range items {
		node, _ := item.(*Node)
		r.nodes.entries = append(r.nodes.entries, Entry{Value: node})
	}
	return r.nodes.ofList(first)
}

func (r *yamlReader) object(start int) any {
	members := r.members[start:]
	r.members = r.members[:start]
	if r.nodes == nil {
		object := make(map[string]any, len(members))
		for _, m := range members {
			object[m.key] = m.value
		}
		if len(object) < len(members) {
			return r.giveUp()
		}
		return object
	}
	first := len(r.nodes.entries)
	for _, m := range members {
		node, _ := m.value.(*Node)
		r.nodes.entries = append(r.nodes.entries, Entry{r.nodes.ofText(m.key), node})
	}
	object, ok := r.nodes.ofObject(first)
	if !ok {
		return r.giveUp()
	}
	return object
}
