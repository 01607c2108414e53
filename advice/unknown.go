package advice

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/base/nearest"
	"github.com/crdsem/crdsem/structural"
)

// schemaKeywords are the keywords of a schema in a definition.
var schemaKeywords = []string{
	"$ref", "$schema", "additionalItems", "additionalProperties", "allOf", "anyOf", "default",
	"definitions", "dependencies", "description", "enum", "example", "exclusiveMaximum",
	"exclusiveMinimum", "externalDocs", "format", "id", "items", "maxItems", "maxLength",
	"maxProperties", "maximum", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
	"not", "nullable", "oneOf", "pattern", "patternProperties", "properties", "required", "title",
	"type", "uniqueItems", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string",
	"x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type",
	"x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations",
}

// definitionFields are the other fields of a definition.
var definitionFields = []string{
	"additionalPrinterColumns", "apiVersion", "caBundle", "categories", "clientConfig",
	"conversion",
	"conversionReviewVersions", "deprecated", "deprecationWarning", "description", "fieldPath",
	"format", "group", "jsonPath", "kind", "labelSelectorPath", "listKind", "message",
	"messageExpression", "metadata", "name", "names", "namespace", "openAPIV3Schema",
	"optionalOldSelf", "path", "plural", "port", "preserveUnknownFields", "priority", "reason",
	"rule", "scale", "schema", "scope", "selectableFields", "served", "service", "shortNames",
	"singular", "spec", "specReplicasPath", "status", "statusReplicasPath", "storage", "strategy",
	"subresources", "type", "url", "versions", "webhook",
}

// nearKeyword and nearDefinitionField have these names for comparison.
var (
	nearKeyword = sync.OnceValue(func() *nearest.Set {
		return nearest.NewSet(schemaKeywords)
	})
	nearDefinitionField = sync.OnceValue(func() *nearest.Set {
		return nearest.NewSet(definitionFields)
	})
)

// Warning returns a hint on a warning or a refusal about the object, or "".
func (o *Object) Warning(ctx context.Context, text string) string {
	path, ok := unknownField(text)
	if !ok || ctx.Err() != nil {
		return refusal(text)
	}
	f := o.about(ctx, path)
	if near := f.near(f.at.key, f.properties(f.at.above)); near != "" {
		return fmt.Sprintf("did you mean %s?", code(near))
	}
	if parent := f.parentOf(o.Schema, path); parent != "" {
		return fmt.Sprintf("%s belongs below %s", code(f.at.key), code(parent))
	}
	if names := f.at.above.PropertyNames(); len(names) > 0 && len(names) <= maxNames {
		return "the schema declares " + codes(names) + " here"
	}
	return "the schema does not declare this field: remove it, or add it to the schema"
}

// parentOf returns the place that declares the last field of a path: one below
// the parent of the path, or below a parent of that. It is empty if there is no
// such place, or several are as near.
func (f *finding) parentOf(root *structural.Schema, path string) string {
	parents := f.parents(root)[f.at.key]
	at := strings.TrimSuffix(strings.TrimSuffix(path, f.at.key), ".")
	at = indexes.ReplaceAllString(at, "[]")
	for ; at != "" && len(parents) > 0; at = at[:max(0, strings.LastIndexByte(at, '.'))] {
		nearest, found := 0, ""
		for _, parent := range parents {
			rest, ok := strings.CutPrefix(parent, at)
			isBelow := ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
			depth := 1 + strings.Count(rest, ".") + strings.Count(rest, "[")
			switch {
			case !isBelow, nearest > 0 && depth > nearest:
			case depth == nearest:
				found = ""
			default:
				nearest, found = depth, parent
			}
		}
		if nearest > 0 {
			return found
		}
	}
	return ""
}

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// maxParents is how many nodes of a schema are searched for a field.
const maxParents = 1 << 14

// parents returns the places that declare each name, except in the metadata and
// the status. They are found once.
func (f *finding) parents(root *structural.Schema) map[string][]string {
	if f.effort.parents != nil {
		return f.effort.parents
	}
	found, nodes := map[string][]string{}, 0
	var visit func(node *structural.Schema, at string)
	visit = func(node *structural.Schema, at string) {
		if nodes++; nodes > maxParents || !f.spend(1+len(at)) {
			return
		}
		for name, child := range node.Properties() {
			if at == "" && (name == "status" || name == "metadata") {
				continue
			}
			found[name] = append(found[name], at)
			visit(child, strings.TrimPrefix(at+"."+name, "."))
		}
		if items := node.Items(); items != nil {
			visit(items, at+"[]")
		}
	}
	visit(root, "")
	f.effort.parents = found
	return found
}

// maxNames is the number of names that a hint lists.
const maxNames = 8

// Warning returns a hint on a warning or a refusal about the definition, or "".
func (d *Definition) Warning(ctx context.Context, text string) string {
	path, ok := unknownField(text)
	if !ok || ctx.Err() != nil {
		return refusal(text)
	}
	key := path[strings.LastIndexByte(path, '.')+1:]
	if !strings.Contains(path, "openAPIV3Schema") ||
		strings.Contains(path, "x-kubernetes-validations[") {
		if near := nearDefinitionField().Name(key, nil); near != "" {
			return fmt.Sprintf("did you mean %s?", code(near))
		}
		return "a definition has no such field; the server drops it"
	}
	return keywordHint(key)
}

func keywordHint(key string) string {
	if near := nearKeyword().Name(key, nil); near != "" {
		return fmt.Sprintf("did you mean %s?", code(near))
	}
	if strings.HasPrefix(key, "x-") {
		return "a schema takes no extensions but those of Kubernetes (`x-kubernetes-…`); the " +
			"server drops it"
	}
	return "a schema has no such keyword, the server drops it; if it is a field, it belongs " +
		"below `properties`"
}

// unknownField returns the first path of an error or a warning about unknown
// fields, e.g. spec.foo of `unknown field "spec.foo"`.
func unknownField(text string) (path string, ok bool) {
	_, quoted, ok := strings.Cut(text, "unknown field ")
	if !ok {
		return "", false
	}
	return quotedStart(quoted)
}

// Silent returns hints on misspelt keywords that a server drops or reads as
// others without a warning, which it does below `items`. Each starts with the
// path of the keyword. It ends with the context.
func (d *Definition) Silent(ctx context.Context) []string {
	f := &finding{ctx: ctx, definition: d, effort: &d.effort}
	spec, _ := d.Document["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	var found []string
	for i, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		at := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
		found = append(found, f.silent(at, root)...)
	}
	return found
}

// silent looks for the nodes below items.
func (f *finding) silent(at string, node map[string]any) []string {
	var found []string
	if !f.spend(1 + len(at)) {
		return nil
	}
	for _, c := range childrenOf(at, node) {
		if c.keyword == "items" {
			found = append(found, f.unknownKeywords(c.path, c.node)...)
		} else {
			found = append(found, f.silent(c.path, c.node)...)
		}
	}
	return found
}

// unknownKeywords looks at a node and all nodes below it.
func (f *finding) unknownKeywords(at string, node map[string]any) []string {
	var found []string
	if !f.spend(1 + len(at)) {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(node)) {
		if !slices.Contains(schemaKeywords, key) && f.spend(len(at)+len(key)) {
			found = append(found, fmt.Sprintf("%s.%s: %s", at, key, silentHint(key)))
		}
	}
	for _, c := range childrenOf(at, node) {
		found = append(found, f.unknownKeywords(c.path, c.node)...)
	}
	return found
}

// childNode is a node directly below another one.
type childNode struct {
	keyword string // that leads to it, e.g. "items"
	path    string
	node    map[string]any
}

// childrenOf returns the nodes directly below a node, in the order of their
// paths.
func childrenOf(at string, node map[string]any) []childNode {
	var list []childNode
	add := func(keyword, path string, value any) {
		if child, ok := value.(map[string]any); ok {
			list = append(list, childNode{keyword, path, child})
		}
	}
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		path := at + "." + keyword
		switch keyword {
		case "items", "additionalProperties", "not":
			add(keyword, path, node[keyword])
		case "properties":
			properties, _ := node[keyword].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				add(keyword, path+"["+name+"]", properties[name])
			}
		case "allOf", "anyOf", "oneOf":
			branches, _ := node[keyword].([]any)
			for i, branch := range branches {
				add(keyword, fmt.Sprintf("%s[%d]", path, i), branch)
			}
		}
	}
	return list
}

func silentHint(key string) string {
	for _, keyword := range schemaKeywords {
		if strings.EqualFold(key, keyword) {
			return fmt.Sprintf("did you mean %s? Below `items` the server does not warn of this",
				code(keyword))
		}
	}
	if near := nearKeyword().Name(key, nil); near != "" {
		return fmt.Sprintf("did you mean %s? Below `items` the server drops it without a warning",
			code(near))
	}
	return "a schema has no such keyword; below `items` the server drops it without a warning"
}
