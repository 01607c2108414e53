package validation

import (
	"slices"
	"sync/atomic"

	"github.com/crdsem/crdsem/internal/base/intern"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// compiler turns schema nodes into nodes. Schema nodes with the same checks
// become the same node: each kind of check is looked up by its content in a
// map.
type compiler struct {
	// profile is the minor of the validator that is being compiled.
	profile *profile.Profile
	// reexported: the schema is taken as the server re-exports it to validate
	// defaults (DEF-052, DEF-053).
	reexported bool
	seen       map[occurrence]*node
	nodes      map[checks]*node
	types      map[typeRule]*types
	strings    map[stringRule]*stringRule
	numbers    map[numberRule]*numberRule
	lists      map[listRule]*listRule
	objects    map[string]*objectRule
	junctors   map[string]*junctorRule
	patterns   map[string]*pattern
	// patternRoom is what large patterns may still take. It is not part of the
	// compiler, which the patterns would otherwise keep alive.
	patternRoom *atomic.Int64
	formats     map[string]*format
	enums       map[*any]*enumRule // by first member: a document has each list once
	ids         map[*node]uint64
	listTypes   map[*structural.Schema]*listTypeNode
	embedded    map[*structural.Schema]*embeddedNode

	fields []fieldRule // a stack of the fields that are being compiled
	key    intern.Key  // of the rule that is being looked up
}

// occurrence is a schema node on the spine or in a branch. In a branch nothing
// is left out, because everything adds to the match count.
type occurrence struct {
	schema *structural.Schema
	where  position
	in     variant
}

// variant is what a minor compiles differently. The checks that do not differ
// are shared.
type variant struct{ numericFormats, nameFormats, ofDefaults, roundedMultiples bool }

func variantOf(p *profile.Profile) variant {
	return variant{p.NumericFormats, p.NameFormats, p.NameFormatsOfDefaults, p.RoundedMultiples}
}

type position uint8

const (
	onSpine position = iota
	inBranch
)

// put adds an entry to a map and makes the map when it is first needed, because
// many compilers compile a single node.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// shared returns the one pointer to a value.
func shared[V comparable](m *map[V]*V, value V) *V {
	if v, ok := (*m)[value]; ok {
		return v
	}
	v := new(V)
	*v = value
	put(m, value, v)
	return v
}

func (c *compiler) node(s *structural.Schema, where position) *node {
	at := occurrence{s, where, variantOf(c.profile)}
	if n, ok := c.seen[at]; ok {
		return n
	}
	values := s.Values()
	rule := typeRule{types: c.typesOf(s), nullable: s.Nullable()}
	rule.format = values.Format
	if !c.reexported {
		rule.format = keptFormat(rule.types, values.Format, c.profile)
	}
	rule.truncates = !c.profile.RoundedMultiples && rule.has("integer")
	parts := checks{
		types:    c.typesFor(rule),
		strings:  c.stringsOf(values, rule.format),
		numbers:  c.numbersOf(values, &rule),
		lists:    c.listsOf(s, where),
		objects:  c.objectsOf(s, where),
		junctors: c.junctorsOf(values),
	}
	if len(values.Enum) > 0 {
		parts.enum = c.enumFor(values.Enum)
	}
	n, ok := c.nodes[parts]
	if !ok {
		n = c.newNode(parts)
	}
	put(&c.seen, at, n)
	return n
}

func (c *compiler) newNode(parts checks) *node {
	n := &node{checks: parts, kinds: parts.types.accepted}
	n.tautology = n.kinds == allKinds && parts.enum == nil && parts.junctors == nil &&
		parts.strings == nil && parts.numbers == nil &&
		(parts.lists == nil || parts.lists.neverFails()) &&
		(parts.objects == nil || parts.objects.neverFails())
	n.repeats = n.findRepeats()
	put(&c.ids, n, uint64(len(c.ids)+1))
	put(&c.nodes, parts, n)
	return n
}

func (c *compiler) typesFor(rule typeRule) *types {
	t, ok := c.types[rule]
	if !ok {
		t = newTypes(rule)
		put(&c.types, rule, t)
	}
	return t
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
		rule.pattern = c.patternFor(v.Pattern)
	}
	if formatName != "" && c.checksFormat(formatName) {
		rule.format = c.formatFor(normalFormat(formatName))
	}
	if v.MinLength == nil && v.MaxLength == nil && rule.pattern == nil && rule.format == nil {
		return nil
	}
	return shared(&c.strings, rule)
}

// checksFormat reports whether strings are checked by a format. Until 1.33 the
// formats of names are among those that defaults of definitions do not know.
func (c *compiler) checksFormat(name string) bool {
	return !c.reexported || c.profile.NameFormatsOfDefaults || !isNameFormat(name)
}

func (c *compiler) patternFor(text string) *pattern {
	p, ok := c.patterns[text]
	if !ok {
		p = &pattern{text: text, room: c.patternRoom}
		put(&c.patterns, text, p)
	}
	return p
}

func (c *compiler) formatFor(name string) *format {
	f, ok := c.formats[name]
	if !ok {
		f = newFormat(name)
		put(&c.formats, name, f)
	}
	return f
}

func (c *compiler) enumFor(members []any) *enumRule {
	e, ok := c.enums[&members[0]]
	if !ok {
		e = newEnumRule(members)
		put(&c.enums, &members[0], e)
	}
	return e
}

func (c *compiler) numbersOf(v *structural.ValueValidation, t *typeRule) *numberRule {
	var rule numberRule
	if c.profile.NumericFormats {
		rule.width, rule.typeText = widthOf(t.types, t.format), rangeText(t.types, t.format)
	}
	if rule.width == anyWidth && v.MultipleOf == nil && v.Maximum == nil && v.Minimum == nil {
		return nil
	}
	rule.multiple = newBound(v.MultipleOf, rule.width)
	rule.truncates = v.MultipleOf != nil && !c.profile.RoundedMultiples
	rule.maximum = newBound(v.Maximum, rule.width)
	rule.minimum = newBound(v.Minimum, rule.width)
	rule.maximum.exclusive, rule.minimum.exclusive = v.ExclusiveMaximum, v.ExclusiveMinimum
	return shared(&c.numbers, rule)
}

func (c *compiler) listsOf(s *structural.Schema, where position) *listRule {
	v := s.Values()
	rule := listRule{unique: v.UniqueItems}
	rule.min, rule.max = limits(v.MinItems, v.MaxItems)
	if items := s.Items(); items != nil {
		n := c.node(items, where)
		if !n.tautology || where == inBranch {
			rule.items = n
		}
	}
	if rule.items == nil && v.MinItems == nil && v.MaxItems == nil && !v.UniqueItems {
		return nil
	}
	return shared(&c.lists, rule)
}

func (l *listRule) neverFails() bool {
	lowest, highest := limits(nil, nil)
	return l.min == lowest && l.max == highest && !l.unique && (l.items == nil || l.items.tautology)
}

func (c *compiler) objectsOf(s *structural.Schema, where position) *objectRule {
	v := s.Values()
	o := objectRule{required: v.Required}
	o.min, o.max = limits(v.MinProperties, v.MaxProperties)
	if a := s.AdditionalProperties(); a != nil && !(c.reexported && where == inBranch) {
		o.closed = !a.Allows
		if a.Schema != nil && a.Allows {
			if n := c.node(a.Schema, where); !n.tautology || where == inBranch {
				o.additional = n
			}
		}
	}
	mark := len(c.fields)
	for name, property := range s.Properties() {
		n := c.node(property, where)
		if !n.tautology {
			o.fallible++
		} else if where == onSpine && !o.closed && o.additional == nil {
			continue
		}
		c.fields = append(c.fields, fieldRule{name, n})
	}
	o.fields = c.fields[mark:]
	c.fields = c.fields[:mark]
	counted := v.MinProperties != nil || v.MaxProperties != nil
	if len(o.fields) == 0 && len(o.required) == 0 && !o.closed && o.additional == nil && !counted {
		return nil
	}
	return c.objectsFor(o)
}

// objectsFor returns the one rule of this content. It copies the fields,
// because they lie on the compiler's stack.
func (c *compiler) objectsFor(o objectRule) *objectRule {
	c.writeObjectKey(&o)
	if rule, ok := c.objects[string(c.key)]; ok {
		return rule
	}
	o.fields = slices.Clone(o.fields)
	if len(o.fields) > scannedFields {
		o.byName = make(map[string]*node, len(o.fields))
		for _, f := range o.fields {
			o.byName[f.name] = f.node
		}
	}
	rule := &o
	put(&c.objects, string(c.key), rule)
	return rule
}

func (o *objectRule) neverFails() bool {
	lowest, highest := limits(nil, nil)
	return o.min == lowest && o.max == highest && len(o.required) == 0 &&
		!o.closed && o.fallible == 0 &&
		(o.additional == nil || o.additional.tautology)
}

func (c *compiler) writeObjectKey(o *objectRule) {
	c.key = c.key[:0]
	c.key.Int(o.min)
	c.key.Int(o.max)
	c.key.Bool(o.closed)
	c.key.Uint(c.ids[o.additional])
	c.key.Uint(uint64(len(o.required)))
	c.key.Strings(o.required...)
	for i := range o.fields {
		c.key.String(o.fields[i].name)
		c.key.Uint(c.ids[o.fields[i].node])
	}
}

func (c *compiler) junctorsOf(v *structural.ValueValidation) *junctorRule {
	if len(v.AnyOf) == 0 && len(v.OneOf) == 0 && len(v.AllOf) == 0 && v.Not == nil {
		return nil
	}
	j := &junctorRule{
		anyOf: c.branches(v.AnyOf),
		oneOf: c.branches(v.OneOf),
		allOf: c.branches(v.AllOf),
	}
	if v.Not != nil {
		j.not = c.node(v.Not, inBranch)
	}
	var key intern.Key
	for _, branches := range [][]*node{j.anyOf, j.oneOf, j.allOf, {j.not}} {
		key.Uint(uint64(len(branches)))
		for _, n := range branches {
			key.Uint(c.ids[n])
		}
	}
	if rule, ok := c.junctors[string(key)]; ok {
		return rule
	}
	put(&c.junctors, string(key), j)
	return j
}

func (c *compiler) branches(schemas []*structural.Schema) []*node {
	nodes := make([]*node, len(schemas))
	for i, s := range schemas {
		nodes[i] = c.node(s, inBranch)
	}
	return nodes
}
