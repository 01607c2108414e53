package defaulting

import (
	"github.com/crdsem/crdsem/structural"
)

// The keywords that lead from a spine node to its children.
const (
	properties           = "properties"
	additionalProperties = "additionalProperties"
	items                = "items"
)

// location is where a schema node lies on the spine, seen from the root, e.g.
// properties[ports].items. The nil location is the root.
type location struct {
	parent  *location
	schema  *structural.Schema // the node itself
	keyword string             // leads from the parent to the node
	name    string             // of a property
}

// key returns the key below which surround puts a field.
func (l *location) key() string {
	if l.keyword == additionalProperties {
		return "*"
	}
	return l.name
}

// surround returns the smallest value of top, which is a location above l or l
// itself, that has the value at l. A key of additionalProperties is "*", and a
// list has one item, e.g. {"ports": [value]} for properties[ports].items.
func (l *location) surround(top *location, value any) any {
	for ; l != top; l = l.parent {
		if l.keyword == items {
			value = []any{value}
		} else {
			value = map[string]any{l.key(): value}
		}
	}
	return value
}

// find returns what is at l in a value that surround returned, nil if nothing
// is left there.
func (l *location) find(top *location, value any) any {
	if l == top {
		return value
	}
	switch up := l.parent.find(top, value).(type) {
	case map[string]any:
		return up[l.key()]
	case []any:
		if len(up) > 0 {
			return up[0]
		}
	}
	return nil
}

// replaceDefaults returns the schema with each default on the spine replaced by
// what replace returns for it; nil removes the default. A node comes before the
// nodes below it. The schema is not changed; without a change it is returned
// itself. The first error ends the work and is returned.
func replaceDefaults(
	root *structural.Schema, replace func(at *location, value any) (any, error),
) (*structural.Schema, error) {
	var cache structural.Cache
	var node func(s *structural.Schema, at *location) (*structural.Schema, error)
	node = func(s *structural.Schema, at *location) (out *structural.Schema, err error) {
		value := s.Default()
		if value == nil && !s.HasDefaults() {
			return s, nil
		}
		if value != nil {
			if value, err = replace(at, value); err != nil {
				return nil, err
			}
		}
		below := func(child *structural.Schema, keyword, name string) (*structural.Schema, error) {
			return node(child, &location{at, child, keyword, name})
		}
		return cache.Rebuild(s, value, below)
	}
	return node(root, nil)
}
