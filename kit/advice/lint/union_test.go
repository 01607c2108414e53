package lint_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnion(t *testing.T) {
	const members = `"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "object", "properties": {"x": {"type": "string"}}}`
	const found = ".x-kubernetes-validations[0].rule"
	claimed := func(message string, rules ...string) string {
		s := withRules(members, ``, rules...)
		return strings.Replace(s, `"rule"`, fmt.Sprintf(`"message": %q, "rule"`, message), 1)
	}
	described := func(description, more string) string {
		return fmt.Sprintf(`{"type": "object", "description": %q, "properties": {%s}, %s}`, description, members, more)
	}
	kinds := func(rules ...string) string {
		return withRules(`"type": {"type": "string", "enum": ["A", "B"]}, `+members, `"type"`, rules...)
	}
	const required = `[{"required": ["a"]}, {"required": ["b"]}]`
	checkSurprises(t, "LINT-union", []surprise{
		{"or", claimed("exactly one of a and b must be set", `has(self.a) || has(self.b)`), found},
		{"at most one", claimed("at most one of a, b, c", `!(has(self.a) && has(self.b) && has(self.c))`), found},
		{"mutually exclusive", claimed("a and b are mutually exclusive", `!has(self.a) || has(self.b)`), found},
		{"two of three pairs", claimed("Only one of a, b and c", `!(has(self.a) && has(self.b)) && !(has(self.b) && has(self.c))`), found},
		{"one that excludes the others", claimed("a cannot be used together with b or c", `has(self.a) ? !has(self.b) && !has(self.c) : true`), ""},
		{"not equal", claimed("exactly one of a and b must be set", `has(self.a) != has(self.b)`), ""},
		{"counted", claimed("exactly one of a, b, c", `[has(self.a), has(self.b), has(self.c)].exists_one(x, x)`), ""},
		{"counted as numbers", claimed("exactly one of a, b", `(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1`), ""},
		{"both rules", claimed("exactly one of a and b must be set", `has(self.a) || has(self.b)`, `!(has(self.a) && has(self.b))`), ""},
		{"at least one", claimed("at least one of a and b must be set", `has(self.a) || has(self.b)`), ""},
		{"one of", claimed("one of a or b must be set", `has(self.a) || has(self.b)`), ""},
		{"a junctor", strings.Replace(claimed("exactly one of a and b", `has(self.a) || has(self.b)`), `"required": []`, `"not": {"required": ["a", "b"]}`, 1), ""},
		{"three by !=", withRules(members, ``, `(has(self.a) != has(self.b)) != has(self.c)`), found},
		{"two by !=", withRules(members, ``, `has(self.a) != has(self.b)`), ""},
		{"anyOf", described("Exactly one of a or b must be set.", `"anyOf": `+required), ".anyOf"},
		{"oneOf", described("Exactly one of a or b must be set.", `"oneOf": `+required), ""},
		{"anyOf and not", described("Exactly one of a or b must be set.", `"not": {"required": ["a", "b"]}, "anyOf": `+required), ""},
		{"anyOf of what is no union", described("A and b.", `"anyOf": `+required), ""},
		{"required by a type", kinds(`self.type != 'A' || has(self.a)`, `self.type != 'B' || has(self.b)`), found},
		{"required and forbidden by a type", kinds(`self.type == 'A' ? has(self.a) : !has(self.a)`, `self.type == 'B' ? has(self.b) : !has(self.b)`), ""},
		{"forbidden by a count", kinds(`self.type != 'A' || has(self.a)`, `self.type != 'B' || has(self.b)`, `!(has(self.a) && has(self.b))`), ""},
		{"one type with a field", kinds(`self.type != 'A' || has(self.a)`), ""},
		{"a field of both types", kinds(`self.type != 'A' || has(self.a)`, `self.type != 'B' || (has(self.a) && has(self.b))`), ""},
	})
}

func TestListTypes(t *testing.T) {
	list := func(name, required, properties, more string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%q: {"type": "array", %s "items": {"type": "object", "required": [%s], "properties": {%s}}}}}`,
			name, more, required, properties)
	}
	const text = `{"type": "string"}`
	checkSurprises(t, "LINT-listtype", []surprise{
		{"conditions", list("conditions", `"type", "status"`, `"type": `+text+`, "status": `+text, ""), ".properties[conditions]"},
		{"conditions of optional fields", list("conditions", ``, `"type": `+text+`, "status": `+text, ""), ".properties[conditions]"},
		{"conditions of another meaning", list("conditions", ``, `"type": `+text+`, "operator": `+text, ""), ""},
		{"conditions as a map", list("conditions", `"type"`, `"type": `+text+`, "status": `+text, `"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],`), ""},
		{"reports of controllers", list("ancestors", `"controllerName"`, `"controllerName": `+text+`, "conditions": {"type": "array", "items": `+text+`}`, ""), ".properties[ancestors]"},
		{"owners", list("ownerReferences", `"uid"`, `"uid": `+text+`, "kind": `+text, ""), ".properties[ownerReferences]"},
		{"finalizers", `{"type": "object", "properties": {"finalizers": {"type": "array", "items": {"type": "string"}}}}`, ".properties[finalizers]"},
		{"finalizers as a set", `{"type": "object", "properties": {"finalizers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}}}`, ""},
		{"other strings", `{"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}}}}`, ""},
	})
}
