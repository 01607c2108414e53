package live

import (
	"fmt"
	"strings"
)

// literal is a scalar as it stands in a text, e.g. 1e2, which is no number of
// Go before a decoder has read it.
type literal string

// scalars are tried where a schema wants something else, or nothing.
var scalars = []literal{
	"0", "1", "2", "-1", "10", "2147483648", "99999999999", "9223372036854775807",
	"9223372036854775808", "18446744073709551616", "1.0", "1.5", "1e2", "1e0", "-0.0", "-0",
	"1e400", "1e-400", "0.1e1", "null", "true", "false", `""`, `"a"`, `"bad"`, `"red"`, `"é"`,
	`"\ud800"`, `"1"`, `"2026-01-02"`, `"2026-01-02T03:04:05Z"`, `"10.0.0.1"`, `"aGVsbG8="`,
	`"aaaaaaaaaaaaaaaaaaaaaaaaa"`, `"\u0000"`, `"<&>"`, `"50%"`,
}

// words of a text in YAML that are no JSON.
var yamlScalars = []literal{
	"010", "0x1F", "1_000", "yes", "off", "~", ".inf", "-.Inf", ".nan", "2026-01-02", "1:30",
	"'it''s'", "!!str 1", "!!binary aGk=", "plain text", "&x 1", "*x", "<<", "@",
}

// object draws an object of a version.
func (d drawer) object(r *resource, v version, name string) map[string]any {
	object := map[string]any{
		"apiVersion": r.group + "/" + v.name, "kind": r.kind,
		"metadata": d.metadata(name),
	}
	for _, part := range []string{"spec", "status"} {
		if schema := child(child(v.schema, "properties"), part); !d.one(4) {
			object[part] = d.value(schema, 0)
		}
	}
	switch d.IntN(30) {
	case 0:
		object["apiVersion"] = pick(d, r.group+"/v9", "v1", "a/b/c", "")
	case 1:
		object["kind"] = pick(d, "Other", "")
	case 2:
		object["other"] = literal("1")
	case 3:
		delete(object, pick(d, "apiVersion", "kind", "metadata"))
	case 4:
		object[pick(d, "spec", "metadata", "kind", "apiVersion")] = d.wild()
	}
	return object
}

// metadata draws metadata, sometimes bad one.
func (d drawer) metadata(name string) map[string]any {
	m := map[string]any{"name": name}
	if d.one(2) {
		m["labels"] = map[string]any{"app": pick(d, "one", "two")}
	}
	if d.one(6) {
		m["annotations"] = map[string]any{"note": "x"}
	}
	if d.one(8) {
		m["finalizers"] = []any{"example.com/one"}
	}
	switch d.IntN(30) {
	case 0:
		m["labels"] = map[string]any{"a b": "c", "app": literal("1")}
	case 1:
		m["annotations"] = d.wild()
	case 2:
		m["finalizers"] = []any{"bad finalizer", "short"}
	case 3:
		m["ownerReferences"] = []any{map[string]any{
			"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": pick(d, "u", ""),
		}}
	case 4:
		m["namespace"] = pick(d, namespace, "other")
	case 5:
		m["generateName"] = "made-"
	case 6:
		m["creationTimestamp"] = pick[any](d, nil, "2026-01-02T03:04:05Z", "yesterday")
	case 7:
		m["generation"] = pick[any](d, literal("5"), literal("-1"), literal("1.0"), "x")
	case 8:
		m["labels"] = map[string]any{"a b": "c"}
	case 9:
		m["unknown"] = d.wild()
	}
	return m
}

// lying gives an object the lie that the webhook tells about it.
func (d drawer) lying(object map[string]any) {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok || !d.one(5) {
		return
	}
	metadata["annotations"] = map[string]any{lieKey: fmt.Sprint(1 + d.IntN(len(lies)))}
}

// wild draws a value of any form.
func (d drawer) wild() any {
	switch d.IntN(12) {
	case 0:
		return []any{}
	case 1:
		return []any{pick(d, scalars...), pick(d, scalars...)}
	case 2:
		return map[string]any{}
	case 3:
		return map[string]any{"a": pick(d, scalars...), "x": map[string]any{"y": nil}}
	}
	return pick(d, scalars...)
}

// value draws a value, mostly one that fits the schema.
func (d drawer) value(schema map[string]any, depth int) any {
	if d.one(14) {
		return d.wild()
	}
	if enum, _ := schema["enum"].([]any); len(enum) > 0 && !d.one(8) {
		return enum[d.IntN(len(enum))]
	}
	switch text(schema, "type") {
	case "object":
		return d.fields(schema, depth)
	case "array":
		list := make([]any, d.IntN(4))
		for i := range list {
			list[i] = d.value(child(schema, "items"), depth+1)
		}
		return list
	case "string":
		return pick[any](d, "a", "b", "red", "bad", "abc", literal(`"2026-01-02"`),
			literal(`"10.0.0.1"`), literal(`"é"`))
	case "integer":
		return pick[any](d, literal("0"), literal("1"), literal("2"), literal("3"), literal("8"),
			literal("1.0"), literal("2e0"))
	case "number":
		return pick[any](d, literal("1"), literal("2.5"), literal("1e2"), literal("2.0"))
	case "boolean":
		return d.one(2)
	}
	return d.wild()
}

// fields draws the fields of an object.
func (d drawer) fields(schema map[string]any, depth int) map[string]any {
	out := map[string]any{}
	if schema["x-kubernetes-embedded-resource"] == true && !d.one(4) {
		out["apiVersion"], out["kind"] = "v1", "Pod"
		out["metadata"] = map[string]any{"name": pick(d, "p", "Bad Name")}
	}
	properties := child(schema, "properties")
	for _, name := range sortedKeys(properties) {
		if depth < 5 && !d.one(3) {
			out[name] = d.value(child(properties, name), depth+1)
		}
	}
	if more := child(schema, "additionalProperties"); more != nil {
		for range d.IntN(3) {
			out[pick(d, "x", "y", "a.b", "1")] = d.value(more, depth+1)
		}
	}
	if d.one(12) {
		out["unknown"] = d.wild()
	}
	return out
}

// asJSON writes a value in JSON. One time of thirty a key is there twice.
func (d drawer) asJSON(value any) string {
	switch value := value.(type) {
	case literal:
		return string(value)
	case []any:
		parts := make([]string, len(value))
		for i, item := range value {
			parts[i] = d.asJSON(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, key := range sortedKeys(value) {
			parts = append(parts, string(encode(key))+":"+d.asJSON(value[key]))
		}
		if len(parts) > 0 && d.one(30) {
			parts = append(parts, parts[d.IntN(len(parts))])
		}
		d.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "{" + strings.Join(parts, ",") + "}"
	}
	return string(encode(value))
}

// asFlow writes a value in YAML that looks like JSON and is none: without
// quotes, with a comma too many, with words of YAML.
func (d drawer) asFlow(value any) string {
	text := d.asJSON(value)
	switch d.IntN(6) {
	case 0:
		return strings.ReplaceAll(text, "}", ",}")
	case 1:
		return strings.NewReplacer(`"spec":`, "spec: ", `"kind":`, "kind: ",
			`"a":`, "a: ").Replace(text)
	case 2:
		return strings.ReplaceAll(text, ":1", ": "+string(pick(d, yamlScalars...)))
	case 3:
		return "# a comment\n" + text
	case 4:
		return "--- " + text + "\n---\n" + text
	}
	return text
}

// asBlock writes a value in YAML by lines.
func (d drawer) asBlock(value any, indent string) string {
	var out strings.Builder
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 {
			return " {}\n"
		}
		out.WriteString("\n")
		for _, key := range sortedKeys(value) {
			below := d.asBlock(value[key], indent+"  ")
			fmt.Fprintf(&out, "%s%s:%s", indent, string(encode(key)), below)
		}
	case []any:
		if len(value) == 0 {
			return " []\n"
		}
		out.WriteString("\n")
		for _, item := range value {
			fmt.Fprintf(&out, "%s-%s", indent, d.asBlock(item, indent+"  "))
		}
	case literal:
		if d.one(20) {
			value = pick(d, yamlScalars...)
		}
		return " " + string(value) + "\n"
	default:
		return " " + string(encode(value)) + "\n"
	}
	return out.String()
}

// damaged breaks a text at one place.
func (d drawer) damaged(text string) string {
	if text == "" {
		return "{"
	}
	i := d.IntN(len(text))
	switch d.IntN(5) {
	case 0:
		return text[:i]
	case 1:
		more := pick(d, "}", "{", ",", ":", "\"", "\n- ", "\t", "&", "\x01", "é")
		return text[:i] + more + text[i:]
	case 2:
		return text[:i] + text[i+1:]
	case 3:
		return pick(d, "", "null", "[]", "1", `"x"`, "- a", " ", "{}", "[{}]", "---", "true", "1.5")
	}
	depth := pick(d, 100, 600, 9_990, 10_001, 10_010)
	return strings.TrimSuffix(text, "}") + `,"deep":` + strings.Repeat("[", depth) +
		strings.Repeat("]", depth) + "}"
}

// body draws the text of an object and its media type.
func (d drawer) body(object any) (media, body string) {
	switch d.IntN(4) {
	case 0:
		media, body = mediaYAML, strings.TrimPrefix(d.asBlock(object, ""), "\n")
	case 1:
		media, body = mediaYAML, d.asFlow(object)
	default:
		media, body = mediaJSON, d.asJSON(object)
	}
	if d.one(25) {
		body = d.damaged(body)
	}
	if d.one(60) {
		media = pick(d, "", "text/plain", mediaJSON+"; charset=utf-8", "application/vnd.x+json")
	}
	return media, body
}
