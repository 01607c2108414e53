package decl

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/crdsem/crdsem/structural"
)

// fingerprint identifies what expressions can see of a schema: types, fields and sizes, but no descriptions, patterns or rules.
type fingerprint [16]byte

// likeness is what makes two nodes interchangeable for compiling.
type likeness struct {
	schema   fingerprint
	resource bool
	alone    *Node // set for a node without a schema: it is like no other
}

// Canonical returns the first node that was asked for among those for which expressions compile to the same. Nodes differ in how their
// values are taken at run time; that goes by the node itself.
func (u *Universe) Canonical(n *Node) *Node {
	u.mu.Lock()
	defer u.mu.Unlock()
	like := likeness{alone: n}
	if n.Schema != nil {
		like = likeness{schema: u.fingerprint(n.Schema), resource: n.Resource}
	}
	if first, ok := u.canonical[like]; ok {
		return first
	}
	if u.canonical == nil {
		u.canonical = map[likeness]*Node{}
	}
	u.canonical[like] = n
	return n
}

// fingerprint is called with the lock held.
func (u *Universe) fingerprint(s *structural.Schema) fingerprint {
	if f, ok := u.fingerprints[s]; ok {
		return f
	}
	var key []byte
	text := func(t string) { key = append(binary.AppendUvarint(key, uint64(len(t))), t...) }
	number := func(n *int64) {
		if n == nil {
			key = append(key, 0)
			return
		}
		key = binary.AppendVarint(append(key, 1), *n)
	}
	flag := func(b bool) {
		if b {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	child := func(c *structural.Schema) {
		flag(c != nil)
		if c != nil {
			f := u.fingerprint(c)
			key = append(key, f[:]...)
		}
	}
	values := s.Values()
	key = append(key, byte(kindOf(s)))
	flag(s.EmbeddedResource())
	flag(s.HasProperties())
	number(values.MaxLength)
	number(values.MaxItems)
	number(values.MaxProperties)
	key = binary.AppendVarint(key, longestText(values.Enum))
	key = binary.AppendUvarint(key, uint64(len(values.Required)))
	for _, name := range values.Required {
		text(name)
	}
	for name, property := range s.Properties() {
		text(name)
		flag(property.Default() != nil)
		child(property)
	}
	child(s.Items())
	child(s.AdditionalSchema())
	var f fingerprint
	sum := sha256.Sum256(key)
	copy(f[:], sum[:])
	if u.fingerprints == nil {
		u.fingerprints = map[*structural.Schema]fingerprint{}
	}
	u.fingerprints[s] = f
	return f
}
