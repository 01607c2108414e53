package objectgen

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/structural"
)

// Kind is what sort of values a Maker makes.
type Kind int

const (
	// Valid values keep the schema where that can be done by construction.
	Valid Kind = iota
	// Boundary values keep it, with numbers, lengths and counts at its limits.
	Boundary
	// Wild values follow it at some places only.
	Wild
)

// Maker makes and changes values of one kind. It is not safe for concurrent
// use.
type Maker struct {
	Rand *rand.Rand
	Kind Kind
	// Sparse is the least probability that an optional property is left out.
	Sparse float64
	// Context ends what is made, nil for never. Reached is set once a value
	// would have taken more than its budget.
	Context context.Context
	Reached bool

	wanted NodePath // from the current node to a node that the value must have
	// How many values and bytes were made since New was called, and how much
	// was looked at.
	values, bytes, steps int

	words    map[string]relang.Outcome // strings found for wishes
	patterns map[string]*regexp.Regexp
	enums    map[[2]*any][]any // what two enums have in common
}

// MaxDepth is how deep a value nests, whatever its schema.
const MaxDepth = 12

// New makes a value for the root of a schema. The value has the node that a
// path leads to, if it can; nil stands for no particular node.
func (m *Maker) New(root Node, wanted NodePath) any {
	m.start()
	return m.Below(root, wanted, 0)
}

// Below makes a value for a node at a depth, as New does for the root. The
// path starts at the node.
func (m *Maker) Below(n Node, wanted NodePath, depth int) any {
	m.wanted = wanted
	v := m.value(n, depth)
	m.wanted = nil
	return v
}

// child makes the value of a child of a node.
func (m *Maker) child(n Node, step string, depth int) any {
	whole := m.wanted
	m.wanted = nil
	if len(whole) > 0 && whole[0] == step {
		m.wanted = whole[1:]
	}
	v := m.value(n, depth)
	m.wanted = whole
	return v
}

// wants reports whether the path to the wanted node leads through a child.
func (m *Maker) wants(step string) bool { return len(m.wanted) > 0 && m.wanted[0] == step }

// value makes a value for a node.
func (m *Maker) value(n Node, depth int) any {
	m.values++
	if m.Kind == Wild && Chance(m.Rand, 0.08) {
		return Any(m.Rand)
	}
	n = m.Resolved(n)
	if enum := m.enum(n); len(enum) > 0 && (m.Kind != Wild || Chance(m.Rand, 0.8)) {
		return jsonvalue.DeepCopy(m.charged(Pick(m.Rand, enum...)))
	}
	if n.nullable() && len(m.wanted) == 0 && Chance(m.Rand, 0.15) {
		return nil
	}
	if n.intOrString() {
		return m.intOrString(n)
	}
	switch n.typ() {
	case "object":
		return m.object(n, depth)
	case "array":
		return m.array(n, depth)
	case "string":
		return m.string(n)
	case "integer":
		return m.integer(n)
	case "number":
		return m.number(n)
	case "boolean":
		return Chance(m.Rand, 0.5)
	}
	if n.hasProperties() {
		return m.object(n, depth)
	}
	return m.anything()
}

// anything makes a value where the schema asks nothing. Only a wild value is
// null, because the server drops a null that is not allowed.
func (m *Maker) anything() any {
	for {
		if v := Any(m.Rand); v != nil || m.Kind == Wild {
			return v
		}
	}
}

// Resolved returns a node with the branches that its values are made to keep:
// those of allOf, and one each of anyOf and oneOf. It does so once: of a node
// that it returned it returns the same.
func (m *Maker) Resolved(n Node) Node {
	if n.resolved {
		return n
	}
	n.resolved = true
	var chosen []*structural.Schema
	n.each(func(s *structural.Schema) bool {
		chosen = append(chosen, m.branchesOf(s)...)
		return true
	})
	if len(chosen) == 0 || n.intOrString() {
		return n
	}
	n.branches = slices.Clone(n.branches)
	for _, branch := range chosen {
		n.branches = append(append(n.branches, branch), m.Resolved(NodeOf(branch)).branches...)
	}
	return n
}

// branchesOf returns the branches of allOf, and one each of anyOf and oneOf.
func (m *Maker) branchesOf(s *structural.Schema) []*structural.Schema {
	v := s.Values()
	branches := slices.Clone(v.AllOf)
	for _, choices := range [][]*structural.Schema{v.AnyOf, v.OneOf} {
		if len(choices) > 0 {
			branches = append(branches, Pick(m.Rand, choices...))
		}
	}
	return branches
}

// object makes an object for a node with properties or additionalProperties.
func (m *Maker) object(n Node, depth int) any {
	out := map[string]any{}
	if (depth > MaxDepth || m.isSpent()) && len(m.wanted) == 0 {
		return out
	}
	required := map[string]bool{}
	for _, name := range n.required() {
		required[name] = true
	}
	for _, name := range n.PropertyNames() {
		m.step(1 + len(n.branches))
		if m.isSpent() && !m.wants(MemberStep+name) {
			continue
		}
		property, ok := n.Property(name)
		optional := !required[name] && !m.wants(MemberStep+name)
		if !ok || optional && Chance(m.Rand, m.leaveOut(depth)) ||
			m.Kind == Wild && Chance(m.Rand, 0.05) {
			continue
		}
		m.bytes += len(name)
		out[name] = m.child(property, MemberStep+name, depth+1)
	}
	for _, name := range jsonvalue.SortedKeys(required) {
		_, has := out[name]
		_, declared := n.Property(name)
		if !has && !declared && m.Kind != Wild && !m.isSpent() {
			m.bytes += len(name)
			out[name] = m.additional(n, depth)
		}
	}
	m.addMembers(out, n, depth)
	if n.embedded() {
		m.addTypeMeta(out)
	}
	m.fitCount(out, n, required)
	return out
}

// leaveOut is the probability that an optional property is left out. It grows
// with the depth, so that recursion through big schemas ends soon.
func (m *Maker) leaveOut(depth int) float64 {
	if m.values > manyValues {
		return 1
	}
	if depth > 5 {
		return max(m.Sparse, 0.85)
	}
	return max(m.Sparse, 0.15+0.1*float64(depth))
}

// additional makes a value for a name that is no property.
func (m *Maker) additional(n Node, depth int) any {
	if schema, ok := n.Additional(); ok {
		return m.child(schema, KeyStep, depth+1)
	}
	return m.anything()
}

// addMembers adds names that are no properties. Where the schema has
// additionalProperties, it adds what they allow. Otherwise it adds an unknown
// field: where they are kept or, in a wild object, where they are pruned.
func (m *Maker) addMembers(out map[string]any, n Node, depth int) {
	unknown := 0.0
	switch {
	case n.allowsAdditional():
		times := m.Rand.IntN(4)
		if m.wants(KeyStep) {
			times = max(times, 1)
		}
		for range times {
			key := Pick(m.Rand, "k", "key", "a", "x/y", "", "é", "b.c")
			out[key] = m.additional(n, depth)
		}
		return
	case n.preserves():
		unknown = 0.5
	case m.Kind == Wild:
		unknown = 0.15
	}
	if Chance(m.Rand, unknown) {
		key := Pick(m.Rand, "unknown", "u v", "é", "u.v")
		out[key] = Any(m.Rand)
	}
}

// addTypeMeta gives an embedded resource its apiVersion, kind and metadata.
func (m *Maker) addTypeMeta(out map[string]any) {
	out["apiVersion"] = Pick(m.Rand, "v1", "apps/v1")
	out["kind"] = Pick(m.Rand, "Pod", "Deployment")
	metadata := map[string]any{"name": "embedded"}
	if Chance(m.Rand, 0.3) {
		metadata["labels"] = map[string]any{"a": "b"}
	}
	if m.Kind == Wild && Chance(m.Rand, 0.3) {
		key := Pick(m.Rand, "unknown", "labels", "name", "generation", "creationTimestamp")
		metadata[key] = Any(m.Rand)
	}
	out["metadata"] = metadata
	if m.Kind == Wild && Chance(m.Rand, 0.15) {
		key := Pick(m.Rand, "apiVersion", "kind", "metadata")
		out[key] = Any(m.Rand)
	}
}

// fitCount removes and adds members where minProperties or maxProperties ask
// for it.
func (m *Maker) fitCount(out map[string]any, n Node, required map[string]bool) {
	if m.Kind == Wild {
		return
	}
	most, bounded := n.atMost(maxProperties)
	for _, name := range jsonvalue.SortedKeys(out) {
		if bounded && len(out) > most && !required[name] && !m.wants(MemberStep+name) {
			delete(out, name)
		}
	}
	least, _ := n.atLeast(minProperties)
	for _, name := range n.PropertyNames() {
		if len(out) >= least || m.isSpent() {
			return
		}
		m.step(1 + len(n.branches))
		if _, has := out[name]; !has {
			property, _ := n.Property(name)
			out[name] = m.value(property, MaxDepth)
		}
	}
	if !n.allowsAdditional() {
		return
	}
	for i := 0; len(out) < min(least, 100) && !m.isSpent(); i++ {
		key := "k" + string(rune('a'+i%26)) + string(rune('a'+i/26))
		out[key] = m.additional(n, MaxDepth)
	}
}

// array makes a list.
func (m *Maker) array(n Node, depth int) any {
	items, _ := n.Items()
	length := m.length(n, depth)
	out := []any{}
	others := distinct(n, items)
	for range 4 * length {
		if len(out) == length || m.isSpent() {
			break
		}
		item := m.child(items, ItemStep, depth+1)
		if m.Kind == Wild || others.add(item) {
			out = append(out, item)
		}
	}
	return out
}

// length returns how many items a list gets.
func (m *Maker) length(n Node, depth int) int {
	least, _ := n.atLeast(minItems)
	most, bounded := n.atMost(maxItems)
	length := least + m.Rand.IntN(3)
	if depth > 5 || m.values > manyValues {
		length = least
	}
	if m.wants(ItemStep) {
		length = max(length, 1)
	}
	if bounded {
		length = min(length, most)
		if m.Kind == Boundary && m.values < manyValues {
			length = Pick(m.Rand, least, min(most, least+20))
		}
	}
	if m.Kind == Wild && Chance(m.Rand, 0.2) {
		length = m.Rand.IntN(6)
	}
	return length
}

// distinctItems are the items of a list: a set has each once, a list-map one
// with the same keys. A key that is left out counts as its default.
type distinctItems struct {
	list, items Node
	seen        *valueSet
}

func distinct(list, items Node, have ...any) *distinctItems {
	d := &distinctItems{list, items, setOf(nil)}
	for _, item := range have {
		d.add(item)
	}
	return d
}

// add adds an item. It reports whether the list may have it.
func (d *distinctItems) add(item any) bool {
	switch d.list.listType() {
	case structural.ListMap:
		item = keysOf(d.list, d.items, item)
	case structural.ListSet:
	default:
		return true
	}
	if d.seen.has(item) {
		return false
	}
	d.seen.add(item)
	return true
}

// keysOf returns the values of the list-map keys of an item.
func keysOf(list, items Node, item any) []any {
	object, _ := item.(map[string]any)
	names := list.listMapKeys()
	keys := make([]any, len(names))
	for i, name := range names {
		v, ok := object[name]
		if !ok {
			property, _ := items.Property(name)
			v = property.Default()
		}
		keys[i] = v
	}
	return keys
}
