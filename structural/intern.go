package structural

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"reflect"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/crd"
)

// builder makes nodes and hands out one value for identical ones. Two nodes are identical if all their keywords are;
// children are compared by identity, for they went through the same builder before, and so are their value validations, of which
// few are distinct. It finds them by the hash of what is written of them, and keeps no copy of that. The identity that is written of a child
// is its address, which is its own as long as the builder keeps its parent.
type builder struct {
	seed   maphash.Seed
	nodes  map[uint64]*Schema
	values map[uint64]*ValueValidation

	converted map[conversion]converted // of whoever converts

	key, other []byte // what is written of the one that is asked for, and of one that is known
}

// conversion is what a decoded schema is converted as, and converted what came of it.
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
		seed: maphash.MakeSeed(), nodes: map[uint64]*Schema{}, values: map[uint64]*ValueValidation{},
	}
}

// intern returns the node with these keywords, making it if it is new. What they refer to must not be changed afterwards.
func (b *builder) intern(k *keywords) *Schema {
	k.values = b.internValues(k.values)
	return b.internKnown(k)
}

// internKnown is intern for keywords whose value validation comes from internValues.
func (b *builder) internKnown(k *keywords) *Schema {
	b.key = b.key[:0]
	b.writeKeywords(k)
	at := maphash.Bytes(b.seed, b.key)
	for ; ; at++ {
		known, ok := b.nodes[at]
		if !ok {
			break
		}
		if b.isWritten(func() { b.writeKeywords(&known.keywords) }) {
			return known
		}
	}
	node := &Schema{keywords: *k, below: summarize(k), defaulted: defaultedNames(k)}
	b.nodes[at] = node
	return node
}

// internValues returns the one value validation of its content, nil if it is empty. It copies what is new, so that its argument
// can live on the stack.
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
		if b.isWritten(func() { b.writeValues(known) }) {
			return known
		}
	}
	kept := new(ValueValidation)
	*kept = *v
	b.values[at] = kept
	return kept
}

// isWritten tells whether write writes what is in b.key.
func (b *builder) isWritten(write func()) bool {
	wanted := b.key
	b.key = b.other[:0]
	write()
	b.other, b.key = b.key, wanted
	return bytes.Equal(b.other, wanted)
}

func (b *builder) writeKeywords(k *keywords) {
	b.strings(k.description, k.typ, k.title)
	b.json(k.def)
	b.json(k.example)
	b.flags(k.nullable, k.preserve, k.embedded, k.intOrString, k.externalDocs != nil, k.additional != nil, k.properties != nil)
	if k.externalDocs != nil {
		b.strings(k.externalDocs.Description, k.externalDocs.URL)
	}
	b.number(uint64(len(k.names)))
	for _, name := range k.names {
		b.strings(name)
		b.child(k.properties[name])
	}
	b.child(k.items)
	if k.additional != nil {
		b.flags(k.additional.Allows)
		b.child(k.additional.Schema)
	}
	b.list(k.listMapKeys)
	b.optional(k.listType)
	b.optional(k.mapType)
	b.rules(k.rules)
	b.identity(reflect.ValueOf(k.values))
}

func (b *builder) writeValues(v *ValueValidation) {
	b.strings(v.Format, v.Pattern)
	b.flags(v.ExclusiveMaximum, v.ExclusiveMinimum, v.UniqueItems)
	for _, f := range []*float64{v.Maximum, v.Minimum, v.MultipleOf} {
		b.flags(f != nil)
		if f != nil {
			b.number(math.Float64bits(*f))
		}
	}
	for _, n := range []*int64{v.MaxLength, v.MinLength, v.MaxItems, v.MinItems, v.MaxProperties, v.MinProperties} {
		b.flags(n != nil)
		if n != nil {
			b.number(uint64(*n))
		}
	}
	b.enum(v.Enum)
	b.list(v.Required)
	for _, branches := range [][]*Schema{v.AllOf, v.AnyOf, v.OneOf} {
		b.number(uint64(len(branches)))
		for _, branch := range branches {
			b.child(branch)
		}
	}
	b.child(v.Not)
}

func (b *builder) number(n uint64) { b.key = binary.AppendUvarint(b.key, n) }

func (b *builder) strings(values ...string) {
	for _, s := range values {
		b.number(uint64(len(s)))
		b.key = append(b.key, s...)
	}
}

func (b *builder) flags(values ...bool) {
	for _, v := range values {
		if v {
			b.key = append(b.key, 1)
		} else {
			b.key = append(b.key, 0)
		}
	}
}

func (b *builder) rules(rules []Rule) {
	b.flags(rules != nil)
	b.number(uint64(len(rules)))
	for i := range rules {
		r := &rules[i]
		b.strings(r.Rule, r.Message, r.MessageExpression, r.Reason, r.FieldPath)
		b.flags(r.HasReason, r.OptionalOldSelf != nil, r.OptionalOldSelf != nil && *r.OptionalOldSelf)
	}
}

// list keeps nil and empty apart.
func (b *builder) list(values []string) {
	b.flags(values != nil)
	b.number(uint64(len(values)))
	b.strings(values...)
}

func (b *builder) optional(s *string) {
	b.flags(s != nil)
	if s != nil {
		b.strings(*s)
	}
}

// child writes the identity of a node, or of none.
func (b *builder) child(s *Schema) { b.identity(reflect.ValueOf(s)) }

func (b *builder) identity(pointer reflect.Value) {
	b.key = binary.LittleEndian.AppendUint64(b.key, uint64(pointer.Pointer()))
}

func (b *builder) enum(values []any) {
	b.number(uint64(len(values)))
	for _, v := range values {
		b.json(v)
	}
}

// json writes a value so that equal bytes mean equal values, integers and floats told apart.
func (b *builder) json(value any) {
	switch v := value.(type) {
	case nil:
		b.key = append(b.key, 'n')
	case int64:
		b.key = append(b.key, 'i')
		b.number(uint64(v))
	case float64:
		b.key = append(b.key, 'f')
		b.number(math.Float64bits(v))
	case string:
		b.key = append(b.key, 's')
		b.strings(v)
	case bool:
		b.key = append(b.key, 'b')
		b.flags(v)
	case []any:
		b.key = append(b.key, 'a')
		b.enum(v)
	case map[string]any:
		b.object(v)
	}
}

func (b *builder) object(m map[string]any) {
	b.key = append(b.key, 'o')
	b.number(uint64(len(m)))
	for _, key := range jsonvalue.SortedKeys(m) {
		b.strings(key)
		b.json(m[key])
	}
}
