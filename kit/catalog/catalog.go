package catalog

import (
	"fmt"
	"io"
	"iter"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/kit/manifest"
)

// Catalog has the definitions of a program. The zero value is empty and ready
// to use. It is safe for concurrent use, also while definitions are added and
// removed; reading takes no lock.
type Catalog struct {
	byKind  manifest.Kinds[*Entry]
	options []crdsem.DefinitionOption
}

// Entry is a definition of a catalog.
type Entry struct {
	*crdsem.Definition
	// CRD is the definition as it was written, which package
	// definition/validate judges. It is nil for one that was not read.
	CRD *definition.CRD
	// Document is where the definition was read. It is nil for one that was
	// not.
	Document *manifest.Document
}

// place returns the place of the definition, empty if it was not read.
func (e *Entry) place() string {
	if e.Document == nil {
		return ""
	}
	return e.Document.Start().String()
}

// New returns an empty catalog, which compiles the definitions that it reads
// with options.
func New(options ...crdsem.DefinitionOption) *Catalog { return &Catalog{options: options} }

// Duplicate says that a definition was replaced by a later one. As an error it
// is a warning.
type Duplicate struct {
	Before, After *Entry
}

// Error names the kind and the places of both definitions.
func (d *Duplicate) Error() string {
	text := d.After.Names().String() + " is defined twice"
	if at := d.After.place(); at != "" {
		text = at + ": " + text
	}
	if before := d.Before.place(); before != "" {
		text += ", first at " + before
	}
	return text + "; the later definition counts"
}

// Names returns the names of the definition.
func (e *Entry) Names() manifest.Names { return NamesIn(e.Model()) }

// NamesIn returns the names of a compiled definition.
func NamesIn(m *definition.Model) manifest.Names {
	return manifest.Names{
		GroupKind: manifest.GroupKind{Group: m.Group(), Kind: m.Names().Kind},
		Plural:    m.Names().Plural,
	}
}

// Add adds a definition. It returns those that it replaces.
func (c *Catalog) Add(e *Entry) []*Duplicate {
	var all []*Duplicate
	for _, before := range c.byKind.Add(e.Names(), e) {
		all = append(all, &Duplicate{before, e})
	}
	return all
}

// Remove removes the definition of a kind. It reports whether there was one.
func (c *Catalog) Remove(of manifest.GroupKind) bool { return c.byKind.Remove(of) }

// ReadFiles adds the definitions in files and folders, see
// [manifest.Definitions]. It returns those that it replaces.
//
// The error names the place of the first document that is not YAML or JSON, or
// whose definition cannot be compiled; see [crdsem.Parse]. A path without a
// definition is an error, too. Definitions before it were added.
func (c *Catalog) ReadFiles(paths ...string) ([]*Duplicate, error) {
	return c.AddAll(manifest.Definitions(paths, nil))
}

// Read is like ReadFiles for a text. name names it in errors. Other objects are
// left out, and a text may have no definition.
func (c *Catalog) Read(name string, in io.Reader) ([]*Duplicate, error) {
	return c.AddAll(manifest.Parse(name, in))
}

// AddAll is like ReadFiles for objects. Those that are no definitions are left
// out.
func (c *Catalog) AddAll(objects iter.Seq2[manifest.Object, error]) ([]*Duplicate, error) {
	var all []*Duplicate
	for o, err := range objects {
		if err != nil {
			return all, err
		}
		if !manifest.IsDefinition(o.Content) {
			continue
		}
		e, err := c.read(o)
		if err != nil {
			return all, fmt.Errorf("%v: %w", o.Start(), err)
		}
		all = append(all, c.Add(e)...)
	}
	return all, nil
}

// read compiles a definition.
func (c *Catalog) read(o manifest.Object) (*Entry, error) {
	crd, _, err := definition.FromMap(o.Content, c.options...)
	if err != nil {
		return nil, err
	}
	def, err := crdsem.Compile(crd, c.options...)
	if err != nil {
		return nil, err
	}
	return &Entry{Definition: def, CRD: crd, Document: o.Document}, nil
}

// Kinds returns the definitions by kind and plural name. Changes of it are
// changes of the catalog.
func (c *Catalog) Kinds() *manifest.Kinds[*Entry] { return &c.byKind }

// Definition returns the definition of an object's kind. The error is an
// *[manifest.UnknownKindError].
func (c *Catalog) Definition(object map[string]any) (*Entry, error) { return c.byKind.Of(object) }

// Version returns the version of a definition that an object is of. The error
// is an *[manifest.UnknownKindError], or that of [crdsem.Definition.Version]
// about a version that is not served.
func (c *Catalog) Version(object map[string]any) (*crdsem.Version, error) {
	of := manifest.TypeOf(object)
	e, err := c.byKind.OfType(of)
	if err != nil {
		return nil, err
	}
	return e.Version(of.Version)
}

// Place returns the place, in the document of the definition, of the schema
// node that caused a change of an object, e.g. of a default:
//
//	e.Place(v, change).Value.String() // crd.yaml:31:18
//
// It is the zero Place if the definition was not read.
func (e *Entry) Place(v *crdsem.Version, change crdsem.Change) manifest.Place {
	if e.Document == nil {
		return manifest.Place{}
	}
	path := v.SchemaPath(change.Schema)
	if change.Action == crdsem.Defaulted {
		path += ".default"
	}
	return e.Document.Find(path)
}
