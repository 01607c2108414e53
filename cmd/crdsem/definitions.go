package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/catalog"
	"github.com/crdsem/crdsem/catalog/kinds"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/base/visible"
	"github.com/crdsem/crdsem/manifest"
	"github.com/crdsem/crdsem/manifest/files"
)

// definitions are the definitions that a command was given.
type definitions struct{ *catalog.Catalog }

// readDefinitions compiles every definition in some paths. It warns of those
// that occur twice.
func readDefinitions(
	paths []string, std streams, options ...crdsem.DefinitionOption,
) (definitions, error) {
	defs := definitions{catalog.New(options...)}
	if len(paths) == 0 {
		return defs, errUsage("no definition given: use --crd PATH")
	}
	duplicates, err := defs.AddAll(files.Definitions(paths, std.in))
	for _, warning := range duplicates {
		visible.Printf(std.err, "%s\n", warning)
	}
	return defs, err
}

// warnOfDuplicate warns of a definition that replaces another one.
func (std streams) warnOfDuplicate(name string, before, after *manifest.Document) {
	visible.Printf(std.err, "%v: %s is defined twice, first at %v; the later definition counts\n",
		after.Start(), name, before.Start())
}

// identity names an object among those of its kind. Its namespace is the one
// that it has on a server.
func (d definitions) identity(object map[string]any) string {
	namespace, name := typemeta.Name(object)
	if def, err := d.Definition(object); err == nil {
		namespace = judge.Namespace(def.Definition, object)
	}
	return strings.Join([]string{kinds.TypeOf(object).GroupKind.String(), namespace, name}, "/")
}

// inputObject is an object that was read.
type inputObject struct{ files.Object }

// fail returns an error with the place of a field, or of the object if the path
// is empty.
func (in inputObject) fail(path string, err error) error {
	at := in.Start()
	if path != "" {
		at = in.Find(path).Value
	}
	return fmt.Errorf("%v: %w", at, err)
}

// readObjects reads the objects in some paths; lists are opened. Definitions
// are left out. So are objects of kinds without a definition, which are named
// on the standard error, unless there are no other objects. So is what cannot
// be read; isWhole is false then. The error is that of paths with nothing that
// can be read.
func (d definitions) readObjects(
	paths []string, std streams,
) (objects []inputObject, isWhole bool, err error) {
	sources := files.Find(paths, std.in)
	defer closeSources(sources)
	var known, others []inputObject
	var unread []error
	for o, err := range files.Objects(sources) {
		if err != nil {
			unread = append(unread, err)
			continue
		}
		if files.IsDefinition(o.Content) {
			continue
		}
		if _, err := d.Definition(o.Content); err != nil {
			others = append(others, inputObject{o})
			continue
		}
		known = append(known, inputObject{o})
	}
	if len(known) == 0 {
		return others, true, errors.Join(unread...)
	}
	for _, err := range unread {
		visible.Printf(std.err, "%s\n", err)
	}
	for _, in := range others {
		_, err := d.Definition(in.Content)
		visible.Printf(std.err, "%s\n", in.fail("", fmt.Errorf("left out: %w", err)))
	}
	return known, len(unread) == 0, nil
}

// closeSources removes what was kept of sources. At worst a file stays in the
// temporary folder.
func closeSources(sources []*files.Source) { _ = files.Close(sources) }
