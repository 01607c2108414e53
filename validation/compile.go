package validation

import (
	"encoding/binary"
	"slices"

	"github.com/crdsem/crdsem/structural"
)

// compiler turns schema nodes into nodes, each distinct one once.
type compiler struct {
	// reexported: the schema is taken as the server re-exports it to validate defaults (DEF-052, DEF-053).
	reexported bool
	seen       map[place]*node
	nodes      map[checks]*node
	types      map[typeRule]*typeRule
	strings    map[stringRule]*stringRule
	numbers    map[numberRule]*numberRule
	lists      map[listRule]*listRule
	objects    map[string]*objectRule
	junctors   map[string]*junctorRule
	patterns   map[string]*pattern
	formats    map[string]*format
	ids        map[*node]uint64
}

// place is a schema node, on the spine or in a branch: in a branch nothing may be left out, for everything counts as a match.
type place struct {
	schema *structural.Schema
	where  position
}

type position uint8

const (
	onSpine position = iota
	inBranch
)

func newCompiler() *compiler {
	return &compiler{
		seen: map[place]*node{}, nodes: map[checks]*node{}, types: map[typeRule]*typeRule{},
		strings: map[stringRule]*stringRule{}, numbers: map[numberRule]*numberRule{}, lists: map[listRule]*listRule{},
		objects: map[string]*objectRule{}, junctors: map[string]*junctorRule{},
		patterns: map[string]*pattern{}, formats: map[string]*format{}, ids: map[*node]uint64{},
	}
}

// shared returns the one value of a map for a key.
func shared[K comparable, V any](m map[K]*V, key K, make func() *V) *V {
	if v, ok := m[key]; ok {
		return v
	}
	v := make()
	m[key] = v
	return v
}

func (c *compiler) node(s *structural.Schema, where position) *node {
	at := place{s, where}
	if n, ok := c.seen[at]; ok {
		return n
	}
	values := s.Values()
	rule := typeRule{types: c.typesOf(s), nullable: s.Nullable()}
	rule.format = values.Format
	if !c.reexported {
		rule.format = keptFormat(rule.types, values.Format)
	}
	parts := checks{
		types:    shared(c.types, rule, func() *typeRule { return &rule }),
		strings:  c.stringsOf(values, rule.format),
		numbers:  c.numbersOf(values, &rule),
		lists:    c.listsOf(s, where),
		objects:  c.objectsOf(s, where),
		junctors: c.junctorsOf(values),
	}
	if len(values.Enum) > 0 {
		parts.enum = newEnumRule(values.Enum)
	}
	n := shared(c.nodes, parts, func() *node { return c.newNode(parts) })
	c.seen[at] = n
	return n
}

func (c *compiler) newNode(parts checks) *node {
	n := &node{checks: parts, accepts: parts.types.accepted()}
	n.free = n.accepts == allKinds && parts.enum == nil && parts.junctors == nil &&
		parts.strings == nil && parts.numbers == nil &&
		(parts.lists == nil || parts.lists.neverFails()) && (parts.objects == nil || parts.objects.neverFails())
	c.ids[n] = uint64(len(c.ids) + 1)
	return n
}

func (c *compiler) typesOf(s *structural.Schema) string {
	if s.IntOrString() && !c.reexported {
		return intOrString
	}
	return s.Type()
}

func (c *compiler) stringsOf(v *structural.ValueValidation, formatName string) *stringRule {
	rule := stringRule{}
	rule.min, rule.max = limits(v.MinLength, v.MaxLength)
	if v.Pattern != "" {
		rule.pattern = shared(c.patterns, v.Pattern, func() *pattern { return compilePattern(v.Pattern) })
	}
	if formatName != "" {
		name := normalFormat(formatName)
		rule.format = shared(c.formats, name, func() *format { return newFormat(name) })
	}
	if v.MinLength == nil && v.MaxLength == nil && rule.pattern == nil && rule.format == nil {
		return nil
	}
	return shared(c.strings, rule, func() *stringRule { return &rule })
}

func (c *compiler) numbersOf(v *structural.ValueValidation, t *typeRule) *numberRule {
	rule := numberRule{width: widthOf(t.types, t.format), typeText: rangeText(t.types, t.format)}
	if rule.width == anyWidth && v.MultipleOf == nil && v.Maximum == nil && v.Minimum == nil {
		return nil
	}
	rule.multiple = newBound(v.MultipleOf, rule.width)
	rule.maximum = newBound(v.Maximum, rule.width)
	rule.minimum = newBound(v.Minimum, rule.width)
	rule.maximum.exclusive, rule.minimum.exclusive = v.ExclusiveMaximum, v.ExclusiveMinimum
	return shared(c.numbers, rule, func() *numberRule { return &rule })
}

func (c *compiler) listsOf(s *structural.Schema, where position) *listRule {
	v := s.Values()
	rule := listRule{unique: v.UniqueItems}
	rule.min, rule.max = limits(v.MinItems, v.MaxItems)
	if items := s.Items(); items != nil {
		n := c.node(items, where)
		if !n.free || where == inBranch {
			rule.items = n
		}
	}
	if rule.items == nil && v.MinItems == nil && v.MaxItems == nil && !v.UniqueItems {
		return nil
	}
	return shared(c.lists, rule, func() *listRule { return &rule })
}

func (l *listRule) neverFails() bool {
	lowest, highest := limits(nil, nil)
	return l.min == lowest && l.max == highest && !l.unique && (l.items == nil || l.items.free)
}

func (c *compiler) objectsOf(s *structural.Schema, where position) *objectRule {
	v := s.Values()
	o := &objectRule{required: v.Required}
	o.min, o.max = limits(v.MinProperties, v.MaxProperties)
	if a := s.AdditionalProperties(); a != nil && !(c.reexported && where == inBranch) {
		o.closed = !a.Allows
		if a.Schema != nil && a.Allows {
			if n := c.node(a.Schema, where); !n.free || where == inBranch {
				o.additional = n
			}
		}
	}
	for name, property := range s.Properties() {
		n := c.node(property, where)
		if !n.free {
			o.failing++
		} else if where == onSpine && !o.closed && o.additional == nil {
			continue
		}
		o.fields = append(o.fields, fieldRule{name, n})
	}
	if len(o.fields) == 0 && len(o.required) == 0 && !o.closed && o.additional == nil && v.MinProperties == nil && v.MaxProperties == nil {
		return nil
	}
	return shared(c.objects, c.objectKey(o), func() *objectRule { return o.complete() })
}

// complete adds what is derived from the rest.
func (o *objectRule) complete() *objectRule {
	o.fields = slices.Clip(o.fields)
	o.byName = make(map[string]*node, len(o.fields))
	for _, f := range o.fields {
		o.byName[f.name] = f.node
	}
	return o
}

func (o *objectRule) neverFails() bool {
	lowest, highest := limits(nil, nil)
	return o.min == lowest && o.max == highest && len(o.required) == 0 && !o.closed && o.failing == 0 &&
		(o.additional == nil || o.additional.free)
}

func (c *compiler) objectKey(o *objectRule) string {
	key := binary.AppendVarint(nil, o.min)
	key = binary.AppendVarint(key, o.max)
	if o.closed {
		key = append(key, 1)
	}
	key = binary.AppendUvarint(key, c.ids[o.additional])
	key = binary.AppendUvarint(key, uint64(len(o.required)))
	for _, name := range o.required {
		key = appendText(key, name)
	}
	for _, f := range o.fields {
		key = appendText(key, f.name)
		key = binary.AppendUvarint(key, c.ids[f.node])
	}
	return string(key)
}

func appendText(key []byte, text string) []byte {
	key = binary.AppendUvarint(key, uint64(len(text)))
	return append(key, text...)
}

func (c *compiler) junctorsOf(v *structural.ValueValidation) *junctorRule {
	if len(v.AnyOf) == 0 && len(v.OneOf) == 0 && len(v.AllOf) == 0 && v.Not == nil {
		return nil
	}
	j := &junctorRule{anyOf: c.branches(v.AnyOf), oneOf: c.branches(v.OneOf), allOf: c.branches(v.AllOf)}
	if v.Not != nil {
		j.not = c.node(v.Not, inBranch)
	}
	var key []byte
	for _, branches := range [][]*node{j.anyOf, j.oneOf, j.allOf, {j.not}} {
		key = binary.AppendUvarint(key, uint64(len(branches)))
		for _, n := range branches {
			key = binary.AppendUvarint(key, c.ids[n])
		}
	}
	return shared(c.junctors, string(key), func() *junctorRule { return j })
}

func (c *compiler) branches(schemas []*structural.Schema) []*node {
	nodes := make([]*node, len(schemas))
	for i, s := range schemas {
		nodes[i] = c.node(s, inBranch)
	}
	return nodes
}
