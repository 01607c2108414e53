package definition_test

import (
	"maps"
	"slices"
)

// keywords returns the names of all keywords.
func keywords() []string { return slices.Sorted(maps.Keys(keywordValues())) }

// keywordValues makes a value for each keyword, mostly of the right type.
func keywordValues() map[string]func(g generator, depth int) any {
	return map[string]func(g generator, depth int) any{
		"description": func(g generator, _ int) any { return pick[any](g, "", "d", nil, int64(1)) },
		"title":       func(g generator, _ int) any { return pick[any](g, "", "t") },
		"format": func(g generator, _ int) any {
			return pick[any](g, "", "date-time", "int32", "bogus", "duration", "byte", "k8s-short-name")
		},
		"nullable":         func(g generator, _ int) any { return pick[any](g, true, true, false, nil) },
		"default":          func(g generator, _ int) any { return g.value(2) },
		"example":          func(g generator, _ int) any { return g.value(1) },
		"enum":             func(g generator, _ int) any { return pick[any](g, []any{"a", int64(1)}, []any{}, nil, []any{nil}) },
		"maximum":          func(g generator, _ int) any { return pick[any](g, int64(1), 1.5, nil) },
		"minimum":          func(g generator, _ int) any { return pick[any](g, int64(1), 1.5, int64(-3)) },
		"multipleOf":       func(g generator, _ int) any { return pick[any](g, int64(2), 0.5, int64(0)) },
		"exclusiveMaximum": func(g generator, _ int) any { return pick[any](g, true, false) },
		"exclusiveMinimum": func(g generator, _ int) any { return pick[any](g, true, false, int64(1)) },
		"maxLength":        func(g generator, _ int) any { return pick[any](g, int64(3), int64(0), nil, 2.5) },
		"minLength":        func(g generator, _ int) any { return pick[any](g, int64(3), int64(-1)) },
		"maxItems":         func(g generator, _ int) any { return pick[any](g, int64(3), int64(0), 2.0) },
		"minItems":         func(g generator, _ int) any { return pick[any](g, int64(1)) },
		"maxProperties":    func(g generator, _ int) any { return pick[any](g, int64(1), nil) },
		"minProperties":    func(g generator, _ int) any { return pick[any](g, int64(1)) },
		"pattern":          func(g generator, _ int) any { return pick[any](g, "", "^a$", "(", "[a-z]{2000}", "\\d") },
		"uniqueItems":      func(g generator, _ int) any { return pick[any](g, true, false) },
		"required":         func(g generator, _ int) any { return pick[any](g, []any{}, []any{"a"}, []any{"a", nil}, nil, "a") },
		"properties": func(g generator, depth int) any {
			return pick[any](g, map[string]any{}, map[string]any{pick(g, names...): g.schema(depth - 1)}, nil, map[string]any{"a": nil})
		},
		"items": func(g generator, depth int) any {
			return pick[any](g, g.schema(depth-1), g.schema(depth-1), []any{}, []any{g.schema(depth - 1)}, true, int64(5), nil)
		},
		"additionalProperties": func(g generator, depth int) any { return g.schemaOrBool(depth - 1) },
		"not":                  func(g generator, depth int) any { return g.schema(depth - 1) },
		"anyOf":                func(g generator, depth int) any { return pick[any](g, []any{g.schema(depth - 1)}, []any{}, []any{nil}) },
		"externalDocs":         func(g generator, _ int) any { return pick[any](g, map[string]any{"url": "u"}, map[string]any{}, nil) },
		"id":                   func(g generator, _ int) any { return pick[any](g, "", "i") },
		"$schema":              func(g generator, _ int) any { return pick[any](g, "", "http://x") },
		"$ref":                 func(g generator, _ int) any { return pick[any](g, "", "#/a", nil) },
		"patternProperties": func(g generator, depth int) any {
			return pick[any](g, map[string]any{}, map[string]any{"a": g.schema(depth - 1)})
		},
		"definitions": func(g generator, depth int) any {
			return pick[any](g, map[string]any{}, map[string]any{"a": g.schema(depth - 1)})
		},
		"dependencies": func(g generator, depth int) any {
			return pick[any](g, map[string]any{}, map[string]any{"a": []any{"b"}}, map[string]any{"a": g.schema(depth - 1)}, map[string]any{"a": true})
		},
		"additionalItems": func(g generator, depth int) any { return g.schemaOrBool(depth - 1) },
		"x-kubernetes-preserve-unknown-fields": func(g generator, _ int) any {
			return pick[any](g, true, true, true, false, nil)
		},
		"x-kubernetes-embedded-resource": func(g generator, _ int) any { return pick[any](g, true, false) },
		"x-kubernetes-int-or-string":     func(g generator, _ int) any { return pick[any](g, true, true, false) },
		"x-kubernetes-list-map-keys": func(g generator, _ int) any {
			return pick[any](g, []any{"a"}, []any{"a", "b"}, []any{"a", "a"}, []any{})
		},
		"x-kubernetes-list-type":   func(g generator, _ int) any { return pick[any](g, "map", "set", "atomic", "", "bogus", nil) },
		"x-kubernetes-map-type":    func(g generator, _ int) any { return pick[any](g, "granular", "atomic", "", "bogus") },
		"x-kubernetes-validations": func(g generator, _ int) any { return g.rules() },
		"unknown":                  func(g generator, _ int) any { return g.value(1) },
	}
}

func (g generator) rules() any {
	rule := map[string]any{
		"rule": pick(g, "true", "self == oldSelf", "self.a == self.b", "bogus(", "",
			"true\n&& true", "self.size() < 3", "self > 0", "self.includes('a')"),
	}
	if g.oneIn(3) {
		rule["message"] = pick(g, "", " ", "m", "a\nb")
	}
	if g.oneIn(5) {
		rule["messageExpression"] = pick(g, "", " ", "'m'", "1", "self")
	}
	if g.oneIn(5) {
		rule["fieldPath"] = pick(g, "", " ", ".a", ".a.b", "['a']", ".spec", "a", ".a[0]", "\n")
	}
	if g.oneIn(5) {
		rule["reason"] = pick[any](g, "FieldValueRequired", "", "bogus", "<", nil)
	}
	if g.oneIn(5) {
		rule["optionalOldSelf"] = pick[any](g, true, false, nil)
	}
	return pick[any](g, []any{rule}, []any{rule}, []any{rule, rule}, []any{}, nil, []any{nil})
}
