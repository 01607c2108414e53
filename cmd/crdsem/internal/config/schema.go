package config

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Schema returns the JSON Schema of the file, given those of the flags by the
// key of their command. Keys and descriptions are those of the types that the
// file is read into.
func Schema(flags map[string]map[string]any) map[string]any {
	out := object(reflect.TypeFor[File](), flags)
	out["$schema"] = "http://json-schema.org/draft-07/schema#"
	out["title"] = "Configuration of crdsem (" + Name + ")"
	return out
}

// object returns the schema of a struct.
func object(of reflect.Type, flags map[string]map[string]any) map[string]any {
	properties, required := map[string]any{}, []any{}
	for i := range of.NumField() {
		field := of.Field(i)
		key := field.Tag.Get("yaml")
		if key == "" || key == "-" {
			continue
		}
		var property map[string]any
		switch {
		case field.Type == reflect.TypeFor[yaml.Node]():
			property, _ = flags["lint"][key].(map[string]any)
		case field.Type == reflect.TypeFor[Flags]():
			property = closed(flags[key])
		default:
			property = value(field.Type, flags)
		}
		if doc := field.Tag.Get("doc"); doc != "" {
			property["description"] = doc
		}
		if enum := field.Tag.Get("enum"); enum != "" {
			property["enum"] = strings.Fields(enum)
		}
		if field.Tag.Get("required") != "" {
			required = append(required, key)
		}
		properties[key] = property
	}
	out := closed(properties)
	if len(required) > 0 {
		out["required"], out["minProperties"] = required, len(required)+1
	}
	return out
}

// closed returns the schema of an object that has no other properties.
func closed(properties map[string]any) map[string]any {
	return map[string]any{
		"type": "object", "properties": properties, "additionalProperties": false,
	}
}

// keys returns the names of the properties of a schema, those below included.
func keys(schema map[string]any) (names []string) {
	properties, _ := schema["properties"].(map[string]any)
	for name, below := range properties {
		names = append(names, name)
		if inner, ok := below.(map[string]any); ok {
			names = append(names, keys(inner)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func value(of reflect.Type, flags map[string]map[string]any) map[string]any {
	switch of.Kind() {
	case reflect.Struct:
		return object(of, flags)
	case reflect.Slice:
		return map[string]any{"type": "array", "items": value(of.Elem(), flags)}
	case reflect.Map:
		return map[string]any{
			"type": "object", "additionalProperties": value(of.Elem(), flags),
		}
	}
	return map[string]any{"type": []any{"string", "number", "boolean"}}
}
