package live

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// drawer draws what TestHTTP sends: definitions, objects, texts, requests. It
// knows nothing of the sampler and the mutators of the other tests, nor of the
// generators that the vectors come from.
type drawer struct{ *rand.Rand }

// one reports true one time of n.
func (d drawer) one(n int) bool { return d.IntN(n) == 0 }

// pick returns one of a list.
func pick[T any](d drawer, list ...T) T { return list[d.IntN(len(list))] }

// number is a number in a definition.
func number(n int) json.Number { return json.Number(fmt.Sprint(n)) }

// definition draws a definition: one to three versions with schemas that are
// alike, subresources, columns, selectable fields, and a conversion. Some are
// refused.
func (d drawer) definition(serial int) map[string]any {
	group := fmt.Sprintf("h%d.http.example.com", serial)
	names := []string{"v1", "v1beta1", "v2alpha1"}[:1+d.IntN(3)]
	stored := d.IntN(len(names))
	spec, status := d.objectSchema(0), d.objectSchema(1)
	fields := spec["properties"].(map[string]any)
	fields["replicas"] = map[string]any{"type": "integer"}
	fields["color"] = map[string]any{"type": "string"}
	status["properties"].(map[string]any)["replicas"] = map[string]any{"type": "integer"}
	status["properties"].(map[string]any)["selector"] = map[string]any{"type": "string"}
	var versions []any
	for i, name := range names {
		versions = append(versions, d.version(name, i == stored, spec, status))
	}
	body := map[string]any{
		"group": group, "scope": pick(d, "Namespaced", "Namespaced", "Namespaced", "Cluster"),
		"names": map[string]any{
			"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList",
		},
		"versions": versions,
	}
	if d.one(12) {
		body["preserveUnknownFields"] = false
	}
	if len(names) > 1 && !d.one(3) {
		body["conversion"] = map[string]any{
			"strategy": "Webhook",
			"webhook":  map[string]any{"conversionReviewVersions": []any{"v1"}},
		}
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "things." + group}, "spec": body,
	}
}

// crd draws a definition as the other tests read it.
func (d drawer) crd(serial int) (*resource, error) {
	text := encode(d.definition(serial))
	value, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	object, _ := value.(map[string]any)
	source := fmt.Sprintf("drawn definition %d", serial)
	return newResource(manifest{source: source, text: text, object: object}), nil
}

// version draws a version of a definition.
func (d drawer) version(name string, stored bool, spec, status map[string]any) map[string]any {
	spec = copyValue(spec).(map[string]any)
	if d.one(3) { // the versions differ
		key := pick(d, "a", "b", "c")
		spec["properties"].(map[string]any)[key] = d.schema(1)
	}
	root := map[string]any{"type": "object", "properties": map[string]any{
		"spec": spec, "status": copyValue(status),
	}}
	if d.one(8) {
		root["required"] = []any{"spec"}
	}
	if d.one(8) {
		root["x-kubernetes-validations"] = []any{map[string]any{
			"rule": "!has(self.spec) || !has(self.spec.color) || self.metadata.name != 'four'",
		}}
	}
	v := map[string]any{
		"name": name, "served": stored || !d.one(6), "storage": stored,
		"schema": map[string]any{"openAPIV3Schema": root},
	}
	parts := map[string]any{}
	if !d.one(3) {
		parts["status"] = map[string]any{}
	}
	if d.one(2) {
		scale := map[string]any{
			"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
		}
		if d.one(2) {
			scale["labelSelectorPath"] = ".status.selector"
		}
		parts["scale"] = scale
	}
	if len(parts) > 0 {
		v["subresources"] = parts
	}
	if d.one(3) {
		v["additionalPrinterColumns"] = []any{
			map[string]any{"name": "Color", "type": "string", "jsonPath": ".spec.color"},
			map[string]any{"name": "N", "type": pick(d, "integer", "number", "boolean", "date"),
				"jsonPath": pick(d, ".spec.replicas", ".spec.a", ".spec.list[0]", ".status.b")},
		}
	}
	if d.one(8) {
		v["selectableFields"] = []any{map[string]any{"jsonPath": ".spec.color"}}
	}
	if d.one(8) {
		v["deprecated"] = true
	}
	return v
}

// objectSchema draws a schema of an object with some fields.
func (d drawer) objectSchema(depth int) map[string]any {
	properties := map[string]any{}
	for _, name := range []string{"a", "b", "c", "d", "list", "set", "byKey", "map", "any"} {
		if d.one(2 + depth) {
			properties[name] = d.fieldSchema(name, depth+1)
		}
	}
	out := map[string]any{"type": "object", "properties": properties}
	keys := sortedKeys(properties)
	if len(keys) > 0 && d.one(5) {
		out["required"] = []any{keys[d.IntN(len(keys))]}
	}
	if len(keys) > 0 && d.one(4) {
		out["x-kubernetes-validations"] = d.rulesOfObject(keys[d.IntN(len(keys))])
	}
	if d.one(12) {
		out["x-kubernetes-preserve-unknown-fields"] = true
	}
	if d.one(12) {
		out["maxProperties"] = number(2 + d.IntN(4))
	}
	return out
}

// rulesOfObject draws rules of an object with a field.
func (d drawer) rulesOfObject(field string) []any {
	rule := map[string]any{"rule": pick(d, "has(self."+field+")", "!has(self."+field+")",
		d.transition("has(self."+field+") == has(oldSelf."+field+")"))}
	if d.one(20) {
		rule["rule"] = pick(d, "size(self) < 4", "self."+field+" == 1", "has(self.none)", "true ||")
	}
	switch d.IntN(4) {
	case 0:
		rule["message"] = "no " + field
	case 1:
		rule["messageExpression"] = "'no " + field + "'"
	case 2:
		rule["reason"] = pick(d, "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
		rule["fieldPath"] = "." + field
	}
	return []any{rule}
}

// transition returns a rule about a change one time of five: where the old
// value is not known, the definition is refused.
func (d drawer) transition(rule string) string {
	if d.one(5) {
		return rule
	}
	return "true"
}

// fieldSchema draws a schema for a field of a name.
func (d drawer) fieldSchema(name string, depth int) map[string]any {
	switch name {
	case "list":
		list := map[string]any{"type": "array", "items": d.schema(depth + 1)}
		if !d.one(6) {
			list["maxItems"] = number(4)
		}
		return list
	case "set":
		return map[string]any{
			"type": "array", "x-kubernetes-list-type": "set", "maxItems": number(5),
			"items": d.scalar(pick(d, "string", "integer")),
		}
	case "byKey":
		fields := map[string]any{
			"k": map[string]any{"type": "string"},
			"p": map[string]any{"type": "integer", "default": json.Number("80")},
			"v": d.schema(depth + 1),
		}
		item := map[string]any{"type": "object", "required": []any{"k"}, "properties": fields}
		keys := []any{"k"}
		if d.one(2) {
			keys = append(keys, "p")
		}
		return map[string]any{
			"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys,
			"items": item, "maxItems": number(5),
		}
	case "map":
		return map[string]any{
			"type": "object", "additionalProperties": d.schema(depth + 1), "maxProperties": number(4),
		}
	case "any":
		return pick(d,
			map[string]any{"x-kubernetes-preserve-unknown-fields": true},
			map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
			map[string]any{"x-kubernetes-int-or-string": true},
			map[string]any{"type": "object", "x-kubernetes-embedded-resource": true,
				"x-kubernetes-preserve-unknown-fields": true},
		)
	}
	return d.schema(depth)
}

// schema draws a schema.
func (d drawer) schema(depth int) map[string]any {
	if depth < 3 && d.one(4) {
		return d.objectSchema(depth + 1)
	}
	s := d.scalar(pick(d, "string", "integer", "number", "boolean"))
	if d.one(8) {
		s["nullable"] = true
	}
	return s
}

// scalar draws a schema of a type, with some limits and a default. A default
// may break the limits, so that the definition is refused.
func (d drawer) scalar(kind string) map[string]any {
	s := map[string]any{"type": kind}
	switch kind {
	case "string":
		switch d.IntN(8) {
		case 0:
			s["enum"] = []any{"a", "b", "red"}
		case 1:
			s["maxLength"] = number(d.IntN(6))
		case 2:
			s["pattern"] = pick(d, "^[a-z]+$", "^a", "é")
		case 3:
			s["format"] = pick(d, "date", "date-time", "ipv4", "byte", "uuid", "duration", "nope")
		case 4:
			s["maxLength"] = number(20)
			s["x-kubernetes-validations"] = []any{map[string]any{
				"rule": pick(d, "self != 'bad'", "self.startsWith('a')", d.transition("self == oldSelf")),
			}}
		}
	case "integer", "number":
		switch d.IntN(6) {
		case 0:
			s["minimum"], s["maximum"] = number(0), number(10)
		case 1:
			s["multipleOf"] = number(2)
		case 2:
			s["format"] = pick(d, "int32", "int64", "float", "double")
		case 3:
			s["x-kubernetes-validations"] = []any{map[string]any{
				"rule": pick(d, "self > 0", "self < 100", d.transition("self >= oldSelf")),
			}}
		}
	}
	if d.one(4) && (len(s) == 1 || d.one(20)) {
		s["default"] = pick[any](d, "a", "red", json.Number("1"), json.Number("2.5"), true, nil)
		if !d.one(40) {
			s["default"] = map[string]any{
				"string": "red", "integer": json.Number("2"), "number": json.Number("2.5"),
				"boolean": false,
			}[kind]
		}
	}
	return s
}
