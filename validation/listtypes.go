package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/structural"
)

// listTypeNode is a schema node at or below which a list has a type that is checked; where there is none it is nil.
type listTypeNode struct {
	listType   structural.ListType // set or map, else empty
	keys       []string            // of a list-map
	items      *listTypeNode
	fields     []listTypeField
	byName     map[string]*listTypeNode
	additional *listTypeNode
}

type listTypeField struct {
	name string
	node *listTypeNode
}

func (c *compiler) listTypesOf(s *structural.Schema) *listTypeNode {
	if !s.HasListTypes() {
		return nil
	}
	if n, ok := c.listTypes[s]; ok {
		return n
	}
	n := &listTypeNode{}
	if t := s.ListType(); t == structural.ListSet || t == structural.ListMap {
		n.listType, n.keys = t, s.ListMapKeys()
	}
	n.items = c.listTypesOf(s.Items())
	n.additional = c.listTypesOf(s.AdditionalSchema())
	for name, property := range s.Properties() {
		if child := c.listTypesOf(property); child != nil {
			n.fields = append(n.fields, listTypeField{name, child})
		}
	}
	if len(n.fields) > 0 {
		n.byName = make(map[string]*listTypeNode, len(n.fields))
		for _, f := range n.fields {
			n.byName[f.name] = f.node
		}
	}
	put(&c.listTypes, s, n)
	return n
}

// ListTypes checks that sets have no item twice and list-maps no item with the same keys twice (LST-001 to LST-028).
func (v *Validator) ListTypes(object map[string]any) field.ErrorList {
	if v == nil || v.listTypes == nil || v.listTypes.validFields(object, v.indexes) {
		return nil
	}
	c := &listTypeCollector{indexes: v.indexes}
	c.fields(v.listTypes, object, nil)
	return c.errs
}

// ListTypesUpdate checks the list types of an object that replaces old. If old has any such error, all of the new object's are
// ratcheted (LST-040).
func (v *Validator) ListTypesUpdate(object, old map[string]any) (errs, ratcheted field.ErrorList) {
	errs = v.ListTypes(object)
	if len(errs) > 0 && !v.listTypes.validFields(old, v.indexes) {
		return nil, errs
	}
	return errs, nil
}

// valid tells whether all lists of a value are as their types want them.
func (n *listTypeNode) valid(value any, x *indexes) bool {
	switch value := value.(type) {
	case []any:
		return n.validList(value, x)
	case map[string]any:
		return n.validFields(value, x)
	default:
		return true
	}
}

func (n *listTypeNode) validFields(object map[string]any, x *indexes) bool {
	if n.additional != nil {
		for _, value := range object {
			if !n.additional.valid(value, x) {
				return false
			}
		}
	}
	if len(n.fields) <= len(object) {
		for i := range n.fields {
			f := &n.fields[i]
			if value, ok := object[f.name]; ok && !f.node.valid(value, x) {
				return false
			}
		}
		return true
	}
	for name, value := range object {
		if child, ok := n.byName[name]; ok && !child.valid(value, x) {
			return false
		}
	}
	return true
}

func (n *listTypeNode) validList(items []any, x *indexes) bool {
	switch n.listType {
	case structural.ListSet:
		if hasDuplicates(items, setItems{}, x) {
			return false
		}
	case structural.ListMap:
		if firstNoObject(items) >= 0 || hasDuplicates(items, n.mapItems(), x) {
			return false
		}
	}
	if n.items != nil {
		for _, item := range items {
			if !n.items.valid(item, x) {
				return false
			}
		}
	}
	return true
}

// firstNoObject returns the number of the first item that is neither an object nor null, -1 if there is none (LST-025).
func firstNoObject(items []any) int {
	for i, item := range items {
		if _, ok := item.(map[string]any); !ok && item != nil {
			return i
		}
	}
	return -1
}
