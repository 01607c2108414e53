package jsonpatch

import "errors"

// ErrMergePatch says that a text is no merge patch.
//
//lint:ignore ST1005 the text is the server's
var ErrMergePatch = errors.New("Invalid JSON Patch")

// Merge returns a document, known to be a JSON object, merged with a patch, known to be JSON: a list takes the document's place, and
// anything else but an object is refused with [ErrMergePatch].
func Merge(doc, patch []byte) ([]byte, error) {
	root, change := parse(doc), parse(patch)
	if change == nil || !change.open() {
		return nil, ErrMergePatch
	}
	if change.kind == list {
		change.pruneNulls()
		return change.encode()
	}
	root.open()
	root.merge(change)
	return root.encode()
}

// merge changes an opened object by another.
func (n *node) merge(patch *node) {
	for key, value := range patch.fields {
		current := n.fields[key]
		switch {
		case value == nil:
			delete(n.fields, key)
		case current == nil || current.kind != object:
			value.pruneNulls()
			n.fields[key] = value
		case value.kind != object:
			current.open()
			n.fields[key] = value
		default:
			current.open()
			value.open()
			current.merge(value)
		}
	}
}

// pruneNulls removes the members that are null from an object and whatever is in it; items that are null stay.
func (n *node) pruneNulls() {
	if !n.open() {
		return
	}
	for key, value := range n.fields {
		if value == nil {
			delete(n.fields, key)
			continue
		}
		value.pruneNulls()
	}
	for _, item := range n.items {
		if item != nil {
			item.pruneNulls()
		}
	}
}
