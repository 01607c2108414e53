package crdtest

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/crdsem/crdsem/kit/crdtest/internal/openshift"
	"github.com/crdsem/crdsem/kit/crdtest/internal/source"
	"github.com/crdsem/crdsem/kit/manifest"
)

// ReadSuites reads the suites in files and folders. Of a folder it reads all
// files that end in .yaml, .yml or .json, also in folders below it. The content
// of a file decides how it is read:
//
//   - A file whose name ends in .crdtest.yaml is a suite in the format of this
//     package.
//   - A document with tests is a suite in the format of OpenShift.
//   - Any other document with apiVersion and kind is a manifest: a case of its
//     own. Definitions, and documents without a kind, are left out.
//
// The formats are described in the documentation of the package. The error
// joins one error for each file that cannot be read and for each path without
// suites; it names the file and the line. The suites of the other files are
// returned with it.
func ReadSuites(paths ...string) ([]*Suite, error) {
	r := &reader{}
	var errs []error
	for _, path := range paths {
		before, failed := len(r.suites), len(errs)
		for _, s := range manifest.Find([]string{path}, nil) {
			if err := r.readSource(s); err != nil {
				errs = append(errs, err)
			}
		}
		if len(r.suites) == before && len(errs) == failed {
			errs = append(errs, fmt.Errorf("%s: holds no suite and no manifest", path))
		}
	}
	return r.suites, errors.Join(errs...)
}

// ParseSuites reads the suites in a text, e.g. of the standard input. file
// names the text in messages, and paths in the text begin at its folder. A
// document with cases and without a kind is a suite in the format of this
// package, also if the name does not end in .crdtest.yaml; others are read as
// by [ReadSuites].
func ParseSuites(file string, text []byte) ([]*Suite, error) {
	found, err := source.All(manifest.Parse(file, bytes.NewReader(text)))
	if err != nil {
		return nil, err
	}
	r := &reader{}
	for i, doc := range found {
		if _, hasCases := doc.Content["cases"].([]any); hasCases && doc.Content["kind"] == nil {
			err = r.add(parseNative(doc))
		} else {
			err = r.readDocument(doc, i)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.suites) == 0 {
		return nil, fmt.Errorf("%s: holds no suite and no manifest", file)
	}
	return r.suites, nil
}

// reader collects suites.
type reader struct {
	suites    []*Suite
	folders   map[string]*Suite // of manifests
	openShift openshift.Reader
}

func (r *reader) readSource(s *manifest.Source) error {
	found, err := source.All(manifest.Objects([]*manifest.Source{s}))
	if err != nil {
		return err
	}
	if isNative(s.Name) && len(found) != 1 {
		return fmt.Errorf("%s: want one document, found %d", s.Name, len(found))
	}
	for i, doc := range found {
		if err := r.readDocument(doc, i); err != nil {
			return err
		}
	}
	return nil
}

// readDocument reads a document, which is the one with an index in its file.
func (r *reader) readDocument(doc manifest.Object, index int) error {
	kind, _ := doc.Content["kind"].(string)
	_, hasTests := doc.Content["tests"].(map[string]any)
	parse := parseNative
	switch {
	case isNative(doc.File):
	case hasTests && kind == "":
		parse = r.parseOpenShift
	case kind == "", manifest.IsDefinition(doc.Content), strings.HasSuffix(doc.File, ".post.yaml"):
		return nil
	default:
		return r.addExample(example{doc, index})
	}
	return r.add(parse(doc))
}

// add adds a suite that was read.
func (r *reader) add(suite *Suite, err error) error {
	if err == nil {
		r.suites = append(r.suites, suite)
	}
	return err
}

// stem returns the name of a file without its folder and extension.
func stem(file string) string {
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}
