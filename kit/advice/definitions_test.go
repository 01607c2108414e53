package advice_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/kit/advice"
)

// Hints on nodes of a schema: the node, the path of the error in it, the rule
// and the type of the error.
// simplify is the advice on a costly rule whose values all have maxima.
const simplify = "simplify the rule, or lower the maxima of the lists, maps and strings that it " +
	"reads; if only a newer Kubernetes refuses it, `crdsem lint` shows how to write it"

func TestNodes(t *testing.T) {
	const (
		outside = "inside `allOf`, `anyOf`, `oneOf` and `not` a schema only restricts values: move "
		cost    = "give the values that rules read a maximum: "
	)
	for _, c := range []struct {
		node string
		err  field.Error
		want string
	}{
		{"type: int64", field.Error{Field: "type", Origin: "CRD-151"}, "did you mean `integer`?"},
		{"type: Bool", field.Error{Field: "type", Origin: "CRD-151"}, "did you mean `boolean`?"},
		{"type: strin", field.Error{Field: "type", Origin: "CRD-151"}, "did you mean `string`?"},
		{"type: 'null'", field.Error{Field: "type", Origin: "CRD-151"}, "use `nullable: true` next to another type"},
		{"type: any", field.Error{Field: "type", Origin: "CRD-151"},
			"use one of `array`, `boolean`, `integer`, `number`, `object`, `string`"},
		{"minItems: 1", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: array`"},
		{"pattern: a", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: string`"},
		{"multipleOf: 1", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: integer`"},
		{"properties: {}", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: object`"},
		{"title: a", field.Error{Field: "type", Origin: "STR-046"},
			"the schema has no type; add `type: object`, or the type that its values have"},
		{"properties: {a: {maxLength: 3}}", field.Error{Field: "properties[a].type", Origin: "STR-046"},
			"the schema has no type; add `type: string`"},
		{"items: {maximum: 3}", field.Error{Field: "items.type", Origin: "STR-047"},
			"the schema has no type; add `type: integer`"},
		{"{maxItems: 1, pattern: a}", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: string`"},
		{"{}", field.Error{Field: "type", Origin: "STR-046"}, "the schema has no type; add `type: object`, or the type that its values have"},
		{"anyOf: [{type: a}]", field.Error{Field: "anyOf[0].type", Origin: "STR-070"},
			outside + "`type` to the same field outside of them"},
		{"allOf: [{properties: {a: {}}}]", field.Error{Field: "properties[a]", Origin: "STR-090"},
			"`allOf`, `anyOf`, `oneOf` or `not` restrict `a`: declare it with its type outside of them too"},
		{"$ref: a", field.Error{Field: "$ref", Origin: "STR-011"},
			"definitions cannot refer to other schemas: write the schema out here, with its type"},
		{"dependencies: {}", field.Error{Field: "dependencies", Origin: "STR-011"},
			"use a rule, e.g. `!has(self.a) || has(self.b)`"},
		{"definitions: {}", field.Error{Field: "definitions", Origin: "STR-011"},
			"write the schemas out where they are used"},
		{"id: a", field.Error{Field: "id", Origin: "STR-011"}, "remove `id`"},
		{"patternProperties: {}", field.Error{Field: "patternProperties", Origin: "STR-011"},
			"use `additionalProperties`, whose keys are arbitrary; a rule can check keys, e.g. `self.all(k, k.matches('^x-'))`"},
		{"{properties: {b: {}, a: {}}, additionalProperties: {}}",
			field.Error{Field: "additionalProperties", Origin: "CRD-155"},
			"an object has named fields (`properties`: `a`, `b`) or is a map (`additionalProperties`): remove one of them"},
		{"properties: {title: {properties: {b: {}}, additionalProperties: {}}}",
			field.Error{Field: "properties[title].additionalProperties", Origin: "CRD-155"},
			"an object has named fields (`properties`: `b`) or is a map (`additionalProperties`): remove one of them"},
		{"{properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}}, additionalProperties: {}}",
			field.Error{Field: "additionalProperties", Origin: "CRD-155"},
			"an object has named fields (`properties`: `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`) or is a map (`additionalProperties`): remove one of them"},
		{"{properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}, additionalProperties: {}}",
			field.Error{Field: "additionalProperties", Origin: "CRD-155"},
			"an object has named fields (`properties`) or is a map (`additionalProperties`): remove one of them"},
		{"{}", field.Error{Origin: "CRD-155"},
			"an object has named fields (`properties`) or is a map (`additionalProperties`): remove one of them"},
		{"{properties: {}, additionalProperties: {}}",
			field.Error{Field: "additionalProperties", Origin: "CRD-155"},
			"an object has named fields (`properties`) or is a map (`additionalProperties`): remove one of them"},
		{"x-kubernetes-list-type: sett", field.Error{Field: "x-kubernetes-list-type",
			Origin: "CRD-157", Type: field.ErrorTypeNotSupported}, "did you mean `set`?"},
		{"x-kubernetes-list-type: granular", field.Error{Field: "x-kubernetes-list-type",
			Origin: "CRD-157", Type: field.ErrorTypeNotSupported}, "use one of `atomic`, `set`, `map`"},
		{"x-kubernetes-map-type: granula", field.Error{Field: "x-kubernetes-map-type",
			Origin: "CRD-158", Type: field.ErrorTypeNotSupported}, "did you mean `granular`?"},
		{"x-kubernetes-map-type: atomic", field.Error{Field: "type", Origin: "CRD-158",
			Detail: "must be object if x-kubernetes-map-type is set"},
			"`x-kubernetes-map-type` is for objects: set `type: object` or remove it"},
		{"x-kubernetes-list-type: set", field.Error{Field: "type", Origin: "CRD-157"},
			"`x-kubernetes-list-type` is for lists: set `type: array` or remove it"},
		{"{x-kubernetes-list-map-keys: [nam], items: {properties: {name: {}}}}",
			field.Error{Field: "x-kubernetes-list-map-keys", Origin: "CRD-161"},
			"the items have no `nam`: did you mean `name`?"},
		{"{x-kubernetes-list-map-keys: [name, other], items: {properties: {name: {}}}}",
			field.Error{Field: "x-kubernetes-list-map-keys", Origin: "CRD-161"},
			"the items have no `other`: declare it in their `properties`"},
		{"{x-kubernetes-list-map-keys: [name, name], items: {properties: {name: {}}}}",
			field.Error{Field: "x-kubernetes-list-map-keys", Origin: "CRD-161"}, "name each key once"},
		{"{x-kubernetes-list-map-keys: [], items: {required: [id, b]}}",
			field.Error{Field: "x-kubernetes-list-map-keys", Origin: "CRD-161"},
			"add `x-kubernetes-list-map-keys` with the fields that identify an item, e.g. `x-kubernetes-list-map-keys: [id]`"},
		{"{x-kubernetes-list-map-keys: []}",
			field.Error{Field: "x-kubernetes-list-map-keys", Origin: "CRD-161"},
			"add `x-kubernetes-list-map-keys` with the fields that identify an item"},
		{"{x-kubernetes-list-map-keys: [a], items: {type: string}}",
			field.Error{Field: "items.type", Origin: "CRD-161"},
			"the items of a list-map are objects, and its keys are strings, integers, numbers or booleans of them; otherwise use `x-kubernetes-list-type: atomic`"},
		{"{}", field.Error{Field: "items.nullable", Origin: "CRD-162", Type: field.ErrorTypeForbidden},
			"remove `nullable: true`: the items of a set or list-map cannot be null"},
		{"{}", field.Error{Field: "a.items.properties[n].nullable", Origin: "CRD-162",
			Type: field.ErrorTypeForbidden}, "remove `nullable: true` from the list-map key `n`"},
		{"{}", field.Error{Field: "a.items.properties[b].items.properties[n].default", Origin: "CRD-162"},
			"list-map keys must be required or have a default: add `n` to `required` of the items"},
		{"{}", field.Error{Field: "a.items.properties[x]y].default", Origin: "CRD-162"},
			"list-map keys must be required or have a default: add `x]y` to `required` of the items"},
		{"{}", field.Error{Field: "a.items.properties[n", Origin: "CRD-162"},
			"list-map keys must be required or have a default: add `` to `required` of the items"},
		{"type: string", field.Error{Field: "type", Origin: "CRD-141"}, "set `type: object`"},
		{"enum: []", field.Error{Field: "enum", Origin: "CRD-141"},
			"with the status subresource the root takes neither junctors, nor `additionalProperties`, `enum`, `default` or other extensions: move them below `spec`, or write a rule"},
		{"reason: FieldValueInvald", field.Error{Field: "reason", Origin: "CRD-204"}, "did you mean `FieldValueInvalid`?"},
		{"reason: Required", field.Error{Field: "reason", Origin: "CRD-204"}, "did you mean `FieldValueRequired`?"},
		{"reason: FieldValueOther", field.Error{Field: "reason", Origin: "CRD-204"},
			"use one of `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid`, `FieldValueRequired`"},
		{"fieldPath: spec.a", field.Error{Field: "fieldPath", Origin: "CRD-205"}, "a path starts with a dot: `.spec.a`"},
		{"fieldPath: '.spec[0]'", field.Error{Field: "fieldPath", Origin: "CRD-205", Detail: "array notation"},
			"a path here has no brackets: items of lists cannot be addressed"},
		{"fieldPath: ''", field.Error{Field: "fieldPath", Origin: "CRD-205", Detail: "array notation"},
			"a fieldPath names fields that the schema of its rule declares, e.g. `.replicas` for a rule at `spec`"},
		{"fieldPath: '.a'", field.Error{Field: "fieldPath", Origin: "CRD-205", Detail: "array notation"},
			"a fieldPath names fields that the schema of its rule declares, e.g. `.replicas` for a rule at `spec`"},
		{"reason: 5", field.Error{Field: "reason", Origin: "CRD-204"},
			"use one of `FieldValueDuplicate`, `FieldValueForbidden`, `FieldValueInvalid`, `FieldValueRequired`"},
		{"fieldPath: '[0]'", field.Error{Field: "fieldPath", Origin: "CRD-205"},
			"a fieldPath names fields that the schema of its rule declares, e.g. `.replicas` for a rule at `spec`"},
		{"{type: array, items: {type: object, x-kubernetes-validations: [{rule: a}]}}",
			field.Error{Field: "x", Origin: "CRD-214", Detail: "rule within items"},
			"the server cannot say which old value belongs to a new one here; put the rule at the node that the error names, or above it"},
		{"properties: {l: {type: array, items: {type: object}}}",
			field.Error{Field: "x", Origin: "CRD-214", Detail: "rule within properties[l]"},
			"the items of `l` have no identity, so an item has no old value: put the rule at the list itself, or make it a list-map with `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys`"},
		{"properties: {l: {type: array, items: {type: string}}}",
			field.Error{Field: "x", Origin: "CRD-214", Detail: "rule within properties[l]"},
			"the items of `l` have no identity, so an item has no old value: put the rule at the list itself"},
		{"properties: {l: {type: object, items: {type: string}}}",
			field.Error{Field: "x", Origin: "CRD-214", Detail: "rule within properties[l]"},
			"the server cannot say which old value belongs to a new one here; put the rule at the node that the error names, or above it"},
		{"{}", field.Error{Field: "x", Origin: "CRD-214", Detail: "rule"},
			"the server cannot say which old value belongs to a new one here; put the rule at the node that the error names, or above it"},
		{"properties: {l: {type: string}}", field.Error{Field: "properties[l]", Origin: "CRD-224"},
			cost + "`maxLength` at `self`; `crdsem cost` says which maximum would do"},
		{"properties: {m: {type: object, additionalProperties: {type: string, maxLength: 1, x-kubernetes-validations: [{rule: a}]}}}",
			field.Error{Field: "properties[m].additionalProperties.x-kubernetes-validations[0].rule", Origin: "CRD-222"},
			cost + "`maxProperties` at `m`; `crdsem cost` says which maximum would do"},
		{"properties: {m: {type: array, items: {type: array, maxItems: 3, items: {type: integer, x-kubernetes-validations: [{rule: a}]}}}}",
			field.Error{Field: "properties[m].items.items.x-kubernetes-validations[0].rule", Origin: "CRD-222"},
			cost + "`maxItems` at `m`; `crdsem cost` says which maximum would do"},
		{"{type: object, additionalProperties: {type: boolean}, maxProperties: 4, x-kubernetes-validations: [{rule: a}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-221"},
			simplify},
		{"{}", field.Error{Field: "", Origin: "CRD-221"},
			simplify},
		{"rule: 'string(self.a) + \"a\"'", field.Error{Field: "rule", Origin: "CRD-222"},
			simplify},
		{"messageExpression: self.a", field.Error{Field: "messageExpression", Origin: "CRD-222"},
			simplify},
		{"optionalOldSelf: true", field.Error{Field: "optionalOldSelf", Origin: "CRD-215"},
			"remove `optionalOldSelf`, or use `oldSelf` in the rule"},
		{"{type: array, maxItems: 3, items: {type: string}, x-kubernetes-validations: [{rule: a}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-221"},
			cost + "`maxLength` at `items`; `crdsem cost` says which maximum would do"},
		{"{type: string, format: date, x-kubernetes-validations: [{rule: a}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-221"},
			simplify},
		{"{type: string, enum: [a], x-kubernetes-validations: [{rule: a}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-221"},
			simplify},
		{"{type: object, additionalProperties: {type: string}, x-kubernetes-validations: [{rule: a}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-221"},
			cost + "`maxProperties` at `self`, `maxLength` at `additionalProperties`; `crdsem cost` says which maximum would do"},
		{"properties: {l: {type: array, items: {type: string, x-kubernetes-validations: [{rule: a}]}}}",
			field.Error{Field: "properties[l].items.x-kubernetes-validations[0].rule", Origin: "CRD-222"},
			cost + "`maxItems` at `l`, `maxLength` at `self`; `crdsem cost` says which maximum would do"},
		{"{properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}, x-kubernetes-validations: [{rule: self == self}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-222"},
			cost + "`maxLength` at `properties[a]`, `maxLength` at `properties[b]`, `maxLength` at `properties[c]`, `maxLength` at `properties[d]`; `crdsem cost` says which maximum would do"},
		{"{properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}, e: {type: string}}, x-kubernetes-validations: [{rule: self == self}]}",
			field.Error{Field: "x-kubernetes-validations[0].rule", Origin: "CRD-222"},
			cost + "`maxLength` at `properties[a]`, `maxLength` at `properties[b]`, `maxLength` at `properties[c]`, `maxLength` at `properties[d]` and others; `crdsem cost` says which maximum would do"},
		{"messageExpression: '\"a \" + string(self.b)'", field.Error{Field: "messageExpression", Origin: "CRD-222"},
			"`string()` counts as a string of any length: write `\"a %s\".format([self.b])`"},
	} {
		d := &advice.Definition{Document: decoded(t, c.node)}
		if got := d.Hint(t.Context(), &c.err); got != c.want {
			t.Errorf("%s (%s %s):\n%q, want\n%q", c.node, c.err.Origin, c.err.Field, got, c.want)
		}
	}
}

// A default whose node has a rule that does not compile: the rule is named.
func TestDefaultWithoutRule(t *testing.T) {
	for rule, want := range map[string]string{
		"self = 1":  "correct the rule `self = 1`, which does not compile",
		"self == 1": "the definition has a rule that does not compile: fix the definition",
	} {
		d := &advice.Definition{Document: map[string]any{
			"default": int64(1), "x-kubernetes-validations": []any{map[string]any{"rule": rule}},
		}}
		err := &field.Error{Field: "default", Origin: "CEL-090"}
		if got := d.Hint(t.Context(), err); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}

// Hints on expressions that do not compile.
func TestExpressions(t *testing.T) {
	const start = "CEL is written as in `self.a == 'x' && self.b.all(e, e > 0)`; fix the " +
		"expression at the position that the error names"
	for _, c := range []struct{ rule, detail, want string }{
		{"((a)", "Syntax error: x", "the expression has 2 `(` and 1 `)`"},
		{"a]", "Syntax error: x", "the expression has 0 `[` and 1 `]`"},
		{"a % 2 = 1", "Syntax error: x", "CEL compares with `==`, and has no `=`"},
		{"a >= 1 b", "Syntax error: x", start}, {"{}", "Syntax error: x", start}, {"[a", "Syntax error: x", "the expression has 1 `[` and 0 `]`"},
		{"{a}}", "Syntax error: x", "the expression has 1 `{` and 2 `}`"},
		{"a", "must evaluate to a bool",
			"a rule is a condition: compare the value with something, e.g. `self.a > 0` or `has(self.a)`"},
		{"a", "must evaluate to a string",
			"a messageExpression is a string: join parts with `+`, and convert values with `string()`"},
		{"a", "other", "fix the expression at the position that the error names"},
		{"a", "found no matching overload for '_>_' applied to '(string, int)'",
			"`>` does not take operands of the types (string, int): compare values of one type, or convert one with `int()`, `double()` or `string()`"},
		{"a", "found no matching overload for 'matches' applied to '(int)'",
			"`matches` does not take operands of the types (int): compare values of one type, or convert one with `int()`, `double()` or `string()`"},
		{"a", "undefined field 'spce'", "did you mean `spec`?"},
		{"a", "undefined field 'inner'", "did you mean `innerA`?"},
		{"a", "undefined field 'nothing'", "`self` has the fields `spec`, `status`"},
	} {
		d := &advice.Definition{Document: map[string]any{
			"properties": map[string]any{
				"status": map[string]any{},
				"spec": map[string]any{"items": map[string]any{
					"properties": map[string]any{"innerA": map[string]any{}},
				}},
			},
			"x-kubernetes-validations": []any{map[string]any{"rule": c.rule}},
		}}
		err := &field.Error{
			Field: "x-kubernetes-validations[0].rule", Origin: "CRD-210", Detail: c.detail,
		}
		if got := d.Hint(t.Context(), err); got != c.want {
			t.Errorf("%s: %q, want %q", c.detail, got, c.want)
		}
	}
	const declared = "a rule can use the fields only that the schema declares in `properties`"
	for document, want := range map[string]string{
		"{}": declared, "{properties: {}, rule: a}": declared,
		"{properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}}, x-kubernetes-validations: [{rule: a}]}":        "`self` has the fields `a`, `b`, `c`, `d`, `e`, `f`, `g`, `h`",
		"{properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}, x-kubernetes-validations: [{rule: a}]}": declared,
	} {
		d := &advice.Definition{Document: decoded(t, document)}
		for detail, want := range map[string]string{
			"undefined field 'nothing'": want, "Syntax error": start,
		} {
			err := &field.Error{Origin: "CRD-210", Detail: detail}
			err.Field = "x-kubernetes-validations[0].rule"
			if got := d.Hint(t.Context(), err); got != want {
				t.Errorf("%s in %s: %s, want %s", detail, document, got, want)
			}
		}
	}
}

// Hints on the definition around its schemas.
func TestDefinitions(t *testing.T) {
	const stored = "objects may still be stored in this version: keep it in `spec.versions` with " +
		"`served: false` until they are migrated and it is removed from `status.storedVersions`"
	document := "spec: {group: example.com, names: {plural: tabs}, versions: [" +
		"{name: v1, storage: true}, {name: v2, storage: true}, {name: v1}]}"
	for _, c := range []struct {
		document string
		err      field.Error
		want     string
	}{
		{document, field.Error{Field: "metadata.namespace", Origin: "CRD-020", Type: field.ErrorTypeForbidden},
			"definitions are cluster-scoped: remove the field"},
		{document, field.Error{Field: "metadata.name", Origin: "CRD-020"},
			"name the definition `tabs.example.com`, or fix `spec.names.plural` or `spec.group`"},
		{"spec: {group: example.com}", field.Error{Field: "metadata.name", Origin: "CRD-020"},
			"the name is `spec.names.plural`, a dot and `spec.group`"},
		{"spec: {names: {plural: tabs}}", field.Error{Field: "metadata.name", Origin: "CRD-020"},
			"the name is `spec.names.plural`, a dot and `spec.group`"},
		{document, field.Error{Origin: "CRD-041"}, "two versions have the name `v1`; rename one"},
		{"{}", field.Error{Origin: "CRD-041"}, "give each version its own name"},
		{"spec: {versions: [{name: v1}, {name: v1}]}", field.Error{Origin: "CRD-041"}, "two versions have the name `v1`; rename one"},
		{"spec: {versions: [{name: v2}, {name: v1}, {}, {name: 5}]}", field.Error{Origin: "CRD-041"}, "give each version its own name"},
		{document, field.Error{Origin: "CRD-042"},
			"`v1`, `v2` have `storage: true`; keep it at one of them and set `storage: false` at the others"},
		{"{}", field.Error{Origin: "CRD-042"}, "set `storage: true` at one version"},
		{document, field.Error{Field: "status.storedVersions[0]", Origin: "CRD-110"}, stored},
		{document, field.Error{Field: "status.storedVersions", Origin: "CRD-110"},
			"the server takes one storage version of several; this error goes with the error of `spec.versions`"},
		{"spec: {versions: [{name: v1, storage: true}]}",
			field.Error{Field: "status.storedVersions", Origin: "CRD-110"},
			"the storage version must be among `status.storedVersions`; on a create leave the status out"},
		{"apiVersion: apiextensions.k8s.io/v1beta1", field.Error{Origin: "CRD-045"},
			"the definition is written for v1 but says v1beta1, which no server serves since 1.22: write `apiVersion: apiextensions.k8s.io/v1`"},
		{"{}", field.Error{Origin: "CRD-045"},
			"v1beta1 only: use the field at the top or in the versions, not both; v1 has it in the versions only"},
		{"apiVersion: apiextensions.k8s.io/v1beta1", field.Error{Origin: "CRD-036"},
			"the definition is written for v1 but says v1beta1, which no server serves since 1.22: write `apiVersion: apiextensions.k8s.io/v1`"},
		{"{}", field.Error{Field: "spec.names.kind", Origin: "CRD-051", Detail: "kind and listKind may not be the same"},
			"leave `listKind` out, or append `List` to the kind"},
		{"{}", field.Error{Field: "spec.names.plural", Origin: "CRD-051"},
			"names are lower-case letters, digits and dashes, and start with a letter"},
		{"{}", field.Error{Field: "a.b", Origin: "PIPE-040"},
			"the scale subresource reads this field: it must be an integer from 0 to 2147483647, the selector a string"},
		{"{}", field.Error{Origin: "CRD-036"},
			"set `preserveUnknownFields: false`; to keep unknown fields somewhere, use `x-kubernetes-preserve-unknown-fields: true` in the schema there"},
		{"{}", field.Error{Field: "spec.names.kind", Origin: "CRD-051"},
			"a kind is written like `CronTab`: letters, digits and dashes"},
		{"{}", field.Error{Field: "spec.names.listKind", Origin: "CRD-051", Detail: "kind and listKind may not be the same"},
			"leave `listKind` out, or append `List` to the kind"},
		{"{}", field.Error{Field: "spec.names.plural", Origin: "CRD-051", BadValue: "Tabs_a"}, "did you mean `tabs-a`?"},
		{"{}", field.Error{Field: "spec.names.plural", Origin: "CRD-051", BadValue: "1tabs"},
			"names are lower-case letters, digits and dashes, and start with a letter"},
		{"specReplicasPath: a", field.Error{Field: "specReplicasPath", Origin: "CRD-060"},
			"write a path below `.spec`, e.g. `.spec.replicas`"},
		{"statusReplicasPath: a", field.Error{Field: "statusReplicasPath", Origin: "CRD-060"},
			"write a path below `.status`, e.g. `.status.replicas`"},
		{"labelSelectorPath: a", field.Error{Field: "labelSelectorPath", Origin: "CRD-060"},
			"write a path below `.spec` or `.status`, e.g. `.status.selector`"},
	} {
		d := &advice.Definition{Document: decoded(t, c.document)}
		if got := d.Hint(t.Context(), &c.err); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.err.Origin, c.err.Field, got, c.want)
		}
	}
}

// Hints on defaults: those of the keyword that a default breaks.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		node string
		err  field.Error
		want string
	}{
		{"{type: integer, default: a}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"the default \"a\" is of type string, the schema wants integer"},
		{"{type: string, format: ipv4, default: a}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"format `ipv4` looks like `10.0.0.1`"},
		{"{type: string, format: ipv4, default: 5}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"the default 5 is of type integer, the schema wants string; write it in quotes"},
		{"{type: string, enum: [a], default: b}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeNotSupported},
			"a default must be one of the values in `enum`"},
		{"{type: object, properties: {b: {type: string}}, default: {}}",
			field.Error{Field: "default.b", Origin: "CRD-300", Type: field.ErrorTypeRequired},
			"add `b` (string) to the default, or remove it from `required`"},
		{"{type: string, maxLength: 1, default: abc}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTooLong},
			"the string has 3 characters, `maxLength` is 1: remove 2 or more"},
		{"{type: array, x-kubernetes-list-type: set, items: {type: string}, default: [a, a]}",
			field.Error{Field: "default[1]", Origin: "CRD-300", Type: field.ErrorTypeDuplicate},
			"each item of a set may occur once: remove this one"},
		{"{type: integer, minimum: 5, default: 3}", field.Error{Field: "default", Origin: "CRD-300"},
			"a default must be valid: `minimum` is 5, the default 3"},
		{"{type: string, minLength: 5, default: abc}", field.Error{Field: "default", Origin: "CRD-300"},
			"the string has 3 characters, `minLength` is 5: add 2 or more"},
		{"{type: string, maxLength: 2, default: abc}", field.Error{Field: "default", Origin: "CRD-300"},
			"the string has 3 characters, `maxLength` is 2: remove 1 or more"},
		{"{type: 5, default: abc}", field.Error{Field: "default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"give a value of the type that the schema wants"},
		{"{title: a, default: abc}", field.Error{Field: "title", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"give a value of the type that the schema wants"},
		{"{type: integer, minimum: 5, exclusiveMinimum: true, default: 5}", field.Error{Field: "default", Origin: "CRD-300"},
			"`minimum` is 5, the default 5; the bound is exclusive, the value must be greater than 5"},
		{"{type: object, properties: {default: {type: string}}, default: {default: 5}}",
			field.Error{Field: "default.default", Origin: "CRD-300", Type: field.ErrorTypeTypeInvalid},
			"the default 5 is of type integer, the schema wants string; write it in quotes"},
		{"{type: string, default: abc}", field.Error{Field: "default", Origin: "CRD-300"},
			"a default must be valid: change it, or the schema next to it"},
		{"{type: object, properties: {size: {type: string}}, default: {sise: 1}}",
			field.Error{Field: "default", Origin: "CRD-302"}, "the default has `sise`: did you mean `size`?"},
		{"{type: object, properties: {size: {type: string}}, default: {size: a, other: 1}}",
			field.Error{Field: "default", Origin: "CRD-302"},
			"remove `other` from the default, or declare it in `properties`"},
		{"{type: object, properties: {size: {type: string}}, default: {size: a}}",
			field.Error{Field: "default", Origin: "CRD-302"},
			"a default has only fields that the schema declares: declare them in `properties` or remove them"},
		{"{properties: {default: {type: integer, minimum: 5, default: 3}}}",
			field.Error{Field: "properties[default].default", Origin: "CRD-300"},
			"a default must be valid: `minimum` is 5, the default 3"},
	} {
		d := &advice.Definition{Document: decoded(t, c.node)}
		if got := d.Hint(t.Context(), &c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.node, got, c.want)
		}
	}
}

// A field of v1beta1 is found in a document of it, though the error has the
// path of v1.
func TestFieldsOfBeta(t *testing.T) {
	d := &advice.Definition{Document: decoded(t,
		"spec: {validation: {openAPIV3Schema: {properties: {a: {type: int}}}}, "+
			"versions: [{name: v1}]}")}
	for _, at := range []string{
		"spec.validation.openAPIV3Schema.properties[a].type", "spec.versions[9].a",
	} {
		want := "did you mean `integer`?"
		if at == "spec.versions[9].a" {
			want = "use one of `array`, `boolean`, `integer`, `number`, `object`, `string`"
		}
		err := &field.Error{Field: at, Origin: "CRD-151"}
		if got := d.Hint(t.Context(), err); got != want {
			t.Errorf("%s: %q", at, got)
		}
	}
}
