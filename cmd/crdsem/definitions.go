package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/typemeta"
	"github.com/crdsem/crdsem/internal/kit/visible"
	"github.com/crdsem/crdsem/kit/catalog"
	"github.com/crdsem/crdsem/kit/manifest"
)

// definitions are the definitions that a command was given. unread are the
// errors of those that cannot be read, if others can.
type definitions struct {
	*catalog.Catalog

	unread []error
}

// readDefinitions compiles every definition in some paths. It warns of those
// that occur twice.
func readDefinitions(
	paths []string, std streams, options ...crdsem.DefinitionOption,
) (definitions, error) {
	defs := definitions{Catalog: catalog.New(options...)}
	if len(paths) == 0 {
		return defs, errUsage("no definition given: use --crd PATH")
	}
	found := 0
	for o, err := range manifest.Definitions(paths, std.in) {
		var duplicates []*catalog.Duplicate
		if err == nil {
			duplicates, err = defs.AddAll(func(yield func(manifest.Object, error) bool) {
				yield(o, nil)
			})
		}
		if err != nil {
			defs.unread = append(defs.unread, err)
			continue
		}
		found++
		for _, warning := range duplicates {
			visible.Printf(std.err, "%s\n", warning)
		}
	}
	if found == 0 {
		return defs, errors.Join(defs.unread...)
	}
	return defs, nil
}

// readGiven is like readDefinitions for the paths of --crd. Without any, the
// definitions among the arguments are used; what cannot be read there is an
// error when the objects are read.
func readGiven(
	crds, args []string, std streams, options ...crdsem.DefinitionOption,
) (definitions, error) {
	if len(crds) > 0 {
		return readDefinitions(crds, std, options...)
	}
	defs := definitions{Catalog: catalog.New(options...)}
	isStdin := func(path string) bool { return path == stdinPath }
	paths := slices.DeleteFunc(slices.Clone(args), isStdin)
	found := 0
	for o, err := range manifest.Definitions(paths, std.in) {
		if err != nil {
			continue
		}
		found++
		duplicates, err := defs.AddAll(func(yield func(manifest.Object, error) bool) {
			yield(o, nil)
		})
		if err != nil {
			defs.unread = append(defs.unread, err)
		}
		for _, warning := range duplicates {
			visible.Printf(std.err, "%s\n", warning)
		}
	}
	if found == 0 {
		return defs, errUsage("no definition given: name one among the paths, or use --crd PATH")
	}
	return defs, nil
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
	return strings.Join([]string{manifest.TypeOf(object).GroupKind.String(), namespace, name}, "/")
}

// inputObject is an object that was read.
type inputObject struct{ manifest.Object }

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
// are left out. So are objects of kinds without a definition, and what cannot
// be read, which are named on the standard error, like definitions that cannot
// be read: isWhole is false then. If no object has a definition, all are
// returned. The error is that of paths with nothing that can be read.
func (d definitions) readObjects(
	paths []string, std streams,
) (objects []inputObject, isWhole bool, err error) {
	objects, _, isWhole, err = d.readBoth(paths, std)
	return objects, isWhole, err
}

// readBoth is like readObjects, and returns the definitions, too.
func (d definitions) readBoth(
	paths []string, std streams,
) (objects, definitions []inputObject, isWhole bool, err error) {
	sources := manifest.Find(paths, std.in)
	defer closeSources(sources)
	var known, others []inputObject
	var unread []error
	for o, err := range manifest.Objects(sources) {
		if err != nil {
			unread = append(unread, err)
			continue
		}
		if manifest.IsDefinition(o.Content) {
			definitions = append(definitions, inputObject{o})
			continue
		}
		if _, err := d.Definition(o.Content); err != nil {
			others = append(others, inputObject{o})
			continue
		}
		known = append(known, inputObject{o})
	}
	told := slices.Concat(d.unread, unread)
	switch {
	case len(known)+len(others) == 0 && len(unread) > 0:
		return nil, definitions, false, errors.Join(told...)
	case len(known) == 0:
		known, others = others, nil
	}
	for _, in := range others {
		_, err := d.Definition(in.Content)
		told = append(told, in.fail("", fmt.Errorf("left out: %w", err)))
	}
	for _, err := range told {
		visible.Printf(std.err, "%s\n", err)
	}
	return known, definitions, len(told) == 0, nil
}

// closeSources removes what was kept of sources. At worst a file stays in the
// temporary folder.
func closeSources(sources []*manifest.Source) { _ = manifest.Close(sources) }
