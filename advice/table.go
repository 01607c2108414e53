package advice

import (
	"cmp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A hint is what to say about the errors of a rule. It has one of the members
// after the rule.
type hint struct {
	rule string
	// say is the hint.
	say string
	// refused is the hint on a refusal before validation whose text says no
	// more.
	refused string
	// write returns the hint on an error.
	write func(*finding) string
}

// of returns the hint on an error.
func (h hint) of(f *finding) string {
	switch {
	case h.write != nil:
		return h.write(f)
	case h.refused != "":
		return cmp.Or(f.warning(), h.refused)
	}
	return h.say
}

// table has the hint of each rule that can refuse something. The hints are
// static data, and the table is made when it is first asked.
var table = sync.OnceValue(func() map[string]hint {
	all := map[string]hint{}
	for _, part := range [][]hint{
		schemaHints, definitionHints, ruleHints, valueHints, objectHints,
	} {
		for _, h := range part {
			all[h.rule] = h
		}
	}
	for name := range formatExamples() {
		all["FMT-"+name] = hint{write: format}
	}
	return all
})

// schemaHints are about structural schemas.
var schemaHints = []hint{
	{rule: "STR-002", say: "give the keyword a value of the type that the error names"},
	{rule: "STR-003", say: "`additionalProperties` is a schema, or true or false"},
	{rule: "STR-004", say: "`items` is one schema"},
	{rule: "STR-011", write: unsupportedKeyword},
	{rule: "STR-012", write: unsupportedKeyword},
	{rule: "STR-013", write: unsupportedKeyword},
	{rule: "STR-014", write: unsupportedKeyword},
	{rule: "STR-015", write: unsupportedKeyword},
	{rule: "STR-016", write: unsupportedKeyword},
	{rule: "STR-017", write: unsupportedKeyword},
	{rule: "STR-018", say: "write one schema for all items: `items: {type: …}` instead of a list"},
	{rule: "STR-019", say: "remove `x-kubernetes-preserve-unknown-fields: false`: absence means " +
		"the same"},
	{rule: "STR-043", say: "a list must say what its items are: add `items` with a type, e.g. " +
		"`items: {type: string}`"},
	{rule: "STR-044", say: "a resource's top-level fields must be named: move the map below one, " +
		"e.g. `spec`"},
	{rule: "STR-045", say: "add `type: object` at the root"},
	{rule: "STR-046", write: missingType},
	{rule: "STR-047", write: missingType},
	{rule: "STR-048", say: "a resource is an object: set `type: object` at the root"},
	{rule: "STR-050", say: "an embedded resource is an object: set `type: object`"},
	{rule: "STR-051", say: "an embedded resource names its fields: remove " +
		"`additionalProperties`, or set `x-kubernetes-preserve-unknown-fields: true`"},
	{rule: "STR-052", say: "pruning would leave nothing of the embedded resource: declare its " +
		"`properties` or set `x-kubernetes-preserve-unknown-fields: true`"},
	{rule: "STR-053", say: "the kind of a resource is a string: set `type: string`"},
	{rule: "STR-054", say: "the apiVersion of a resource is a string: set `type: string`"},
	{rule: "STR-055", say: "the metadata of a resource is an object: set `type: object`"},
	{rule: "STR-056", say: "the server defines metadata: write `metadata: {type: object}`, at " +
		"most with restrictions of `name` and `generateName`"},
	{rule: "STR-059", say: "an integer or string has no fields to preserve: remove one of the " +
		"two keywords"},
	{rule: "STR-060", say: "an integer or string is not a resource: remove one of the two " +
		"keywords"},
	{rule: "STR-061", write: patternSyntax},
	{rule: "STR-084", write: patternSyntax},
	{rule: "STR-070", write: outside},
	{rule: "STR-071", write: outside},
	{rule: "STR-073", write: outside},
	{rule: "STR-074", write: outside},
	{rule: "STR-075", write: outside},
	{rule: "STR-076", write: outside},
	{rule: "STR-077", write: outside},
	{rule: "STR-078", write: outside},
	{rule: "STR-079", write: outside},
	{rule: "STR-080", write: outside},
	{rule: "STR-081", write: outside},
	{rule: "STR-082", write: outside},
	{rule: "STR-072", say: "a default inside of `allOf`, `anyOf`, `oneOf` or `not` could not be " +
		"applied: move it outside of them"},
	{rule: "STR-083", say: "metadata can only be restricted outside of `allOf`, `anyOf`, `oneOf` " +
		"and `not`"},
	{rule: "STR-090", write: undeclaredField},
	{rule: "STR-091", write: undeclaredField},
	{rule: "STR-095", write: undeclaredField},
}

// definitionHints are about definitions.
var definitionHints = []hint{
	{rule: "CRD-020", write: definitionName},
	{rule: "CRD-021", write: metadata},
	{rule: "CRD-022", write: metadata},
	{rule: "CRD-030", say: "the group is a domain with a dot, e.g. `example.com`, in lower case"},
	{rule: "CRD-033", say: "set `scope: Namespaced` or `scope: Cluster`"},
	{rule: "CRD-034", say: "add `schema.openAPIV3Schema` to every version"},
	{rule: "CRD-035", say: "add `schema.openAPIV3Schema` with `type: object` to the version"},
	{rule: "CRD-036", write: preserveUnknown},
	{rule: "CRD-037", write: preserveUnknown},
	{rule: "CRD-040", say: "versions are named like `v1`, `v1beta1` or `v2alpha1`"},
	{rule: "CRD-041", write: repeatedVersion},
	{rule: "CRD-042", write: storageVersions},
	{rule: "CRD-044", say: "versions are named like `v1`, `v1beta1` or `v2alpha1`"},
	{rule: "CRD-045", write: topOrVersions},
	{rule: "CRD-046", write: topOrVersions},
	{rule: "CRD-050", say: "a definition needs `spec.names.plural` (in lower case), `kind` (in " +
		"upper camel case), and `singular` and `listKind` if they are not the default"},
	{rule: "CRD-051", write: definitionNames},
	{rule: "CRD-060", write: scalePath},
	{rule: "CRD-070", say: "a column has a `name`, a `type` (boolean, date, integer, number or " +
		"string) and a `jsonPath` that starts with a dot"},
	{rule: "CRD-080", write: schemaPath},
	{rule: "CRD-081", say: "remove entries: a version has at most eight selectable fields"},
	{rule: "CRD-082", say: "selectable fields need a schema of their version"},
	{rule: "CRD-083", say: "selectable fields need a schema of their version"},
	{rule: "CRD-085", write: schemaPath},
	{rule: "CRD-090", say: "with `strategy: Webhook` add `conversion.webhook` with " +
		"`clientConfig` (a `service` or a `url`) and `conversionReviewVersions`; with `strategy: " +
		"None` remove it"},
	{rule: "CRD-091", say: "the URL is written as `https://host[:port]/path`, without user, " +
		"query and fragment"},
	{rule: "CRD-092", say: "a service has `name` and `namespace`, a `port` from 1 to 65535, and " +
		"a `path` that starts with a slash"},
	{rule: "CRD-093", say: "set `conversionReviewVersions: [v1]`, each version once"},
	{rule: "CRD-094", say: "`caBundle` holds certificates in PEM form (`-----BEGIN " +
		"CERTIFICATE-----`), in base64"},
	{rule: "CRD-100", say: "a `deprecationWarning` goes with `deprecated: true`, on one line, " +
		"with at most 256 characters"},
	{rule: "CRD-110", write: storedVersions},
	{rule: "CRD-111", say: "the accepted names must be the names in `spec.names` in a valid form"},
	{rule: "CRD-112", write: storedVersions},
	{rule: "CRD-120", say: "groups below `k8s.io` and `kubernetes.io` belong to Kubernetes: " +
		"choose a group of a domain of your own"},
	{rule: "CRD-121", say: "groups below `k8s.io` and `kubernetes.io` belong to Kubernetes: keep " +
		"the approval annotation"},
	{rule: "CRD-130", write: preserveUnknown},
	{rule: "CRD-141", write: withStatus},
	{rule: "CRD-142", say: "remove `nullable: true`: a resource is never null"},
	{rule: "CRD-144", say: "fix the schema; remove `$schema`"},
	{rule: "CRD-146", say: "the schema cannot be used for validation: look at its `$ref` and its " +
		"patterns"},
	{rule: "CRD-151", write: unknownType},
	{rule: "CRD-152", write: unsupportedKeyword},
	{rule: "CRD-153", say: "write one schema for all items: `items: {type: …}` instead of a list"},
	{rule: "CRD-154", say: "use `x-kubernetes-list-type: set` instead of `uniqueItems`"},
	{rule: "CRD-155", write: bothProperties},
	{rule: "CRD-156", say: "remove `x-kubernetes-preserve-unknown-fields: false`: absence means " +
		"the same"},
	{rule: "CRD-157", write: listType},
	{rule: "CRD-158", write: listType},
	{rule: "CRD-159", say: "the items of a set must be scalars or atomic: set " +
		"`x-kubernetes-map-type: atomic` or `x-kubernetes-list-type: atomic` at the items"},
	{rule: "CRD-160", say: "list-map keys go with `x-kubernetes-list-type: map`: add it, or " +
		"remove the keys"},
	{rule: "CRD-161", write: listMap},
	{rule: "CRD-162", write: listMapKey},
	{rule: "CRD-163", say: "metadata, kind and apiVersion hold no resources: remove " +
		"`x-kubernetes-embedded-resource`"},
	{rule: "CRD-300", write: inDefault},
	{rule: "CRD-301", write: inDefault},
	{rule: "CRD-320", write: inDefault},
	{rule: "CRD-307", write: inDefault},
	{rule: "CRD-302", write: unknownInDefault},
	{rule: "CRD-303", say: "the default breaks a rule of the schema: change the default, or the " +
		"rule"},
	{rule: "CRD-304", say: "the server sets apiVersion, kind and metadata: remove the default"},
	{rule: "CRD-305", say: "the default must result in valid metadata: use valid names, labels " +
		"and annotations"},
	{rule: "CRD-306", say: "an embedded resource in a default needs `apiVersion`, `kind` and " +
		"valid metadata"},
	{rule: "CRD-309", say: "fix the rule first: a default cannot be checked by a rule that does " +
		"not compile"},
	{rule: "CRD-312", say: "remove the default of the root: it is never used"},
	{rule: "CRD-401", say: "the group and the plural name cannot change: create a new definition"},
	{rule: "CRD-402", say: "scope and kind cannot change once the definition is established: " +
		"create a new definition"},
	{rule: "CRD-422", write: storedVersions},
	{rule: "DEF-052", write: inDefault},
	{rule: "DEF-053", write: inDefault},
	{rule: "DEF-044", say: "remove the default of the root: it is never used"},
	{rule: "DEF-051", write: inDefault},
	{rule: "DEF-054", say: "the default must result in valid metadata: use valid names, labels " +
		"and annotations"},
	{rule: "DEF-056", write: unknownInDefault},
	{rule: "CONV-050", say: "set `strategy: None` or `strategy: Webhook`"},
	{rule: "CONV-051", say: "with `strategy: None` remove the webhook and its review versions"},
	{rule: "CONV-052", say: "with `strategy: Webhook` add `webhook.clientConfig` with a " +
		"`service` or a `url`, not both"},
	{rule: "CONV-053", say: "the URL is written as `https://host[:port]/path`, without user, " +
		"query and fragment"},
	{rule: "CONV-054", say: "a service has `name` and `namespace`, a `port` from 1 to 65535, and " +
		"a `path` that starts with a slash"},
	{rule: "CONV-055", say: "`caBundle` holds certificates in PEM form (`-----BEGIN " +
		"CERTIFICATE-----`), in base64"},
	{rule: "CONV-056", say: "set `conversionReviewVersions: [v1]`, each version once"},
}

// ruleHints are about validation rules in definitions.
var ruleHints = []hint{
	{rule: "CRD-201", say: "write an expression, or remove the entry"},
	{rule: "CRD-202", say: "write the message on one line, or remove it; a rule of several lines " +
		"needs a message"},
	{rule: "CRD-203", say: "write an expression of type string, or remove `messageExpression`"},
	{rule: "CRD-204", write: reason},
	{rule: "CRD-205", write: schemaPath},
	{rule: "CRD-210", write: compiling},
	{rule: "CRD-211", write: compiling},
	{rule: "CRD-212", write: compiling},
	{rule: "CRD-213", write: outside},
	{rule: "CRD-214", write: uncorrelated},
	{rule: "CRD-215", write: oldSelfUnused},
	{rule: "CRD-216", say: "give the node a type, and lists and maps the types of their items " +
		"and values"},
	{rule: "CRD-231", say: "give the node a type, and lists and maps the types of their items " +
		"and values"},
	{rule: "CRD-221", write: expensive},
	{rule: "CRD-222", write: expensive},
	{rule: "CRD-224", write: expensive},
	{rule: "COST-020", write: expensive},
	{rule: "COST-022", write: expensive},
	{rule: "CEL-010", write: compiling},
	{rule: "CEL-012", write: compiling},
	{rule: "CEL-014", say: "write an expression, or remove the entry"},
	{rule: "CEL-060", write: outside},
	{rule: "CEL-071", write: schemaPath},
	{rule: "CEL-083", write: schemaPath},
	{rule: "CEL-080", write: schemaPath},
	{rule: "CEL-074", write: compiling},
	{rule: "CEL-075", write: uncorrelated},
	{rule: "CEL-076", write: oldSelfUnused},
}

// valueHints are about values, in objects and in defaults.
var valueHints = []hint{
	{rule: "VAL-020", write: wrongType},
	{rule: "VAL-025", write: wrongType},
	{rule: "VAL-021", write: noFraction},
	{rule: "VAL-022", write: format},
	{rule: "VAL-023", write: notNull},
	{rule: "VAL-024", write: nullInEnum},
	{rule: "VAL-040", write: length},
	{rule: "VAL-041", write: length},
	{rule: "VAL-042", write: pattern},
	{rule: "VAL-043", say: "the pattern in the schema is not a valid regular expression: fix " +
		"the schema"},
	{rule: "VAL-050", write: bounds},
	{rule: "VAL-051", write: bounds},
	{rule: "VAL-052", write: boundOutOfRange},
	{rule: "VAL-053", write: multiple},
	{rule: "VAL-054", write: outOfRange},
	{rule: "VAL-060", write: enum},
	{rule: "VAL-070", write: items},
	{rule: "VAL-071", write: duplicates},
	{rule: "VAL-080", write: properties},
	{rule: "VAL-081", write: required},
	{rule: "VAL-082", write: forbiddenProperty},
	{rule: "VAL-090", write: allOf},
	{rule: "VAL-091", write: anyOf},
	{rule: "VAL-092", write: oneOf},
	{rule: "VAL-093", write: not},
	{rule: "VAL-100", say: "the value breaks a schema in `allOf`, `anyOf`, `oneOf` or `not`"},
	{rule: "LST-010", write: repeated},
	{rule: "LST-020", write: repeated},
	{rule: "LST-024", write: repeated},
	{rule: "LST-022", say: "several items lack the key that identifies them: add it"},
	{rule: "LST-025", say: "the items of a list-map are objects: write each with its key"},
}

// objectHints are about objects as a whole: metadata, rules, scale.
var objectHints = []hint{
	{rule: "META-001", write: metadata},
	{rule: "META-009", write: metadata},
	{rule: "META-021", write: metadata},
	{rule: "META-032", write: metadata},
	{rule: "META-002", say: "the apiVersion of an embedded resource is written as " +
		"`group/version`, or `v1`"},
	{rule: "META-003", say: "the kind of an embedded resource is written like `ConfigMap`: " +
		"letters, digits and dashes"},
	{rule: "META-004", say: "write apiVersion and kind of the embedded resource as strings"},
	{rule: "META-006", say: "the metadata of the embedded resource has a value of a wrong type: " +
		"labels and annotations are strings, put numbers and booleans in quotes"},
	{rule: "META-020", write: served},
	{rule: "META-022", say: "apiVersion and kind are strings, metadata is an object whose labels " +
		"and annotations are strings: put numbers and booleans in quotes"},
	{rule: "META-024", write: pattern},
	{rule: "CONV-001", say: "conversion is `None` or `Webhook`"},
	{rule: "CONV-003", say: "convert to a version that the definition serves, in the group of " +
		"the definition"},
	{rule: "CONV-007", say: "select by `metadata.name`, `metadata.namespace` or a selectable " +
		"field of the version"},
	{rule: "CONV-022", say: "the webhook's `conversionReviewVersions` must contain `v1`"},
	{rule: "CONV-026", write: webhook},
	{rule: "CONV-027", write: webhook},
	{rule: "CONV-028", write: webhook},
	{rule: "CONV-029", write: webhook},
	{rule: "CONV-030", write: webhook},
	{rule: "CONV-031", say: "a webhook may change labels and annotations only, nothing else in " +
		"metadata"},
	{rule: "PIPE-002", refused: "the text is not valid JSON: look at the position that the error " +
		"names"},
	{rule: "PIPE-005", refused: "the text is not valid YAML: look at the line that the error " +
		"names"},
	{rule: "PIPE-006", refused: "send the object without these fields, or with field validation " +
		"`Warn`"},
	{rule: "PIPE-010", refused: "an object has `apiVersion` and `kind`, and JSON values of the " +
		"types that they need"},
	{rule: "PIPE-011", refused: "send the namespace of the request in `metadata.namespace`, or " +
		"none"},
	{rule: "PIPE-013", refused: "write the apiVersion that the request is sent to"},
	{rule: "PIPE-016", refused: "send name and uid of the stored object"},
	{rule: "PIPE-018", write: served},
	{rule: "PIPE-019", refused: "fix the patch: its paths must exist in the stored object, and " +
		"its tests must hold"},
	{rule: "PIPE-022", say: "the stored object cannot be read: fix it in storage, or the " +
		"definition"},
	{rule: "PIPE-031", say: "add `subresources: {status: {}}` to the version, or send the status " +
		"with the object"},
	{rule: "PIPE-040", write: replicas},
	{rule: "CEL-090", say: "the definition has a rule that does not compile: fix the definition"},
	{rule: "CEL-091", write: evaluating},
	{rule: "CEL-092", write: failed},
	{rule: "CEL-095", write: overBudget},
	{rule: "CEL-097", say: "the evaluation was ended before it was done: try again"},
	{rule: "COST-002", write: overBudget},
	{rule: "COST-003", write: overBudget},
}

// webhook is said of answers of conversion webhooks.
func webhook(*finding) string {
	return "fix the webhook: it answers a ConversionReview with the uid of the request, the " +
		"status `Success`, and the objects in the same order, in the version asked for"
}

// warning returns the hint on the text of a refusal before validation, which
// says more than its rule.
func (f *finding) warning() string {
	if f.object != nil {
		return f.object.Warning(f.ctx, f.err.Detail)
	}
	return f.definition.Warning(f.ctx, f.err.Detail)
}

// inDefault gives the hint of the keyword that a default breaks.
func inDefault(f *finding) string {
	switch f.err.Type {
	case field.ErrorTypeTypeInvalid:
		if f.at.schema.Values().Format != "" && kindOf(f.at.value) == "string" {
			return format(f)
		}
		return wrongType(f)
	case field.ErrorTypeNotSupported:
		return enum(f)
	case field.ErrorTypeRequired:
		return required(f)
	case field.ErrorTypeTooLong:
		return length(f)
	case field.ErrorTypeDuplicate:
		return repeated(f)
	}
	for _, hint := range []func(*finding) string{bounds, length} {
		if text := hint(f); strings.Contains(text, " is ") {
			return text
		}
	}
	return "a default must be valid: change it, or the schema next to it"
}

func patternSyntax(*finding) string {
	return "a pattern is an RE2 regular expression, without look-around and back-references; " +
		"close its brackets and escape literal ones, e.g. `\\(`"
}

// scalePath gives hints on the paths of the scale subresource.
func scalePath(f *finding) string {
	below := ".spec"
	switch f.lastKey() {
	case "statusReplicasPath":
		below = ".status"
	case "labelSelectorPath":
		return "write a path below `.spec` or `.status`, e.g. `.status.selector`"
	}
	return "write a path below " + code(below) + ", e.g. " + code(below+".replicas")
}

// definitionNames gives hints on spec.names.
func definitionNames(f *finding) string {
	given, _ := f.err.BadValue.(string)
	if strings.HasSuffix(strings.ToLower(f.err.Field), "kind") {
		if strings.Contains(f.err.Detail, "may not be the same") {
			return "leave `listKind` out, or append `List` to the kind"
		}
		return "a kind is written like `CronTab`: letters, digits and dashes"
	}
	if p := proposed(given); p != "" && p != given {
		return "did you mean " + code(p) + "?"
	}
	return "names are lower-case letters, digits and dashes, and start with a letter"
}

// evaluating says what to do about a rule that ended in an error.
func evaluating(f *finding) string {
	hint := failed(f)
	switch {
	case strings.Contains(f.err.Detail, "no such key"):
		hint = "the rule reads a field that the object lacks: set it; the rule should ask first, " +
			"e.g. `!has(self.a) || …`"
	case strings.Contains(f.err.Detail, "cost limit exceeded"):
		return overBudget(f)
	case hint == "":
		return "the rule cannot be evaluated on this object: the definition should guard against " +
			"such values"
	}
	return hint
}

func overBudget(*finding) string {
	return "the rules cost too much on this object: make its lists, maps and strings smaller, or " +
		"simplify the rules"
}
