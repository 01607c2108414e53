package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/structural"
)

// listTypeCollector gathers the errors of lists. Its order is the server's, with fields in the order of their names.
type listTypeCollector struct {
	errs    field.ErrorList
	indexes *indexes
}

func (c *listTypeCollector) value(n *listTypeNode, value any, path *field.Path) {
	switch value := value.(type) {
	case []any:
		c.list(n, value, path)
	case map[string]any:
		c.fields(n, value, path)
	}
}

// fields visits a field that is declared and under additionalProperties twice (LST-029).
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
			c.errs = append(c.errs, field.Invalid(path.Index(i), items[i], "must be an object for an array of list-type map"))
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

// duplicates reports the second of equal items; later ones are silent (LST-010).
func (c *listTypeCollector) duplicates(items []any, id identity, path *field.Path) {
	for _, i := range secondItems(items, id, c.indexes) {
		c.errs = append(c.errs, field.Duplicate(path.Index(i), id.shown(items[i])))
	}
}
