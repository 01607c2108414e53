package validation

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// listTypeNode is a schema node with a checked list type at it or below it. It
// is nil for a schema node without one.
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

// ListTypes validates that sets have no duplicate items and list-maps no two
// items with the same keys (LST-001 to LST-028).
func (v *Validator) ListTypes(ctx context.Context, object map[string]any) field.ErrorList {
	if v == nil || v.listTypes == nil {
		return nil
	}
	w := watching(ctx)
	if v.listTypes.validFields(object, v.indexes, &w) {
		return nil
	}
	return v.listTypeErrors(object, w)
}

func (v *Validator) listTypeErrors(object map[string]any, w watch) field.ErrorList {
	c := &listTypeCollector{indexes: v.indexes, watch: w}
	c.fields(v.listTypes, object, nil)
	return v.profile.Show(c.watch.outcome(nil, c.errs))
}

// valid reports whether all lists of a value conform to their list types. It is
// false, too, once the watch has ended the walk.
func (n *listTypeNode) valid(value any, x *indexes, w *watch) bool {
	if !w.step() {
		return false
	}
	switch value := value.(type) {
	case []any:
		return n.validList(value, x, w)
	case map[string]any:
		return n.validFields(value, x, w)
	default:
		return true
	}
}

func (n *listTypeNode) validFields(object map[string]any, x *indexes, w *watch) bool {
	if n.additional != nil {
		for _, value := range object {
			if !n.additional.valid(value, x, w) {
				return false
			}
		}
	}
	if len(n.fields) <= len(object) {
		for i := range n.fields {
			f := &n.fields[i]
			if value, ok := object[f.name]; ok && !f.node.valid(value, x, w) {
				return false
			}
		}
		return true
	}
	for name, value := range object {
		if child, ok := n.byName[name]; ok && !child.valid(value, x, w) {
			return false
		}
	}
	return true
}

func (n *listTypeNode) validList(items []any, x *indexes, w *watch) bool {
	switch n.listType {
	case structural.ListSet:
		if hasDuplicates(items, setItems{}, x, w) {
			return false
		}
	case structural.ListMap:
		if firstNoObject(items) >= 0 || hasDuplicates(items, n.mapItems(), x, w) {
			return false
		}
	}
	if n.items != nil {
		for _, item := range items {
			if !n.items.valid(item, x, w) {
				return false
			}
		}
	}
	return true
}

// firstNoObject returns the index of the first item that is neither an object
// nor null, or -1 (LST-025).
func firstNoObject(items []any) int {
	for i, item := range items {
		if _, ok := item.(map[string]any); !ok && item != nil {
			return i
		}
	}
	return -1
}

// listTypeCollector collects the errors of lists in the server's order, with
// fields in the order of their names.
type listTypeCollector struct {
	errs    field.ErrorList
	indexes *indexes
	watch   watch
}

func (c *listTypeCollector) value(n *listTypeNode, value any, path *field.Path) {
	if !c.watch.step() {
		return
	}
	switch value := value.(type) {
	case []any:
		c.list(n, value, path)
	case map[string]any:
		c.fields(n, value, path)
	}
}

// fields visits the fields of an object. A field that is declared and also
// under additionalProperties is visited twice (LST-029).
func (c *listTypeCollector) fields(n *listTypeNode, object map[string]any, path *field.Path) {
	if n.additional != nil {
		for _, name := range jsonvalue.SortedKeys(object) {
			c.value(n.additional, object[name], path.Key(name))
		}
	}
	for _, f := range n.fields {
		if value, ok := object[f.name]; ok {
			c.value(f.node, value, path.Child(f.name))
		}
	}
}

// list adds a list's own errors before those of its items (LST-026).
func (c *listTypeCollector) list(n *listTypeNode, items []any, path *field.Path) {
	switch n.listType {
	case structural.ListSet:
		c.duplicates(items, setItems{}, path)
	case structural.ListMap:
		if i := firstNoObject(items); i >= 0 {
			const text = "must be an object for an array of list-type map"
			err := field.Invalid(path.Index(i), items[i], text)
			c.add(err.WithOrigin("LST-025"))
		} else {
			c.duplicates(items, n.mapItems(), path)
		}
	}
	if n.items == nil {
		return
	}
	for i, item := range items {
		c.value(n.items, item, path.Index(i))
	}
}

// duplicates reports the second of several same items. Later ones are not
// reported (LST-010).
func (c *listTypeCollector) duplicates(items []any, id identity, path *field.Path) {
	for _, i := range secondItems(items, id, c.indexes, &c.watch) {
		err := field.Duplicate(path.Index(i), id.shown(items[i]))
		c.add(err.WithOrigin(id.rule(items[i])))
	}
}

func (c *listTypeCollector) add(err *field.Error) {
	c.errs = append(c.errs, err)
	c.watch.keep(finding{err: err})
}
