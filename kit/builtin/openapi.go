package builtin

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/manifest"
	"github.com/crdsem/crdsem/minors"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

// IsOpenAPI reports whether an object is an OpenAPI v3 document with schemas.
func IsOpenAPI(object map[string]any) bool {
	version, _ := object["openapi"].(string)
	_, hasSchemas := jsonvalue.At(object, "components", "schemas").(map[string]any)
	return strings.HasPrefix(version, "3.") && hasSchemas
}

var errNoOpenAPI = errors.New("no OpenAPI v3 document with components.schemas")

// FromOpenAPI returns the kinds that an OpenAPI v3 document of a server
// describes, as a minor serves them, e.g. those of an aggregated API server:
//
//	kubectl get --raw /openapi/v3/apis/example.com/v1
//
// Kinds are those that the document has a path to create for; without any path,
// those of all schemas that name one kind. They are in the order of their
// versions and names. The zero minor is the newest one. A schema that cannot be
// used is an error that names it.
func FromOpenAPI(document map[string]any, m minors.Minor) ([]*Kind, error) {
	if !IsOpenAPI(document) {
		return nil, errNoOpenAPI
	}
	r := &record{models: map[string][]line{}}
	schemas, _ := jsonvalue.At(document, "components", "schemas").(map[string]any)
	models := map[manifest.Type]string{}
	for _, name := range jsonvalue.SortedKeys(schemas) {
		text, err := jsonvalue.EncodeJSON(schemas[name])
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		text = bytes.ReplaceAll(text, []byte(`"#/components/schemas/`), []byte(`"`))
		r.models[name] = []line{{name: name, rest: string(text), minors: 1}}
		if types := typesIn(schemas[name]); len(types) == 1 {
			models[types[0]] = name
		}
	}
	created := createdIn(document)
	if len(created) == 0 && document["paths"] == nil {
		for t := range models {
			if !strings.HasSuffix(t.Kind, "List") {
				created[t] = &Kind{Type: t, Namespaced: true}
			}
		}
	}
	b := newBuilder(r, 1)
	b.isOutside = true
	var out []*Kind
	for _, t := range slices.SortedFunc(maps.Keys(created), compareTypes) {
		k := created[t]
		k.minor, k.model, k.record, k.bit = named(m), models[t], r, 1
		if k.model == "" {
			continue
		}
		schema, err := b.schema(k.model, &cache)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", k.model, err)
		}
		k.compile = sync.OnceValue(func() compiled {
			return compiled{schema, validation.Compile(schema,
				structural.Kubernetes(k.minor), structural.InCache(&cache))}
		})
		out = append(out, k)
	}
	return out, nil
}

func compareTypes(a, b manifest.Type) int {
	return strings.Compare(a.APIVersion()+" "+a.Kind, b.APIVersion()+" "+b.Kind)
}

// gvk is the extension that names kinds.
const gvk = "x-kubernetes-group-version-kind"

// typesIn returns the types that a schema names.
func typesIn(schema any) (types []manifest.Type) {
	list, _ := jsonvalue.At(schema, gvk).([]any)
	for _, entry := range list {
		types = append(types, typeIn(entry))
	}
	return types
}

// typeIn returns the type that a value of the extension names.
func typeIn(entry any) (t manifest.Type) {
	t.Group, _ = jsonvalue.At(entry, "group").(string)
	t.Version, _ = jsonvalue.At(entry, "version").(string)
	t.Kind, _ = jsonvalue.At(entry, "kind").(string)
	return t
}

// createdIn returns the kinds that a document has a path to create for, with
// their plural names and scopes.
func createdIn(document map[string]any) map[manifest.Type]*Kind {
	out := map[manifest.Type]*Kind{}
	paths, _ := document["paths"].(map[string]any)
	for _, path := range jsonvalue.SortedKeys(paths) {
		post := jsonvalue.At(paths[path], "post")
		t := typeIn(jsonvalue.At(post, gvk))
		if t.Kind == "" || strings.Contains(path, "{name}") {
			continue
		}
		out[t] = &Kind{
			Type: t, Plural: path[strings.LastIndexByte(path, '/')+1:],
			Namespaced: strings.Contains(path, "/namespaces/{namespace}/"),
		}
	}
	return out
}
