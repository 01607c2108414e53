package structural

// Equal tells whether two schemas say the same at every node; nil and empty lists differ where the server tells them apart.
func Equal(a, b *Schema) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	// Both are rebuilt by one builder, which makes their identical nodes one.
	unchanged := newRewriter(nil)
	return unchanged.spineNode(a) == unchanged.spineNode(b)
}
