package decl

import (
	"crypto/sha256"

	"github.com/crdsem/crdsem/internal/base/intern"
	"github.com/crdsem/crdsem/structural"
)

// fingerprint identifies what expressions can see of a schema: types, fields
// and sizes, but not descriptions, patterns or rules.
type fingerprint [16]byte

// likeness is what two nodes share if expressions compile to the same program
// for both.
type likeness struct {
	schema   fingerprint
	resource bool
	alone    *Node // set for a node without a schema: no other is like it
}

// Canonical returns the first node it was called with among those for which
// expressions compile to the same program, e.g. two strings with one maxLength.
// The nodes may differ in how their values are read at run time, so an
// evaluation uses the node itself.
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
	put(&u.canonical, like, n)
	return n
}

// fingerprint returns the fingerprint of a schema, zero without one. u.mu must
// be held.
func (u *Universe) fingerprint(s *structural.Schema) fingerprint {
	if s == nil {
		return fingerprint{}
	}
	if f, ok := u.fingerprints[s]; ok {
		return f
	}
	var key intern.Key
	u.write(&key, s)
	var f fingerprint
	sum := sha256.Sum256(key)
	copy(f[:], sum[:])
	put(&u.fingerprints, s, f)
	return f
}

// write writes everything that expressions can see of a schema.
func (u *Universe) write(key *intern.Key, s *structural.Schema) {
	values := s.Values()
	key.Byte(byte(kindOf(s)))
	key.Bool(s.EmbeddedResource())
	key.Bool(s.HasProperties())
	key.OptionalInt(values.MaxLength)
	key.OptionalInt(values.MaxItems)
	key.OptionalInt(values.MaxProperties)
	key.Int(longestText(values.Enum))
	key.StringList(values.Required)
	key.StringList(s.PropertyNames())
	for _, property := range s.Properties() {
		key.Bool(property.Default() != nil)
		u.writeChild(key, property)
	}
	u.writeChild(key, s.Items())
	u.writeChild(key, s.AdditionalSchema())
}

// writeChild writes the fingerprint of a schema that may be nil.
func (u *Universe) writeChild(key *intern.Key, s *structural.Schema) {
	f := u.fingerprint(s)
	*key = append(*key, f[:]...)
}
