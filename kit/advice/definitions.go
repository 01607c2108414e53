package advice

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/internal/kit/nearest"
)

// schemaTypes are the types that a schema can have.
var schemaTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// otherTypes maps types of other languages to those of schemas.
var otherTypes = map[string]string{
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "uint": "integer",
	"float": "number", "float32": "number", "float64": "number", "double": "number",
	"bool": "boolean", "str": "string", "text": "string", "list": "array", "slice": "array",
	"map": "object", "struct": "object", "dict": "object",
}

func unknownType(f *finding) string {
	given, _ := f.lastValue().(string)
	if given == "null" {
		return "use `nullable: true` next to another type"
	}
	if t, ok := otherTypes[strings.ToLower(given)]; ok {
		return "did you mean " + code(t) + "?"
	}
	if near := nearest.Name(given, schemaTypes); near != "" {
		return "did you mean " + code(near) + "?"
	}
	return "use one of " + codes(schemaTypes)
}

// missingType guesses the type from the other keywords of the node.
func missingType(f *finding) string {
	node := f.node()
	guess := "object"
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		switch keyword {
		case "items", "maxItems", "minItems", "x-kubernetes-list-type":
			guess = "array"
		case "pattern", "maxLength", "minLength", "enum", "format":
			guess = "string"
		case "maximum", "minimum", "multipleOf":
			guess = "integer"
		}
	}
	hint := "the schema has no type; add `type: " + guess + "`"
	if len(node) == 0 || guess == "object" && node["properties"] == nil {
		return hint + ", or the type that its values have"
	}
	return hint
}

// outside says that a keyword cannot stand in a junctor.
func outside(f *finding) string {
	return fmt.Sprintf("inside `allOf`, `anyOf`, `oneOf` and `not` a schema only restricts "+
		"values: move %s to the same field outside of them", code(f.lastKey()))
}

// undeclaredField says that a junctor names a field that the schema lacks.
func undeclaredField(f *finding) string {
	what := strings.TrimSuffix(strings.TrimPrefix(lastSegment(f.err.Field), "properties["), "]")
	return fmt.Sprintf("`allOf`, `anyOf`, `oneOf` or `not` restrict %s: declare it with its type "+
		"outside of them too", code(what))
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func definitionName(f *finding) string {
	if f.err.Type == field.ErrorTypeForbidden {
		return "definitions are cluster-scoped: remove the field"
	}
	spec, _ := f.definition.Document["spec"].(map[string]any)
	names, _ := spec["names"].(map[string]any)
	plural, _ := names["plural"].(string)
	group, _ := spec["group"].(string)
	if plural == "" || group == "" {
		return "the name is `spec.names.plural`, a dot and `spec.group`"
	}
	return "name the definition " + code(plural+"."+group) + ", or fix `spec.names.plural` or " +
		"`spec.group`"
}

// versionNames are the names of the versions for which a condition holds.
func (f *finding) versionNames(holds func(map[string]any) bool) []string {
	spec, _ := f.definition.Document["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	var names []string
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, ok := version["name"].(string); ok && holds(version) {
			names = append(names, name)
		}
	}
	return names
}

func repeatedVersion(f *finding) string {
	names := f.versionNames(func(map[string]any) bool { return true })
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return fmt.Sprintf("two versions have the name %s; rename one", code(names[i]))
		}
	}
	return "give each version its own name"
}

func storageVersions(f *finding) string {
	names := f.versionNames(func(v map[string]any) bool { return v["storage"] == true })
	if len(names) == 0 {
		return "set `storage: true` at one version"
	}
	return fmt.Sprintf("%s have `storage: true`; keep it at one of them and set `storage: false` "+
		"at the others",
		codes(names))
}

func storedVersions(f *finding) string {
	if f.err.Field != "status.storedVersions" {
		return "objects may still be stored in this version: keep it in `spec.versions` with " +
			"`served: false` until they are migrated and it is removed from `status.storedVersions`"
	}
	names := f.versionNames(func(v map[string]any) bool { return v["storage"] == true })
	if len(names) > 1 {
		return "the server takes one storage version of several; this error goes with the error " +
			"of `spec.versions`"
	}
	return "the storage version must be among `status.storedVersions`; on a create leave the " +
		"status out"
}

// fromBeta says what v1beta1 causes.
func (f *finding) fromBeta() string {
	if f.definition.Document["apiVersion"] == "apiextensions.k8s.io/v1beta1" {
		return "the definition is written for v1 but says v1beta1, which no server serves since " +
			"1.22: write `apiVersion: apiextensions.k8s.io/v1`"
	}
	return ""
}

func topOrVersions(f *finding) string {
	if hint := f.fromBeta(); hint != "" {
		return hint
	}
	return "v1beta1 only: use the field at the top or in the versions, not both; v1 has it in " +
		"the versions only"
}

func preserveUnknown(f *finding) string {
	if hint := f.fromBeta(); hint != "" {
		return hint
	}
	return "set `preserveUnknownFields: false`; to keep unknown fields somewhere, use " +
		"`x-kubernetes-preserve-unknown-fields: true` in the schema there"
}

func unsupportedKeyword(f *finding) string {
	switch f.lastKey() {
	case "$ref":
		return "definitions cannot refer to other schemas: write the schema out here, with its type"
	case "patternProperties":
		return "use `additionalProperties`, whose keys are arbitrary; a rule can check keys, " +
			"e.g. `self.all(k, k.matches('^x-'))`"
	case "dependencies":
		return "use a rule, e.g. `!has(self.a) || has(self.b)`"
	case "definitions":
		return "write the schemas out where they are used"
	}
	return "remove " + code(f.lastKey())
}

func bothProperties(f *finding) string {
	var node map[string]any
	if len(f.trail) > 0 {
		node, _ = f.trail[len(f.trail)-1].holder.(map[string]any)
	}
	properties, _ := node["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	if len(names) > 0 && len(names) <= maxNames {
		return "an object has named fields (`properties`: " + codes(names) + ") or is a map " +
			"(`additionalProperties`): remove one of them"
	}
	return "an object has named fields (`properties`) or is a map (`additionalProperties`): " +
		"remove one of them"
}

// listType gives hints on the list and map types of a node.
func listType(f *finding) string {
	if f.err.Type == field.ErrorTypeNotSupported {
		given, _ := f.lastValue().(string)
		known := []string{"atomic", "set", "map"}
		if f.lastKey() == "x-kubernetes-map-type" {
			known = []string{"atomic", "granular"}
		} else if keys, _ := f.node()["x-kubernetes-list-map-keys"].([]any); len(keys) > 0 {
			return "did you mean `map`?" // no other type has keys
		}
		if near := nearest.Name(given, known); near != "" {
			return "did you mean " + code(near) + "?"
		}
		return "use one of " + codes(known)
	}
	if strings.Contains(f.err.Detail, "map-type") {
		return "`x-kubernetes-map-type` is for objects: set `type: object` or remove it"
	}
	return "`x-kubernetes-list-type` is for lists: set `type: array` or remove it"
}

// listMap gives hints on the keys and items of a list-map.
func listMap(f *finding) string {
	node := f.node()
	keys, _ := node["x-kubernetes-list-map-keys"].([]any)
	items, _ := node["items"].(map[string]any)
	properties, _ := items["properties"].(map[string]any)
	names := f.known(keyOfMap("keys", properties), func() []string {
		return slices.Collect(maps.Keys(properties))
	})
	if f.lastKey() != "x-kubernetes-list-map-keys" {
		return "the items of a list-map are objects, and its keys are strings, integers, numbers " +
			"or booleans of them; otherwise use `x-kubernetes-list-type: atomic`"
	}
	if len(keys) == 0 {
		if required, _ := items["required"].([]any); len(required) > 0 {
			return fmt.Sprintf("add `x-kubernetes-list-map-keys` with the fields that identify an "+
				"item, e.g. `x-kubernetes-list-map-keys: [%v]`", required[0])
		}
		return "add `x-kubernetes-list-map-keys` with the fields that identify an item"
	}
	for _, k := range keys {
		key, _ := k.(string)
		if names.has(key) {
			continue
		}
		if near := f.near(key, names); near != "" {
			return fmt.Sprintf("the items have no %s: did you mean %s?", code(key), code(near))
		}
		return fmt.Sprintf("the items have no %s: declare it in their `properties`", code(key))
	}
	return "name each key once"
}

func listMapKey(f *finding) string {
	key, ok := keyInBrackets(f.err.Field)
	switch {
	case !ok:
		return "remove `nullable: true`: the items of a set or list-map cannot be null"
	case f.err.Type == field.ErrorTypeForbidden:
		return fmt.Sprintf("remove `nullable: true` from the list-map key %s", code(key))
	}
	return fmt.Sprintf("list-map keys must be required or have a default: add %s to `required` of "+
		"the items",
		code(key))
}

// keyInBrackets returns the last property that a path names, e.g. name of
// "items.properties[name].default".
func keyInBrackets(path string) (string, bool) {
	const before = ".items.properties["
	start := strings.LastIndex(path, before)
	if start < 0 {
		return "", false
	}
	after := path[start+len(before):]
	return after[:max(strings.LastIndexByte(after, ']'), 0)], true
}

func unknownInDefault(f *finding) string {
	object, _ := f.at.value.(map[string]any)
	keys := f.known(keyOfMap("own", object), func() []string {
		return slices.Collect(maps.Keys(object))
	})
	for _, key := range keys.sorted {
		if f.spend(1) && f.at.schema.Child(key) == nil {
			if near := f.near(key, f.properties(f.at.schema)); near != "" {
				return fmt.Sprintf("the default has %s: did you mean %s?", code(key), code(near))
			}
			return fmt.Sprintf("remove %s from the default, or declare it in "+
				"`properties`", code(key))
		}
	}
	return "a default has only fields that the schema declares: declare them in `properties` or " +
		"remove them"
}

// withStatus names the keyword that the root may not have.
func withStatus(f *finding) string {
	if f.lastKey() == "type" {
		return "set `type: object`"
	}
	return "with the status subresource the root takes neither junctors, nor " +
		"`additionalProperties`, `enum`, `default` or other extensions: move them below `spec`, " +
		"or write a rule"
}

func reason(f *finding) string {
	known := []string{
		"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired",
	}
	given, _ := f.lastValue().(string)
	if !strings.HasPrefix(given, "FieldValue") {
		given = "FieldValue" + given
	}
	if slices.Contains(known, given) {
		return "did you mean " + code(given) + "?"
	}
	if near := nearest.Name(given, known); near != "" {
		return "did you mean " + code(near) + "?"
	}
	return "use one of " + codes(known)
}

// selectable gives hints on selectable fields and on paths of rules.
func schemaPath(f *finding) string {
	given, _ := f.lastValue().(string)
	_, afterSelf, ofSelf := strings.Cut(given, "self")
	switch {
	case ofSelf && f.lastKey() == "fieldPath" && given == "self"+afterSelf && afterSelf != "":
		return "a fieldPath begins at the schema of its rule: write " + code(afterSelf)
	case strings.Contains(given, "[") && strings.Contains(f.err.Detail, "array notation"):
		return "a path here has no brackets: items of lists cannot be addressed"
	case f.lastKey() == "fieldPath" && listIndex.MatchString(given):
		return "a fieldPath cannot name an item of a list: write " +
			code(listIndex.ReplaceAllString(given, "$1"))
	}
	if relative := f.relative(given); relative != "" {
		return "a fieldPath begins at the schema of its rule: write " + code(relative)
	}
	if given != "" && given[0] != '.' && given[0] != '[' {
		return "a path starts with a dot: " + code("."+given)
	}
	if near := f.misspeltPath(given); near != "" {
		return "did you mean " + code(near) + "?"
	}
	if f.lastKey() == "fieldPath" {
		return "a fieldPath names fields that the schema of its rule declares, e.g. `.replicas` " +
			"for a rule at `spec`"
	}
	return "a path names fields that the schema declares, e.g. `.spec.replicas`"
}

// listIndex matches the first item that a path names, and what follows it.
var listIndex = regexp.MustCompile(`^(.+?)\[\d+\].*$`)

// misspeltPath returns the fieldPath of one name that was probably meant, "" if
// there is none.
func (f *finding) misspeltPath(path string) string {
	own, _ := f.node()["properties"].(map[string]any)
	name := strings.TrimPrefix(path, ".")
	if m := quotedIndex.FindStringSubmatch(path); m != nil {
		name = m[1]
	}
	name = celsyntax.Field(name)
	if f.lastKey() != "fieldPath" || len(own) > maxNames || strings.ContainsAny(name, "[") {
		return ""
	}
	if own[name] != nil {
		return "['" + name + "']"
	}
	if near := nearest.Name(name, slices.Sorted(maps.Keys(own))); near != "" {
		return "." + near
	}
	return ""
}

// relative returns the end of a fieldPath that begins at the schema of the
// rule, "" if there is none.
func (f *finding) relative(path string) string {
	own, _ := f.node()["properties"].(map[string]any)
	for rest := path; f.lastKey() == "fieldPath"; {
		at := strings.IndexByte(strings.TrimPrefix(rest, "."), '.')
		if at < 0 {
			return ""
		}
		rest = strings.TrimPrefix(rest, ".")[at:]
		first, _, _ := strings.Cut(rest[1:], ".")
		if _, ok := own[first]; ok {
			return rest
		}
	}
	return ""
}
