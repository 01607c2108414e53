package decl

import "github.com/crdsem/crdsem/structural"

// declaresResource reports whether the schema itself declares everything that a
// resource root must have (CEL-024).
func declaresResource(s *structural.Schema) bool {
	meta := s.Property("metadata")
	return s.Property("kind").Type() == "string" &&
		s.Property("apiVersion").Type() == "string" &&
		meta.Type() == "object" &&
		meta.Property("name").Type() == "string" &&
		meta.Property("generateName").Type() == "string"
}

// The greatest lengths of metadata.name and metadata.generateName. The server
// appends at least one byte to the latter.
const (
	nameMaxLength         = 253
	generateNameMaxLength = nameMaxLength - 1
	unlimited             = int64(-1)
)

// metadataNode returns the node of a resource's metadata: name and
// generateName, with the lengths that the schema declares if they are shorter.
func (u *Universe) metadataNode(declared *structural.Schema) *Node {
	name, generateName := unlimited, unlimited
	if !u.variant.UnboundedNames {
		name = shorter(declared.Property("name"), nameMaxLength)
		generateName = shorter(declared.Property("generateName"), generateNameMaxLength)
	}
	props := map[string]*Node{"name": u.textNode(name), "generateName": u.textNode(generateName)}
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]int64{name, generateName}
	if n, ok := u.meta[key]; ok {
		return n
	}
	n := &Node{Kind: Object, hasFields: true, universe: u}
	n.props.Store(&props)
	put(&u.meta, key, n)
	return n
}

// shorter returns the maxLength of a schema, or limit if that is smaller.
func shorter(s *structural.Schema, limit int64) int64 {
	if m := s.Values().MaxLength; m != nil {
		return max(min(*m, limit), 0)
	}
	return limit
}

// textNode returns the node of a string of at most so many characters.
func (u *Universe) textNode(maxLength int64) *Node {
	u.mu.Lock()
	defer u.mu.Unlock()
	if n, ok := u.text[maxLength]; ok {
		return n
	}
	n := &Node{Kind: String, hasFields: true, universe: u}
	if maxLength != unlimited {
		n.maxLength = &maxLength
	}
	put(&u.text, maxLength, n)
	return n
}
