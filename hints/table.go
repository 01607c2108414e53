package hints

import (
	"cmp"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// table has the hint of each rule that can refuse something. A nil entry or no
// entry is no hint.
var table = joined(schemaHints, definitionHints, ruleHints, valueHints, objectHints)

func joined(parts ...map[string]func(*finding) string) map[string]func(*finding) string {
	all := map[string]func(*finding) string{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	for name := range formatExamples {
		all["FMT-"+name] = format
	}
	return all
}

// schemaHints are about structural schemas.
var schemaHints = map[string]func(*finding) string{
	"STR-002": say("give the keyword a value of the type that the error names"),
	"STR-003": say("`additionalProperties` is a schema, or true or false"),
	"STR-004": say("`items` is one schema"),
	"STR-011": unsupportedKeyword, "STR-012": unsupportedKeyword, "STR-013": unsupportedKeyword,
	"STR-014": unsupportedKeyword, "STR-015": unsupportedKeyword, "STR-016": unsupportedKeyword,
	"STR-017": unsupportedKeyword,
	"STR-018": say("write one schema for all items: `items: {type: …}` instead of a list"),
	"STR-019": say("remove `x-kubernetes-preserve-unknown-fields: false`: absence means the same"),
	"STR-043": say("a list must say what its items are: add `items` with a type, e.g. `items: " +
		"{type: string}`"),
	"STR-044": say("a resource's top-level fields must be named: move the map below one, e.g. " +
		"`spec`"),
	"STR-045": say("add `type: object` at the root"),
	"STR-046": missingType,
	"STR-047": missingType,
	"STR-048": say("a resource is an object: set `type: object` at the root"),
	"STR-050": say("an embedded resource is an object: set `type: object`"),
	"STR-051": say("an embedded resource names its fields: remove `additionalProperties`, or set " +
		"`x-kubernetes-preserve-unknown-fields: true`"),
	"STR-052": say("pruning would leave nothing of the embedded resource: declare its " +
		"`properties` or set " +
		"`x-kubernetes-preserve-unknown-fields: true`"),
	"STR-053": say("the kind of a resource is a string: set `type: string`"),
	"STR-054": say("the apiVersion of a resource is a string: set `type: string`"),
	"STR-055": say("the metadata of a resource is an object: set `type: object`"),
	"STR-056": say("the server defines metadata: write `metadata: {type: object}`, at most " +
		"with restrictions of " +
		"`name` and `generateName`"),
	"STR-059": say("an integer or string has no fields to preserve: remove one of the two " +
		"keywords"),
	"STR-060": say("an integer or string is not a resource: remove one of the two keywords"),
	"STR-061": patternSyntax, "STR-084": patternSyntax,
	"STR-070": outside,
	"STR-071": outside,
	"STR-073": outside,
	"STR-074": outside,
	"STR-075": outside,
	"STR-076": outside,
	"STR-077": outside,
	"STR-078": outside,
	"STR-079": outside,
	"STR-080": outside,
	"STR-081": outside,
	"STR-082": outside,
	"STR-072": say("a default inside of `allOf`, `anyOf`, `oneOf` or `not` could not be applied: " +
		"move it outside of them"),
	"STR-083": say("metadata can only be restricted outside of `allOf`, `anyOf`, `oneOf` and " +
		"`not`"),
	"STR-090": undeclaredField, "STR-091": undeclaredField, "STR-095": undeclaredField,
}

// definitionHints are about definitions.
var definitionHints = map[string]func(*finding) string{
	"CRD-020": definitionName,
	"CRD-021": metadata,
	"CRD-022": metadata,
	"CRD-030": say("the group is a domain with a dot, e.g. `example.com`, in lower case"),
	"CRD-033": say("set `scope: Namespaced` or `scope: Cluster`"),
	"CRD-034": say("add `schema.openAPIV3Schema` to every version"),
	"CRD-035": say("add `schema.openAPIV3Schema` with `type: object` to the version"),
	"CRD-036": preserveUnknown,
	"CRD-037": preserveUnknown,
	"CRD-040": say("versions are named like `v1`, `v1beta1` or `v2alpha1`"),
	"CRD-041": repeatedVersion,
	"CRD-042": storageVersions,
	"CRD-044": say("versions are named like `v1`, `v1beta1` or `v2alpha1`"),
	"CRD-045": topOrVersions,
	"CRD-046": topOrVersions,
	"CRD-050": say("a definition needs `spec.names.plural` (in lower case), `kind` (in upper " +
		"camel case), " +
		"and `singular` and `listKind` if they are not the default"),
	"CRD-051": definitionNames,
	"CRD-060": scalePath,
	"CRD-070": say("a column has a `name`, a `type` (boolean, date, integer, number or string) " +
		"and a " +
		"`jsonPath` that starts with a dot"),
	"CRD-080": schemaPath,
	"CRD-081": say("remove entries: a version has at most eight selectable fields"),
	"CRD-082": say("selectable fields need a schema of their version"),
	"CRD-083": say("selectable fields need a schema of their version"),
	"CRD-085": schemaPath,
	"CRD-090": say("with `strategy: Webhook` add `conversion.webhook` with `clientConfig` (a " +
		"`service` or a `url`) " +
		"and `conversionReviewVersions`; with `strategy: None` remove it"),
	"CRD-091": say("the URL is written as `https://host[:port]/path`, without user, query and " +
		"fragment"),
	"CRD-092": say("a service has `name` and `namespace`, a `port` from 1 to 65535, and a " +
		"`path` that starts with a slash"),
	"CRD-093": say("set `conversionReviewVersions: [v1]`, each version once"),
	"CRD-094": say("`caBundle` holds certificates in PEM form (`-----BEGIN CERTIFICATE-----`), " +
		"in base64"),
	"CRD-100": say("a `deprecationWarning` goes with `deprecated: true`, on one line, with at " +
		"most 256 characters"),
	"CRD-110": storedVersions,
	"CRD-111": say("the accepted names must be the names in `spec.names` in a valid form"),
	"CRD-112": storedVersions,
	"CRD-120": say("groups below `k8s.io` and `kubernetes.io` belong to Kubernetes: choose a " +
		"group of a domain of " +
		"your own"),
	"CRD-121": say("groups below `k8s.io` and `kubernetes.io` belong to Kubernetes: keep the " +
		"approval annotation"),
	"CRD-130": preserveUnknown,
	"CRD-141": withStatus,
	"CRD-142": say("remove `nullable: true`: a resource is never null"),
	"CRD-144": say("mend the schema; remove `$schema`"),
	"CRD-146": say("the schema cannot be used for validation: look at its `$ref` and its patterns"),
	"CRD-151": unknownType,
	"CRD-152": unsupportedKeyword,
	"CRD-153": say("write one schema for all items: `items: {type: …}` instead of a list"),
	"CRD-154": say("use `x-kubernetes-list-type: set` instead of `uniqueItems`"),
	"CRD-155": bothProperties,
	"CRD-156": say("remove `x-kubernetes-preserve-unknown-fields: false`: absence means the same"),
	"CRD-157": listType,
	"CRD-158": listType,
	"CRD-159": say("the items of a set must be scalars or atomic: set `x-kubernetes-map-type: " +
		"atomic` or " +
		"`x-kubernetes-list-type: atomic` at the items"),
	"CRD-160": say("list-map keys go with `x-kubernetes-list-type: map`: add it, or remove the " +
		"keys"),
	"CRD-161": listMap,
	"CRD-162": listMapKey,
	"CRD-163": say("metadata, kind and apiVersion hold no resources: remove " +
		"`x-kubernetes-embedded-resource`"),
	"CRD-300": inDefault, "CRD-301": inDefault, "CRD-320": inDefault, "CRD-307": inDefault,
	"CRD-302": unknownInDefault,
	"CRD-303": say("the default breaks a rule of the schema: change the default, or the rule"),
	"CRD-304": say("the server sets apiVersion, kind and metadata: remove the default"),
	"CRD-305": say("the default must result in valid metadata: use valid names, labels and " +
		"annotations"),
	"CRD-306": say("an embedded resource in a default needs `apiVersion`, `kind` and valid " +
		"metadata"),
	"CRD-309": say("mend the rule first: a default cannot be checked by a rule that does not " +
		"compile"),
	"CRD-312": say("remove the default of the root: it is never used"),
	"CRD-401": say("the group and the plural name cannot change: create a new definition"),
	"CRD-402": say("scope and kind cannot change once the definition is established: create a " +
		"new definition"),
	"CRD-422": storedVersions,
	"DEF-052": inDefault, "DEF-053": inDefault,
	"DEF-044": say("remove the default of the root: it is never used"),
	"DEF-051": inDefault,
	"DEF-054": say("the default must result in valid metadata: use valid names, labels and " +
		"annotations"),
	"DEF-056":  unknownInDefault,
	"CONV-050": say("set `strategy: None` or `strategy: Webhook`"),
	"CONV-051": say("with `strategy: None` remove the webhook and its review versions"),
	"CONV-052": say("with `strategy: Webhook` add `webhook.clientConfig` with a `service` or a " +
		"`url`, not both"),
	"CONV-053": say("the URL is written as `https://host[:port]/path`, without user, query and " +
		"fragment"),
	"CONV-054": say("a service has `name` and `namespace`, a `port` from 1 to 65535, and a " +
		"`path` that starts with a slash"),
	"CONV-055": say("`caBundle` holds certificates in PEM form (`-----BEGIN " +
		"CERTIFICATE-----`), in base64"),
	"CONV-056": say("set `conversionReviewVersions: [v1]`, each version once"),
}

// ruleHints are about validation rules in definitions.
var ruleHints = map[string]func(*finding) string{
	"CRD-201": say("write an expression, or remove the entry"),
	"CRD-202": say("write the message on one line, or remove it; a rule of several lines needs " +
		"a message"),
	"CRD-203": say("write an expression of type string, or remove `messageExpression`"),
	"CRD-204": reason,
	"CRD-205": schemaPath,
	"CRD-210": compiling, "CRD-211": compiling, "CRD-212": compiling,
	"CRD-213": outside,
	"CRD-214": uncorrelated,
	"CRD-215": oldSelfUnused,
	"CRD-216": say("give the node a type, and lists and maps the types of their items and values"),
	"CRD-231": say("give the node a type, and lists and maps the types of their items and values"),
	"CRD-221": expensive, "CRD-222": expensive, "CRD-224": expensive,
	"COST-020": expensive, "COST-022": expensive,
	"CEL-010": compiling, "CEL-012": compiling, "CEL-014": say("write an expression, or remove " +
		"the entry"),
	"CEL-060": outside,
	"CEL-071": schemaPath, "CEL-083": schemaPath, "CEL-080": schemaPath,
	"CEL-074": compiling,
	"CEL-075": uncorrelated,
	"CEL-076": oldSelfUnused,
}

// valueHints are about values, in objects and in defaults.
var valueHints = map[string]func(*finding) string{
	"VAL-020": wrongType, "VAL-025": wrongType,
	"VAL-021": noFraction,
	"VAL-022": format,
	"VAL-023": notNull,
	"VAL-024": nullInEnum,
	"VAL-040": length, "VAL-041": length,
	"VAL-042": pattern,
	"VAL-043": say("the pattern in the schema is not a valid regular expression: mend the schema"),
	"VAL-050": bounds, "VAL-051": bounds,
	"VAL-052": boundOutOfRange,
	"VAL-053": multiple,
	"VAL-054": outOfRange,
	"VAL-060": enum,
	"VAL-070": items,
	"VAL-071": duplicates,
	"VAL-080": properties,
	"VAL-081": required,
	"VAL-082": forbiddenProperty,
	"VAL-090": allOf, "VAL-091": anyOf, "VAL-092": oneOf, "VAL-093": not,
	"VAL-100": say("the value breaks a schema in `allOf`, `anyOf`, `oneOf` or `not`"),
	"LST-010": repeated, "LST-020": repeated, "LST-024": repeated,
	"LST-022": say("several items lack the key that identifies them: add it"),
	"LST-025": say("the items of a list-map are objects: write each with its key"),
}

// objectHints are about objects as a whole: metadata, rules, scale.
var objectHints = map[string]func(*finding) string{
	"META-001": metadata, "META-009": metadata, "META-021": metadata, "META-032": metadata,
	"META-002": say("the apiVersion of an embedded resource is written as `group/version`, or " +
		"`v1`"),
	"META-003": say("the kind of an embedded resource is written like `ConfigMap`: letters, " +
		"digits and dashes"),
	"META-004": say("write apiVersion and kind of the embedded resource as strings"),
	"META-006": say("the metadata of the embedded resource has a value of a wrong type: labels " +
		"and annotations " +
		"are strings, put numbers and booleans in quotes"),
	"META-020": served,
	"META-022": say("apiVersion and kind are strings, metadata is an object whose labels and " +
		"annotations are " +
		"strings: put numbers and booleans in quotes"),
	"META-024": pattern,
	"CONV-001": say("conversion is `None` or `Webhook`"),
	"CONV-003": say("convert to a version that the definition serves, in the group of the " +
		"definition"),
	"CONV-007": say("select by `metadata.name`, `metadata.namespace` or a selectable field of " +
		"the version"),
	"CONV-022": say("the webhook's `conversionReviewVersions` must contain `v1`"),
	"CONV-026": webhook, "CONV-027": webhook, "CONV-028": webhook, "CONV-029": webhook,
	"CONV-030": webhook,
	"CONV-031": say("a webhook may change labels and annotations only, nothing else in metadata"),
	"PIPE-002": refused("the text is not valid JSON: look at the position that the error names"),
	"PIPE-005": refused("the text is not valid YAML: look at the line that the error names"),
	"PIPE-006": refused("send the object without these fields, or with field validation `Warn`"),
	"PIPE-010": refused("an object has `apiVersion` and `kind`, and JSON values of the types " +
		"that they need"),
	"PIPE-011": refused("send the namespace of the request in `metadata.namespace`, or none"),
	"PIPE-013": refused("write the apiVersion that the request is sent to"),
	"PIPE-016": refused("send name and uid of the stored object"),
	"PIPE-018": served,
	"PIPE-019": refused("mend the patch: its paths must exist in the stored object, and its " +
		"tests must hold"),
	"PIPE-022": say("the stored object cannot be read: mend it in storage, or the definition"),
	"PIPE-031": say("add `subresources: {status: {}}` to the version, or send the status with " +
		"the object"),
	"PIPE-040": replicas,
	"CEL-090":  say("the definition has a rule that does not compile: mend the definition"),
	"CEL-091":  evaluating,
	"CEL-092":  failed,
	"CEL-095":  overBudget, "CEL-097": say("the evaluation was ended before it was done: try " +
		"again"),
	"COST-002": overBudget, "COST-003": overBudget,
}

// webhook is said of answers of conversion webhooks.
func webhook(*finding) string {
	return "mend the webhook: it answers a ConversionReview with the uid of the request, the " +
		"status `Success`, and the objects in the same order, in the version asked for"
}

// refused returns the hint on a refusal before validation, whose text says
// more than its rule. otherwise is the hint if the text is not known.
func refused(otherwise string) func(*finding) string {
	return func(f *finding) string {
		var hint string
		if f.object != nil {
			hint = f.object.Warning(f.err.Detail)
		} else {
			hint = f.definition.Warning(f.err.Detail)
		}
		return cmp.Or(hint, otherwise)
	}
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
		"close its brackets " +
		"and escape literal ones, e.g. `\\(`"
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
		hint = "the rule reads a field that the object lacks: set it; the rule should ask " +
			"first, e.g. `!has(self.a) || …`"
	case strings.Contains(f.err.Detail, "cost limit exceeded"):
		return overBudget(f)
	case hint == "":
		return "the rule cannot be evaluated on this object: the definition should guard " +
			"against such values"
	}
	return hint
}

func overBudget(*finding) string {
	return "the rules cost too much on this object: make its lists, maps and strings smaller, " +
		"or simplify the rules"
}
