package manifest

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/base/fieldpath"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
)

// Place is where a path leads in a document.
type Place struct {
	// Key is the position of the field's key. For an item of a list it is the
	// position of the item, and for the empty path that of the object.
	Key Position
	// Value is the position of the value. A block mapping or list is located
	// at its key.
	Value Position
	// Missing is the part of the path that the document does not have, e.g.
	// "replicas" of spec.replicas. Key and Value are then those of the nearest
	// object or list that would hold it.
	Missing string

	document  *Document
	key, node *yaml.Node // nil without positions
}

// Find follows a path, e.g. spec.versions[0].name. The path of an item's field
// starts at the item. Of duplicate keys it takes the last one, because its
// value counts.
func (d *Document) Find(path string) Place {
	if d.list != nil {
		return d.list.Find(joinPath(d.Item, path))
	}
	d.index.Do(d.buildIndex)
	if d.root == nil {
		return Place{Key: d.Start(), Value: d.Start(), Missing: path, document: d}
	}
	f := finder{left: len(path), keys: &d.keys}
	f.walk(d.root, d.root, path)
	place := Place{
		Key: d.nodePosition(f.key), Missing: path[len(path)-f.left:], document: d,
		key: f.key, node: f.value,
	}
	place.Missing = strings.TrimPrefix(place.Missing, ".")
	place.Value = place.Key
	if !isBelowKey(f.value) {
		place.Value = d.nodePosition(f.value)
	}
	return place
}

// Plain returns the text of a value that is not in quotes, e.g. 1.10 or yes, as
// the file has it. ok is false for any other value.
func (p Place) Plain() (text string, ok bool) { return p.plain(p.node) }

// Text returns the text of a scalar, e.g. of a string in quotes. ok is false
// for an object, a list, or a place that is missing.
func (p Place) Text() (text string, ok bool) {
	node := p.node
	if p.Missing != "" || node == nil {
		return "", false
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node.Value, node.Kind == yaml.ScalarNode
}

// PlainKey is like Plain for the key of a field, e.g. y for the path spec.true.
func (p Place) PlainKey() (text string, ok bool) { return p.plain(p.key) }

func (p Place) plain(node *yaml.Node) (text string, ok bool) {
	if p.Missing != "" || node == nil {
		return "", false
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.ScalarNode || node.Style != 0 || node.Value == "" {
		return "", false
	}
	return node.Value, true
}

// joinPath appends a path to the path of an item.
func joinPath(item, path string) string {
	if item == "" || path == "" || path[0] == '[' {
		return item + path
	}
	return item + "." + path
}

// isBelowKey reports whether a value has no place of its own: a block mapping
// or list starts with its first entry, and a missing value is nowhere.
func isBelowKey(value *yaml.Node) bool {
	switch value.Kind {
	case yaml.MappingNode, yaml.SequenceNode:
		return value.Style&yaml.FlowStyle == 0
	case yaml.ScalarNode:
		return value.Value == "" && value.Style == 0
	default:
		return false
	}
}

// keyOnLine returns the position of a key. The line is that of the YAML
// library, which counts within the document. The key is as the library prints
// it, e.g. "a" in quotes or 1.
func (d *Document) keyOnLine(line, key string) Position {
	d = d.whole()
	d.index.Do(d.buildIndex)
	number, err := strconv.Atoi(line)
	if err != nil || d.root == nil {
		return d.Start()
	}
	if text, err := strconv.Unquote(key); err == nil {
		key = text
	}
	d.lining.Do(d.buildLineKeys)
	if found := d.lineKeys[lineKey{number, key}]; found != nil {
		return d.nodePosition(found)
	}
	return d.position(d.breaks.offset(number, 1))
}

// lineKey is a key on a line.
type lineKey struct {
	line int
	key  string
}

// buildLineKeys indexes the keys by their lines, each as it is written and as
// it is decoded. Of equal ones on a line the last one counts: those that are
// duplicates come before it.
func (d *Document) buildLineKeys() {
	d.lineKeys = map[lineKey]*yaml.Node{}
	var add func(node *yaml.Node)
	add = func(node *yaml.Node) {
		for i, child := range node.Content {
			if node.Kind == yaml.MappingNode && i%2 == 0 {
				d.lineKeys[lineKey{child.Line, child.Value}] = child
				d.lineKeys[lineKey{child.Line, decodedKey(child)}] = child
			}
			add(child)
		}
	}
	add(d.root)
}

// decodedKey returns a key as the server reads it. In YAML 1.1 y is a boolean,
// and becomes the key "true".
func decodedKey(key *yaml.Node) string {
	if key.Style != 0 {
		return key.Value
	}
	if value, ok := yaml11.Bool(key.Value); ok {
		return value
	}
	return key.Value
}

// maxSteps bounds the keys and merge keys that Find follows. Those and aliases
// can lead around in circles.
const maxSteps = 1 << 16

// finder follows a path to the node that has the least left of it. Keys may
// hold dots and brackets, and therefore more than one way may fit.
type finder struct {
	key, value *yaml.Node // the best that was found
	left       int        // what is left of the path there
	steps      int
	keys       *mappingKeys
}

func (f *finder) walk(key, value *yaml.Node, path string) {
	if len(path) <= f.left {
		f.key, f.value, f.left = key, value, len(path)
	}
	if value.Kind == yaml.AliasNode {
		value = value.Alias
	}
	path = strings.TrimPrefix(path, ".")
	switch value.Kind {
	case yaml.MappingNode:
		f.entries(value, path)
	case yaml.SequenceNode:
		if item, rest := itemOf(value, path); item != nil {
			f.walk(item, item, rest)
		}
	}
}

// step counts a step, and reports whether another one may follow.
func (f *finder) step() bool {
	f.steps++
	return f.steps < maxSteps
}

// entries follows the entries of a mapping whose key the path starts with.
func (f *finder) entries(mapping *yaml.Node, path string) {
	for key, rest := range fieldpath.Keys(path) {
		if !f.step() {
			return
		}
		if holder, i := f.entry(mapping, key); holder != nil {
			f.walk(holder.Content[i], holder.Content[i+1], rest)
		}
	}
}

// entry returns the entry of a key whose value the decoder takes, as a mapping
// and the index of the key in its content: the last one, where a merge key
// stands for the entries of its mapping. Of a list of mappings to be merged the
// first one counts.
func (f *finder) entry(of *yaml.Node, key string) (mapping *yaml.Node, index int) {
	if of.Kind == yaml.AliasNode {
		of = of.Alias
	}
	switch of.Kind {
	case yaml.MappingNode:
		keys := f.keys.of(of)
		own, has := keys.entries[key]
		for _, i := range slices.Backward(keys.merges) {
			if has && i < own || !f.step() {
				break
			}
			if mapping, index = f.entry(of.Content[i+1], key); mapping != nil {
				return mapping, index
			}
		}
		if has {
			return of, own
		}
	case yaml.SequenceNode:
		for _, item := range of.Content {
			if !f.step() {
				return nil, 0
			}
			if mapping, index = f.entry(item, key); mapping != nil {
				return mapping, index
			}
		}
	}
	return nil, 0
}

// mappingKeys are the keys of mappings, which are indexed when a path first
// leads through them.
type mappingKeys struct {
	mu    sync.Mutex
	known map[*yaml.Node]*indexedKeys
}

// indexedKeys are the keys of one mapping, with their indexes in its content.
type indexedKeys struct {
	entries map[string]int // each key as it is written and as it is decoded
	merges  []int
}

func (m *mappingKeys) of(mapping *yaml.Node) *indexedKeys {
	m.mu.Lock()
	defer m.mu.Unlock()
	if keys := m.known[mapping]; keys != nil {
		return keys
	}
	keys := &indexedKeys{entries: make(map[string]int, len(mapping.Content)/2)}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		keys.entries[key.Value] = i
		keys.entries[decodedKey(key)] = i
		if key.Tag == "!!merge" {
			keys.merges = append(keys.merges, i)
		}
	}
	if m.known == nil {
		m.known = map[*yaml.Node]*indexedKeys{}
	}
	m.known[mapping] = keys
	return keys
}

// itemOf returns the item of a list that the path starts with, e.g. [2].
func itemOf(list *yaml.Node, path string) (item *yaml.Node, rest string) {
	inner, rest, ok := strings.Cut(strings.TrimPrefix(path, "["), "]")
	index, err := strconv.Atoi(inner)
	if !ok || path[0] != '[' || err != nil || index < 0 || index >= len(list.Content) {
		return nil, path
	}
	return list.Content[index], rest
}
