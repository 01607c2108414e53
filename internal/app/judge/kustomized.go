package judge

import (
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/yaml11"
	"github.com/crdsem/crdsem/kit/manifest"
)

// mayDiffer matches texts that kustomize may read otherwise than kubectl: with
// a boolean of YAML 1.1, which is a string for it, or a key that is no string,
// which it refuses.
var mayDiffer = regexp.MustCompile(
	`(?m)(?:^|[\s{,\[?])(?:(?:[yY]|[nN]|[yY]es|YES|[nN]o|NO|[oO]n|ON|[oO]ff|OFF)` +
		`\s*(?:[:,}\]#]|$)|` +
		`(?:[tT]rue|TRUE|false|False|FALSE|[nN]ull|NULL|~|[-+]?[0-9][\w.+-]*)\s*:(?:\s|$))`)

// asKustomized returns an object of a file as kustomize reads it, and the
// findings on keys that it refuses.
func asKustomized(o manifest.Object) (manifest.Object, []verdict.Finding) {
	var root yaml.Node
	if !mayDiffer.Match(o.Data) || yaml.Unmarshal(o.Data, &root) != nil {
		return o, nil
	}
	k := kustomizeReader{Finder: &Finder{Document: o.Document}}
	k.read(&root)
	if !k.isOther {
		return o, k.found
	}
	text, err := yaml.Marshal(&root)
	if err != nil {
		return o, k.found
	}
	if object, _, err := jsonvalue.DecodeObject(text); err == nil {
		o.Content = object
	}
	return o, k.found
}

// kustomizeReader makes of a YAML text what kustomize reads.
type kustomizeReader struct {
	*Finder

	isOther bool
	found   []verdict.Finding
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
			k.refuse(below)
		}
		k.read(below)
	}
}

// refuse adds a finding on a key that is no string.
func (k *kustomizeReader) refuse(key *yaml.Node) {
	at := manifest.Position{
		File: k.Document.File, Line: k.Document.Line + key.Line - 1, Column: key.Column,
	}
	finding := k.at(verdict.Error, at, fmt.Sprintf(
		"the key %s is no string: kustomize, which reads the file, refuses it", key.Value))
	finding.Hint = fmt.Sprintf("write it in quotes: `%q`", key.Value)
	k.found = append(k.found, finding)
}
