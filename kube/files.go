package kube

import (
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
)

// ReadFiles is [Parse] for all definitions in some files and folders, in their
// order; see [manifest.Definitions]. Documents of other kinds are left out.
//
// The error names the file and line of the first document that is not YAML or
// JSON, or whose definition the server refuses; it wraps the error of Parse. A
// path without a definition is an error, too.
func ReadFiles(paths []string, options ...crdsem.DefinitionOption) ([]*Definition, error) {
	var all []*Definition
	for o, err := range manifest.Definitions(paths, nil) {
		if err != nil {
			return nil, err
		}
		crd, _, err := definition.FromMap(o.Content)
		parsed, err := created(crd, err, options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Document, err)
		}
		all = append(all, parsed)
	}
	return all, nil
}
