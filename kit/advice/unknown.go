package advice

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/crdsem/crdsem/internal/kit/nearest"
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
	if parents := f.parentsOf(o.Schema, path); len(parents) > 0 {
		return fmt.Sprintf("%s belongs %s", code(f.at.key), strings.Join(parents, " or "))
	}
	if names := f.at.above.PropertyNames(); len(names) > 0 && len(names) <= maxNames {
		return "the schema declares " + codes(names) + " here"
	}
	return "the schema does not declare this field: remove it, or add it to the schema"
}

// maxParents is how many places a hint names.
const maxParents = 3

// parentsOf returns the places that declare the last field of a path, with the
// type of its value: those nearest below the parent of the path, or below a
// parent of that. The list is empty if too many are as near.
func (f *finding) parentsOf(root *structural.Schema, path string) []string {
	all := slices.DeleteFunc(slices.Clone(f.declared(root)[f.at.key]), func(d declared) bool {
		return !f.fits(d.schema)
	})
	at := strings.TrimSuffix(strings.TrimSuffix(path, f.at.key), ".")
	at = indexes.ReplaceAllString(at, "[]")
	for len(all) > 0 && f.spend(len(all)*(1+len(at))) {
		if nearest := nearestBelow(at, all); len(nearest) > maxParents {
			return nil
		} else if len(nearest) > 0 {
			return nearest
		}
		at = at[:max(0, strings.LastIndexByte(at, '.'))]
	}
	return nil
}

// nearestBelow returns those places below another one to which the fewest steps
// lead, as a hint names them.
func nearestBelow(at string, all []declared) []string {
	var found []string
	least := 0
	for _, d := range all {
		rest, ok := strings.CutPrefix(d.below, at)
		steps := 1 + strings.Count(rest, ".") + strings.Count(rest, "[")
		isBelow := ok && (at == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
		if !isBelow || least > 0 && steps > least {
			continue
		}
		if steps != least {
			least, found = steps, nil
		}
		where := "at the top"
		if d.below != "" {
			where = "below " + code(d.below)
		}
		found = append(found, where)
	}
	return found
}

// fits reports whether the value in question may be one of a schema, by its
// type.
func (f *finding) fits(schema *structural.Schema) bool {
	want, has := schema.Type(), kindOf(f.at.value)
	return want == "" || !f.at.found || has == "null" || has == want ||
		want == "number" && has == "integer"
}

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// maxNodes is how many nodes of a schema are searched for a field.
const maxNodes = 1 << 14

// declared is a property: the path of the node that declares it, and its
// schema.
type declared struct {
	below  string
	schema *structural.Schema
}

// declared returns the properties of each name, except in the metadata and the
// status. They are found once.
func (f *finding) declared(root *structural.Schema) map[string][]declared {
	if f.effort.declared != nil {
		return f.effort.declared
	}
	found, nodes := map[string][]declared{}, 0
	var visit func(node *structural.Schema, at string)
	visit = func(node *structural.Schema, at string) {
		if nodes++; nodes > maxNodes || !f.spend(1+len(at)) {
			return
		}
		for name, child := range node.Properties() {
			if at == "" && (name == "status" || name == "metadata") {
				continue
			}
			found[name] = append(found[name], declared{at, child})
			visit(child, strings.TrimPrefix(at+"."+name, "."))
		}
		if items := node.Items(); items != nil {
			visit(items, at+"[]")
		}
		if values := node.AdditionalSchema(); values != nil {
			visit(values, at+"[*]")
		}
	}
	visit(root, "")
	f.effort.declared = found
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
