package judge

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/crdsem/crdsem/internal/app/repository"
	"github.com/crdsem/crdsem/internal/app/verdict"
	"github.com/crdsem/crdsem/kit/manifest"
)

// asKustomized returns an object of a file as kustomize reads it, and the
// findings on keys that it refuses.
func asKustomized(o manifest.Object) (_ manifest.Object, found []verdict.Finding) {
	object, keys := repository.AsKustomized(o.Data)
	if object != nil {
		o.Content = object
	}
	for _, key := range keys {
		found = append(found, refusedKey(&Finder{Document: o.Document}, key))
	}
	return o, found
}

// refusedKey returns the finding on a key that is no string.
func refusedKey(f *Finder, key *yaml.Node) verdict.Finding {
	at := manifest.Position{
		File: f.Document.File, Line: f.Document.Line + key.Line - 1, Column: key.Column,
	}
	finding := f.at(verdict.Error, at, fmt.Sprintf(
		"the key %s is no string: kustomize, which reads the file, refuses it", key.Value))
	finding.Hint = fmt.Sprintf("write it in quotes: `%q`", key.Value)
	return finding
}
