package manifest

import (
	"bytes"
	"slices"

	"go.yaml.in/yaml/v3"
)

// withoutMerged returns the errors about duplicate keys without those about
// keys that stand once in their mapping: they override the key of a mapping
// that is merged, or are overridden by it.
func (d *Document) withoutMerged(duplicates []*Error) []*Error {
	if len(duplicates) == 0 || !bytes.Contains(d.Data, []byte("<<")) {
		return duplicates
	}
	d.index.Do(d.buildIndex)
	if d.root == nil {
		return duplicates
	}
	twice := map[Position]bool{}
	d.addDuplicates(d.root, twice)
	return slices.DeleteFunc(duplicates, func(err *Error) bool { return !twice[err.Position] })
}

// addDuplicates adds the positions of the keys at or below a node that their
// mapping has before.
func (d *Document) addDuplicates(node *yaml.Node, twice map[Position]bool) {
	if node.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := decodedKey(node.Content[i])
			if seen[key] {
				twice[d.nodePosition(node.Content[i])] = true
			}
			seen[key] = true
		}
	}
	for _, child := range node.Content {
		d.addDuplicates(child, twice)
	}
}
