package definition

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Source is the text of a definition, in which the places that findings name can be looked up.
type Source struct{ root *yaml.Node }

// Position is a place in a text. Lines and columns count from 1.
type Position struct{ Line, Column int }

// NewSource reads one YAML or JSON document. It fails if the text is neither.
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

// moved are the places of the server's internal form, in which its findings are told, that a document of v1 has elsewhere:
// what all versions share is told as if it stood once.
var moved = []struct{ from, to string }{
	{"spec.validation", "spec.versions[0].schema"},
	{"spec.subresources", "spec.versions[0].subresources"},
	{"spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"},
	{"spec.selectableFields", "spec.versions[0].selectableFields"},
	{"spec.version", "spec.versions[0].name"},
	{"spec.conversion.webhookClientConfig", "spec.conversion.webhook.clientConfig"},
	{"spec.conversion.conversionReviewVersions", "spec.conversion.webhook.conversionReviewVersions"},
}

// Position finds the place of a finding's field. Of a field that the text does not have it finds the nearest one that holds it;
// ok is false only if the text is empty.
func (s *Source) Position(field string) (at Position, ok bool) {
	if s.root == nil {
		return Position{}, false
	}
	best, left := locate(s.root, field)
	for _, m := range moved {
		rest, found := strings.CutPrefix(field, m.from)
		if !found || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if node, remaining := locate(s.root, m.to+rest); remaining < left {
			best, left = node, remaining
		}
	}
	return Position{best.Line, best.Column}, true
}

// locate follows a path as far as the nodes have it. It returns the key, or the item, that it came to and how much of the path is left.
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

// step takes the path's first segment from a node: the node that names it, its value, and the rest of the path.
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

// entry finds the longest key of a mapping that the path starts with, with or without brackets.
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

func item(value *yaml.Node, path string) (key, next *yaml.Node, rest string) {
	inner, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	index, err := strconv.Atoi(inner)
	if !ok || err != nil || index < 0 || index >= len(value.Content) {
		return nil, nil, path
	}
	return value.Content[index], value.Content[index], rest
}
