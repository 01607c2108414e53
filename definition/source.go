package definition

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source finds the places of errors in the text of a definition. It is
// immutable.
type Source struct{ root *yaml.Node }

// Position is a place in a text. Lines and columns count from 1.
type Position struct{ Line, Column int }

// NewSource reads one YAML or JSON document. It returns an error if the text is
// neither.
func NewSource(data []byte) (*Source, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	s := &Source{}
	if len(document.Content) > 0 {
		s.root = document.Content[0]
	}
	return s, nil
}

// Position returns the place of an error's field, e.g.
// "spec.validation.openAPIV3Schema.type". If the text lacks the field, it
// returns the place of the nearest field that would hold it. ok is false only
// if the text is empty.
func (s *Source) Position(field string) (at Position, ok bool) {
	if s.root == nil {
		return Position{}, false
	}
	best, left := locate(s.root, field)
	if node, remaining := locate(s.root, V1Path(field)); remaining < left {
		best = node
	}
	return Position{best.Line, best.Column}, true
}

// locate follows a path as far as there are nodes. It returns the key or the
// item that it reached, and the length of the rest of the path.
func locate(root *yaml.Node, path string) (at *yaml.Node, left int) {
	at = root
	for value := root; path != ""; {
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		key, next, rest := step(value, path)
		if next == nil {
			return at, len(path)
		}
		at, value, path = key, next, rest
	}
	return at, 0
}

// step follows the first segment of a path. It returns the key that names the
// segment, its value, and the rest of the path.
func step(value *yaml.Node, path string) (key, next *yaml.Node, rest string) {
	path = strings.TrimPrefix(path, ".")
	switch value.Kind {
	case yaml.MappingNode:
		return entry(value, path)
	case yaml.SequenceNode:
		return item(value, path)
	}
	return nil, nil, path
}

// entry returns the entry of a mapping with the longest key that the path
// starts with. The key may stand in brackets.
func entry(value *yaml.Node, path string) (key, next *yaml.Node, rest string) {
	for i := 0; i+1 < len(value.Content); i += 2 {
		name := value.Content[i].Value
		if key != nil && len(name) <= len(key.Value) {
			continue
		}
		after, ok := strings.CutPrefix(path, "["+name+"]")
		if !ok {
			after, ok = strings.CutPrefix(path, name)
			ok = ok && (after == "" || after[0] == '.' || after[0] == '[')
		}
		if ok {
			key, next, rest = value.Content[i], value.Content[i+1], after
		}
	}
	return key, next, rest
}

// item returns the item of a list that the path starts with, e.g. [2].
func item(value *yaml.Node, path string) (key, next *yaml.Node, rest string) {
	inner, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	index, err := strconv.Atoi(inner)
	if !ok || err != nil || index < 0 || index >= len(value.Content) {
		return nil, nil, path
	}
	return value.Content[index], value.Content[index], rest
}
