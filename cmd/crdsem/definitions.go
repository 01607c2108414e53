package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
)

// definitions are the definitions that a command was given, by group and kind.
type definitions map[string]*crdsem.Definition

// readDefinitions parses every document of the files as a definition.
func readDefinitions(
	names []string, stdin io.Reader, options ...crdsem.DefinitionOption,
) (definitions, error) {
	if len(names) == 0 {
		return nil, errUsage("no definition given: use --crd FILE")
	}
	docs, err := readDefinitionTexts(names, stdin)
	if err != nil {
		return nil, err
	}
	defs := definitions{}
	for _, doc := range docs {
		def, err := crdsem.Parse(doc.data, options...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doc.name(), err)
		}
		model := def.Model()
		key := groupKind(model.Group(), model.Names().Kind)
		if defs[key] != nil {
			return nil, fmt.Errorf("%s: %s is defined twice", doc.name(), key)
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

// identity names an object among those of its kind.
func identity(object map[string]any) string {
	apiVersion, _ := object["apiVersion"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	kind, _ := object["kind"].(string)
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	return strings.Join([]string{groupKind(group, kind), namespace, name}, "/")
}

// isList reports whether an object is a List, or the list of the objects of a
// definition as the server names it, e.g. WidgetList.
func (d definitions) isList(object map[string]any) bool {
	if object["kind"] == "List" {
		return true
	}
	for _, def := range d {
		model := def.Model()
		apiVersion, _ := object["apiVersion"].(string)
		if object["kind"] == model.Names().ListKind &&
			strings.HasPrefix(apiVersion, model.Group()+"/") {
			return true
		}
	}
	return false
}

// readObjects decodes every document of the files that is an object; a list
// counts as its items.
func (d definitions) readObjects(names []string, stdin io.Reader) ([]inputObject, error) {
	docs, err := readDocuments(names, stdin)
	if err != nil {
		return nil, err
	}
	var out []inputObject
	for _, doc := range docs {
		object, _, err := jsonvalue.DecodeObject(doc.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doc.name(), err)
		}
		items, hasItems := object["items"].([]any)
		if !hasItems || !d.isList(object) {
			out = append(out, inputObject{at: doc.name(), data: doc.data, object: object})
			continue
		}
		for i, item := range items {
			entry, ok := item.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("%s: items[%d] is not an object", doc.name(), i)
			}
			out = append(out,
				inputObject{at: fmt.Sprintf("%s items[%d]", doc.name(), i), object: entry})
		}
	}
	return out, nil
}

// inputObject is an object with its place. data is its text, nil for an item of
// a list.
type inputObject struct {
	at     string
	data   []byte
	object map[string]any
}
