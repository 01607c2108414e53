package repository

import (
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
)

// mayDiffer matches texts that kustomize may read otherwise than kubectl: with
// a boolean of YAML 1.1, which is a string for it, or a key that is no string,
// which it refuses.
var mayDiffer = regexp.MustCompile(
	`(?m)(?:^|[\s{,\[?])(?:(?:[yY]|[nN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)` +
		`\s*(?:[:,}\]#]|$)|` +
		`(?:[tT]rue|TRUE|false|False|FALSE|[nN]ull|NULL|~|[-+]?[0-9][\w.+-]*)\s*:(?:\s|$))`)

// AsKustomized returns the object of a YAML text as kustomize reads it, nil if
// that is what kubectl reads, too. keys are those that kustomize refuses
// because they are no strings.
func AsKustomized(text []byte) (object map[string]any, keys []*yaml.Node) {
	var root yaml.Node
	if !mayDiffer.Match(text) || yaml.Unmarshal(text, &root) != nil {
		return nil, nil
	}
	var k kustomizeReader
	k.read(&root)
	if !k.isOther {
		return nil, k.keys
	}
	text, err := yaml.Marshal(&root)
	if err != nil {
		return nil, k.keys
	}
	value, _, _ := jsonvalue.DecodeYAML(text) // also one that begins with {
	object, _ = value.(map[string]any)        // nil if it is none
	return object, k.keys
}

// kustomizeReader makes of a YAML text what kustomize reads.
type kustomizeReader struct {
	isOther bool
	keys    []*yaml.Node // that are no strings
}

func (k *kustomizeReader) read(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && node.Style == 0 && node.Tag == "!!str" {
		if _, isBool := yaml11.Bool(node.Value); isBool {
			node.Style, k.isOther = yaml.DoubleQuotedStyle, true
		}
	}
	for i, below := range node.Content {
		isKey := node.Kind == yaml.MappingNode && i%2 == 0
		isText := below.Tag == "!!str" || below.Tag == "!!merge"
		if isKey && below.Kind == yaml.ScalarNode && !isText {
			k.keys = append(k.keys, below)
		}
		k.read(below)
	}
}

// decodePatch decodes a document of a patch as kustomize does. One that begins
// with { need not be JSON. Booleans of YAML 1.1 are strings in a strategic
// patch, and booleans in a list of operations.
func decodePatch(text []byte) (value any, err error) {
	value, _, err = jsonvalue.Decode(text)
	if err != nil && jsonvalue.IsJSONObject(text) {
		value, _, err = jsonvalue.DecodeYAML(text)
	}
	if _, isObject := value.(map[string]any); isObject {
		if object, _ := AsKustomized(text); object != nil {
			return object, nil
		}
	}
	return value, err
}
