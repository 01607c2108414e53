package structural

import (
	"bytes"
	"hash/maphash"
	"reflect"

	"github.com/crdsem/crdsem/internal/base/intern"
	"github.com/crdsem/crdsem/internal/belowstructural/crd"
)

// builder makes nodes and returns one value for identical ones. Two nodes are
// identical if all their keywords are. Their children and value validations are
// compared by address, because they come from the same builder.
//
// The builder finds a node by the hash of its key, which is a binary form of
// its keywords. It does not keep the keys: it writes that of a candidate again
// to compare the two. The key has the addresses of children, which stay valid
// as long as the builder keeps the parent.
type builder struct {
	seed   maphash.Seed
	nodes  map[uint64]*Schema
	values map[uint64]*ValueValidation

	converted map[conversion]converted // of the running conversion

	key   intern.Key // of the wanted node
	other intern.Key // of a candidate
}

// conversion is the argument of builder.node, and converted is its result.
type (
	conversion struct {
		props *crd.JSONSchemaProps
		at    position
	}
	converted struct {
		schema *Schema
		err    error
	}
)

func newBuilder() *builder {
	return &builder{
		seed:   maphash.MakeSeed(),
		nodes:  map[uint64]*Schema{},
		values: map[uint64]*ValueValidation{},
	}
}

// intern returns the node with these keywords and makes it if it is new. The
// values that the keywords refer to must not be changed afterwards.
func (b *builder) intern(k *keywords) *Schema {
	k.values = b.internValues(k.values)
	return b.internKnown(k)
}

// internKnown is like intern for keywords whose value validation comes from
// internValues.
func (b *builder) internKnown(k *keywords) *Schema {
	b.key = b.key[:0]
	b.writeKeywords(k)
	at := maphash.Bytes(b.seed, b.key)
	for ; ; at++ {
		known, ok := b.nodes[at]
		if !ok {
			break
		}
		if b.sameKey(func() { b.writeKeywords(&known.keywords) }) {
			return known
		}
	}
	node := &Schema{keywords: *k, below: summarize(k), defaulted: defaultedNames(k)}
	b.nodes[at] = node
	return node
}

// internValues returns the value validation with this content, nil if it is
// empty. It copies its argument, which may therefore live on the stack.
func (b *builder) internValues(v *ValueValidation) *ValueValidation {
	if v == nil || v.isEmpty() {
		return nil
	}
	b.key = b.key[:0]
	b.writeValues(v)
	at := maphash.Bytes(b.seed, b.key)
	for ; ; at++ {
		known, ok := b.values[at]
		if !ok {
			break
		}
		if b.sameKey(func() { b.writeValues(known) }) {
			return known
		}
	}
	kept := new(ValueValidation)
	*kept = *v
	b.values[at] = kept
	return kept
}

// sameKey reports whether write writes the key in b.key.
func (b *builder) sameKey(write func()) bool {
	wanted := b.key
	b.key = b.other[:0]
	write()
	b.other, b.key = b.key, wanted
	return bytes.Equal(b.other, wanted)
}

func (b *builder) writeKeywords(k *keywords) {
	b.key.Strings(k.description, k.typ, k.title)
	b.key.Value(k.def)
	b.key.Value(k.example)
	b.key.Bools(k.nullable, k.preserve, k.embedded, k.intOrString)
	b.key.Bools(k.externalDocs != nil, k.additional != nil, k.properties != nil)
	if k.externalDocs != nil {
		b.key.Strings(k.externalDocs.Description, k.externalDocs.URL)
	}
	b.key.Uint(uint64(k.properties.len()))
	k.properties.each(func(name string, child *Schema) {
		b.key.String(name)
		b.child(child)
	})
	b.child(k.items)
	if k.additional != nil {
		b.key.Bool(k.additional.Allows)
		b.child(k.additional.Schema)
	}
	b.key.StringList(k.listMapKeys)
	b.key.OptionalString(k.listType)
	b.key.OptionalString(k.mapType)
	b.rules(k.rules)
	b.address(reflect.ValueOf(k.values))
}

func (b *builder) writeValues(v *ValueValidation) {
	b.key.Strings(v.Format, v.Pattern)
	b.key.Bools(v.ExclusiveMaximum, v.ExclusiveMinimum, v.UniqueItems)
	for _, n := range [...]*float64{v.Maximum, v.Minimum, v.MultipleOf} {
		b.key.OptionalFloat(n)
	}
	for _, n := range [...]*int64{
		v.MaxLength, v.MinLength, v.MaxItems, v.MinItems, v.MaxProperties, v.MinProperties,
	} {
		b.key.OptionalInt(n)
	}
	b.key.ValueList(v.Enum)
	b.key.StringList(v.Required)
	for _, branches := range [...][]*Schema{v.AllOf, v.AnyOf, v.OneOf} {
		b.key.Uint(uint64(len(branches)))
		for _, branch := range branches {
			b.child(branch)
		}
	}
	b.child(v.Not)
}

func (b *builder) rules(rules []Rule) {
	b.key.Bool(rules != nil)
	b.key.Uint(uint64(len(rules)))
	for i := range rules {
		r := &rules[i]
		b.key.Strings(r.Rule, r.Message, r.MessageExpression, r.Reason, r.FieldPath)
		optional := r.OptionalOldSelf
		b.key.Bools(r.HasReason, optional != nil, optional != nil && *optional)
	}
}

// child writes the address of a node, which may be nil.
func (b *builder) child(s *Schema) { b.address(reflect.ValueOf(s)) }

func (b *builder) address(pointer reflect.Value) { b.key.ID(uint64(pointer.Pointer())) }
