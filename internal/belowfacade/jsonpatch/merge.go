package jsonpatch

import (
	"encoding/json"
	"errors"
)

// ErrMergePatch is the error for a text that is not a merge patch.
//
//lint:ignore ST1005 the text is the server's
var ErrMergePatch = errors.New("Invalid JSON Patch")

// Merge applies a merge patch to a document and returns the result. The
// document must be a JSON object. A patch that is a list replaces the document.
// A patch that is neither a list nor an object is rejected with
// [ErrMergePatch].
func Merge(doc, patch []byte) ([]byte, error) {
	if !json.Valid(patch) {
		return nil, ErrMergePatch
	}
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

// merge applies an opened object to another opened object, n.
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
			n.fields[key] = value
		default:
			current.open()
			value.open()
			current.merge(value)
		}
	}
}

// pruneNulls removes null members from a value, at any depth. Null items stay.
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
