package yamlfast

import "github.com/crdsem/crdsem/internal/base/dom"

// The methods below make the result: Go values for Decode, nodes for
// DecodeNode.

// text returns the result for a string.
func (r *reader) text(text string) any {
	if r.nodes != nil {
		return r.nodes.Text(text)
	}
	return text
}

// value returns the result for a value that was made elsewhere, e.g. int64(3).
func (r *reader) value(value any) any {
	if r.nodes != nil && value != nil {
		return r.nodes.Of(value)
	}
	return value
}

// list returns the result for the items that were read since start.
func (r *reader) list(start int) any {
	items := r.items[start:]
	r.items = r.items[:start]
	if r.nodes == nil {
		return append(make([]any, 0, len(items)), items...)
	}
	mark := r.nodes.Mark()
	for _, item := range items {
		node, _ := item.(*dom.Node)
		r.nodes.AddItem(node)
	}
	return r.nodes.List(mark)
}

// object returns the result for the members that were read since start. A
// duplicate key makes the reader give up.
func (r *reader) object(start int) any {
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
	mark := r.nodes.Mark()
	for _, m := range members {
		node, _ := m.value.(*dom.Node)
		r.nodes.AddMember(m.key, node)
	}
	object, ok := r.nodes.Object(mark)
	if !ok {
		return r.giveUp()
	}
	return object
}
