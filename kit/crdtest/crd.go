package crdtest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/merge/apply"
	"github.com/crdsem/crdsem/structural"
)

// CRD is a CustomResourceDefinition to test. It comes from [ReadCRDs],
// [ParseCRDs] or [NewCRD].
type CRD struct {
	// File is the path of the file that holds the definition.
	File string
	// Options are given to crdsem.Compile, e.g. a conversion webhook. They are
	// set before the definition is first used.
	Options []crdsem.DefinitionOption

	source   *manifest.Document
	document map[string]any
}

// ReadCRDs reads the definitions in files and folders. Of a folder it reads all
// files that end in .yaml, .yml or .json, also in folders below it. Documents
// of other kinds are left out. The error joins one error for each document that
// cannot be read and for each path without any definition, which wraps
// [ErrNoCRD]. The other definitions are returned with it.
func ReadCRDs(paths ...string) ([]*CRD, error) {
	var all []*CRD
	var errs []error
	for o, err := range manifest.Definitions(paths, nil) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, newCRD(o.Document, o.Content))
	}
	return all, errors.Join(errs...)
}

// ParseCRDs reads the definitions in a text, which may hold several YAML
// documents. file names the text in messages and reports. Documents of other
// kinds are left out. The error is that of a document that is not YAML or JSON.
func ParseCRDs(file string, text []byte) ([]*CRD, error) {
	var all []*CRD
	for o, err := range manifest.Parse(file, bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		if manifest.IsDefinition(o.Content) {
			all = append(all, newCRD(o.Document, o.Content))
		}
	}
	return all, nil
}

// NewCRD returns the definition in a document. The error is that of a document
// that is not YAML or JSON, or wraps [ErrNoCRD].
func NewCRD(doc *manifest.Document) (*CRD, error) {
	object, _, err := doc.Object()
	if err != nil {
		return nil, err
	}
	if !manifest.IsDefinition(object) {
		return nil, fmt.Errorf("%v: %w", doc, ErrNoCRD)
	}
	return newCRD(doc, object), nil
}

func newCRD(doc *manifest.Document, object map[string]any) *CRD {
	return &CRD{File: doc.File, source: doc, document: object}
}

// ErrNoCRD is wrapped by the error of [ReadCRDs] about a path without a
// definition.
var ErrNoCRD = manifest.ErrNoDefinition

// Name returns metadata.name, e.g. crontabs.stable.example.com.
func (c *CRD) Name() string {
	name, _ := jsonvalue.At(c.document, "metadata", "name").(string)
	return name
}

// Object returns the definition as decoded JSON, in the types of
// [crdsem.Result.Object]. It must not be changed.
func (c *CRD) Object() map[string]any { return c.document }

// Document returns the document that holds the definition, for positions in it.
func (c *CRD) Document() *manifest.Document { return c.source }

// With returns the definition with another object, e.g. one that a test
// changed. Positions are still those of its document.
func (c *CRD) With(object map[string]any) *CRD {
	changed := *c
	changed.document = object
	return &changed
}

func (c *CRD) groupKind() manifest.GroupKind { return manifest.NamesOf(c.document).GroupKind }

// Versions returns the names of the versions in their order.
func (c *CRD) Versions() []string {
	versions, _ := jsonvalue.At(c.document, "spec", "versions").([]any)
	var names []string
	for _, v := range versions {
		name, _ := jsonvalue.At(v, "name").(string)
		names = append(names, name)
	}
	return names
}

// annotations returns the annotations of the definition.
func (c *CRD) annotations() map[string]any {
	annotations, _ := jsonvalue.At(c.document, "metadata", "annotations").(map[string]any)
	return annotations
}

// compile compiles a document that is the definition's own or a changed one,
// for a server.
func (c *CRD) compile(document map[string]any, s *server) (*crdsem.Definition, error) {
	decoded, _, err := definition.FromMap(document, structural.Kubernetes(s.minor))
	if err != nil {
		return nil, err
	}
	options := []crdsem.DefinitionOption{
		crdsem.InCache(s.cache), apply.Server(), crdsem.ConversionWebhook(s.webhook),
	}
	options = append(options, c.Options...)
	return crdsem.Compile(decoded, options...)
}

// place names the definition in messages.
func (c *CRD) place() string { return c.source.String() }

// onlyVersion returns the definition with one version, which is served and
// stored. The argument is not changed.
func onlyVersion(document map[string]any, version string) (map[string]any, error) {
	versions, _ := jsonvalue.At(document, "spec", "versions").([]any)
	for _, v := range versions {
		if jsonvalue.At(v, "name") != version {
			continue
		}
		only := jsonvalue.With(v, true, "served")
		only = jsonvalue.With(only, true, "storage")
		out, _ := jsonvalue.With(document, []any{only}, "spec", "versions").(map[string]any)
		return out, nil
	}
	return nil, fmt.Errorf("there is no version %q", version)
}
