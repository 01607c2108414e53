package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// record collects what the minors publish. A line of it holds for some minors,
// which are the bits of a number.
type record struct {
	head   bytes.Buffer
	kinds  map[string]uint // the line without its number
	models map[string]uint
}

func newRecord() *record {
	return &record{kinds: map[string]uint{}, models: map[string]uint{}}
}

// add adds a line to the head.
func (r *record) add(format string, args ...any) { fmt.Fprintf(&r.head, format+"\n", args...) }

// text returns the record. Lines are in the order of their names.
func (r *record) text() []byte {
	out := slices.Clone(r.head.Bytes())
	for _, part := range []struct {
		word  string
		lines map[string]uint
	}{{"kind", r.kinds}, {"model", r.models}} {
		for _, line := range slices.Sorted(maps.Keys(part.lines)) {
			name, rest, _ := strings.Cut(line, " ")
			out = fmt.Appendf(out, "%s %s %x %s\n", part.word, name, part.lines[line], rest)
		}
	}
	return out
}

// document is an OpenAPI document of a group and version.
type document struct {
	Components struct {
		Schemas map[string]map[string]any `json:"schemas"`
	} `json:"components"`
	Paths map[string]struct {
		Post *operation `json:"post"`
	} `json:"paths"`
}

// operation is how objects of a kind are created.
type operation struct {
	Action string `json:"x-kubernetes-action"`
	Kind   *struct {
		Group, Version, Kind string
	} `json:"x-kubernetes-group-version-kind"`
	Body struct {
		Content map[string]struct {
			Schema struct {
				Ref string `json:"$ref"`
			} `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
}

// model returns the name of the model of the objects.
func (o *operation) model() string {
	return strings.TrimPrefix(o.Body.Content["*/*"].Schema.Ref, refPrefix)
}

const refPrefix = "#/components/schemas/"

// read adds the kinds that a source of Kubernetes publishes, for a minor.
func (r *record) read(source string, minor int) error {
	enums, err := readEnums(filepath.Join(source, "pkg/generated/openapi/zz_generated.openapi.go"))
	if err != nil {
		return err
	}
	names, err := filepath.Glob(filepath.Join(source, "api/openapi-spec/v3/*.json"))
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("no documents are in api/openapi-spec/v3")
	}
	all := map[string]map[string]any{}
	var wanted []string
	for _, name := range names {
		doc, err := readDocument(name)
		if err != nil {
			return err
		}
		maps.Copy(all, doc.Components.Schemas)
		for path, at := range doc.Paths {
			if model := r.kind(path, at.Post, minor); model != "" {
				wanted = append(wanted, model)
			}
		}
	}
	done := map[string]bool{}
	for len(wanted) > 0 {
		name := wanted[0]
		wanted = wanted[1:]
		if done[name] {
			continue
		}
		done[name] = true
		enums.add(name, all[name])
		refs, err := r.model(name, all[name], minor)
		if err != nil {
			return err
		}
		wanted = append(wanted, refs...)
	}
	return enums.unknown()
}

func readDocument(name string) (*document, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	doc := &document{}
	return doc, json.Unmarshal(data, doc)
}

// kind adds a kind whose objects are created at a path, and returns the model
// of the objects; "" if the path is that of a subresource.
func (r *record) kind(path string, post *operation, minor int) string {
	if post == nil || post.Kind == nil || post.Action != "post" ||
		strings.Contains(path, "{name}") {
		return ""
	}
	version := strings.TrimPrefix(post.Kind.Group+"/"+post.Kind.Version, "/")
	scope := "cluster"
	if strings.Contains(path, "/namespaces/{namespace}/") {
		scope = "namespaced"
	}
	plural := path[strings.LastIndexByte(path, '/')+1:]
	line := fmt.Sprintf("%s,%s %s %s %s", version, post.Kind.Kind, plural, scope, post.model())
	r.kinds[line] |= 1 << minor
	return post.model()
}

// model adds a model without its descriptions, and returns the names of those
// that it refers to.
func (r *record) model(name string, schema map[string]any, minor int) (refs []string, err error) {
	if schema == nil {
		return nil, fmt.Errorf("there is no model %s", name)
	}
	plain := stripped(schema, &refs)
	delete(plain, "x-kubernetes-group-version-kind")
	text, err := json.Marshal(plain)
	r.models[name+" "+string(text)] |= 1 << minor
	return refs, err
}

// stripped returns a schema without its descriptions, and adds the names of
// models that it refers to.
func stripped(schema map[string]any, refs *[]string) map[string]any {
	out := map[string]any{}
	for key, value := range schema {
		switch {
		case key == "description":
		case key == "properties":
			properties := map[string]any{}
			for name, property := range value.(map[string]any) {
				properties[name] = stripped(property.(map[string]any), refs)
			}
			out[key] = properties
		case key == "$ref":
			name := strings.TrimPrefix(value.(string), refPrefix)
			*refs = append(*refs, name)
			out[key] = name
		default:
			out[key] = strippedValue(value, refs)
		}
	}
	return out
}

// strippedValue is like stripped for the value of a keyword.
func strippedValue(value any, refs *[]string) any {
	switch value := value.(type) {
	case map[string]any:
		return stripped(value, refs)
	case []any:
		out := make([]any, len(value))
		for i, item := range value {
			out[i] = strippedValue(item, refs)
		}
		return out
	}
	return value
}
