package main

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/cmd/crdsem/internal/inputs"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/judge"
	"github.com/crdsem/crdsem/internal/base/visible"
	"github.com/crdsem/crdsem/manifest"
)

// definitionsIn iterates over the definitions in paths. Other documents are
// left out, and a file that is named twice is read once. A path without a
// definition yields an error, unless it has an empty list, as kubectl prints it
// for a cluster without definitions.
func definitionsIn(paths []string, stdin io.Reader) iter.Seq2[*manifest.Document, error] {
	return func(yield func(*manifest.Document, error) bool) {
		seen := map[string]bool{}
		for _, path := range paths {
			list := inputs.Find([]string{path}, stdin)
			fresh := slices.DeleteFunc(slices.Clone(list), func(in *inputs.Input) bool {
				return seen[in.Path()]
			})
			for _, in := range fresh {
				seen[in.Path()] = true
			}
			found, more := yieldDefinitions(fresh, yield)
			closeInputs(fresh)
			if !more {
				return
			}
			if !found && len(fresh) == len(list) &&
				!yield(nil, fmt.Errorf("%s: no CustomResourceDefinition", path)) {
				return
			}
		}
	}
}

// yieldDefinitions yields the definitions and the errors of inputs. It reports
// whether there is any of them, or an empty list, and whether to go on.
func yieldDefinitions(
	list []*inputs.Input, yield func(*manifest.Document, error) bool,
) (found, more bool) {
	for docs, err := range openedIn(list) {
		found = found || err != nil || len(docs) == 0
		if err != nil && !yield(nil, err) {
			return found, false
		}
		for _, doc := range docs {
			if !isDefinition(doc) {
				continue
			}
			found = true
			if !yield(doc, nil) {
				return found, false
			}
		}
	}
	return found, true
}

// isDefinition reports whether a readable document is a definition.
func isDefinition(doc *manifest.Document) bool {
	object, _, err := doc.Object()
	return err == nil && judge.IsDefinition(object)
}

// decodeCRD decodes the definition in a document.
func decodeCRD(doc *manifest.Document, options ...definition.Option) (*definition.CRD, error) {
	if doc.Data != nil {
		crd, _, err := definition.Decode(doc.Data, options...)
		return crd, err
	}
	object, _, err := doc.Object()
	if err != nil {
		return nil, err
	}
	crd, _, err := definition.FromMap(object, options...)
	return crd, err
}

// definitions are the definitions that a command was given, by group and kind.
type definitions map[string]*crdsem.Definition

// readDefinitions compiles every definition in some paths.
func readDefinitions(
	paths []string, stdin io.Reader, options ...crdsem.DefinitionOption,
) (definitions, error) {
	if len(paths) == 0 {
		return nil, errUsage("no definition given: use --crd PATH")
	}
	defs := definitions{}
	for doc, err := range definitionsIn(paths, stdin) {
		if err != nil {
			return nil, err
		}
		crd, err := decodeCRD(doc)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", doc.Start(), err)
		}
		def, err := crdsem.Compile(crd, options...)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", doc.Start(), err)
		}
		key := groupKind(def.Model().Group(), def.Model().Names().Kind)
		if defs[key] != nil {
			return nil, fmt.Errorf("%v: %s is defined twice", doc.Start(), key)
		}
		defs[key] = def
	}
	return defs, nil
}

// of returns the definition of an object and the version that its apiVersion
// names.
func (d definitions) of(object map[string]any) (def *crdsem.Definition, version string, err error) {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, version, found := strings.Cut(apiVersion, "/")
	if !found || kind == "" {
		return nil, "", fmt.Errorf("apiVersion %q and kind %q name no custom resource", apiVersion,
			kind)
	}
	def = d[groupKind(group, kind)]
	if def == nil {
		return nil, "", fmt.Errorf("no definition of %s was given", groupKind(group, kind))
	}
	return def, version, nil
}

func groupKind(group, kind string) string { return kind + "." + group }

// identity names an object among those of its kind. Its namespace is the one
// that it has on a server.
func (d definitions) identity(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	kind, _ := object["kind"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	if def := d[groupKind(group, kind)]; def != nil {
		namespace = judge.Namespace(def, object)
	}
	name, _ := metadata["name"].(string)
	return strings.Join([]string{groupKind(group, kind), namespace, name}, "/")
}

// inputObject is an object with its document.
type inputObject struct {
	doc    *manifest.Document
	object map[string]any
}

// fail returns an error with the place of a field, or of the object if the path
// is empty.
func (in inputObject) fail(path string, err error) error {
	at := in.doc.Start()
	if path != "" {
		at = in.doc.Find(path).Value
	}
	return fmt.Errorf("%v: %w", at, err)
}

// readObjects reads the objects in some paths; lists are opened. Definitions
// are left out. So are objects of kinds without a definition, which are named
// on the standard error, unless there are no other objects.
func (d definitions) readObjects(paths []string, std streams) ([]inputObject, error) {
	var known, others []inputObject
	for doc, err := range documentsIn(paths, std.in) {
		if err != nil {
			return nil, err
		}
		object, _, err := doc.Object()
		if err != nil {
			return nil, err
		}
		if judge.IsDefinition(object) {
			continue
		}
		if _, _, err := d.of(object); err != nil {
			others = append(others, inputObject{doc, object})
			continue
		}
		known = append(known, inputObject{doc, object})
	}
	if len(known) == 0 {
		return others, nil
	}
	for _, in := range others {
		_, _, err := d.of(in.object)
		visible.Printf(std.err, "%s\n", in.fail("", fmt.Errorf("left out: %w", err)))
	}
	return known, nil
}
