package generate

import (
	"math"
	"slices"

	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
)

// stringLimits gives a string keywords of its own.
func (g *schemaWriter) stringLimits(n node) {
	switch g.r.IntN(8) {
	case 0:
		n["pattern"] = objectgen.Pick(g.r, objectgen.Patterns...).Name
	case 1, 2:
		n["format"] = objectgen.Pick(g.r, objectgen.Formats...).Name
	case 3:
		enum := []any{
			objectgen.Pick(g.r, "a", "", "é"),
			objectgen.Pick(g.r, "b", "5", "true"),
			objectgen.Pick(g.r, "c", "2020-01-01"),
		}
		n["enum"] = enum[:g.between(1, 3)]
	case 4, 5:
		g.countLimits(n, "minLength", "maxLength")
		if n["maxLength"] == nil && g.chance(0.7) {
			n["maxLength"] = int64(g.between(0, 8))
		}
	}
}

// numberLimits gives a number keywords of its own.
func (g *schemaWriter) numberLimits(n node) {
	integer := n["type"] == "integer"
	limit := func() any {
		i := int64(g.between(-3, 9))
		if g.chance(0.05) {
			i = objectgen.Pick[int64](g.r, math.MaxInt32, math.MinInt32, 1<<53, math.MaxInt64)
		}
		if !integer && g.chance(0.4) {
			return float64(i) + objectgen.Pick(g.r, 0.5, 0.25, 0.1)
		}
		return i
	}
	if g.chance(0.3) {
		n["minimum"] = limit()
		if g.chance(0.25) {
			n["exclusiveMinimum"] = g.chance(0.8)
		}
	}
	if g.chance(0.3) {
		n["maximum"] = limit()
		if g.chance(0.25) {
			n["exclusiveMaximum"] = g.chance(0.8)
		}
	}
	if g.chance(0.12) {
		n["multipleOf"] = objectgen.Pick[any](g.r, int64(1), int64(2), int64(3))
		if !integer {
			n["multipleOf"] = objectgen.Pick[any](g.r, int64(2), 0.5, 0.1, 1e-3)
		}
	}
	if g.chance(0.25) {
		n["format"] = objectgen.Pick(g.r,
			"int32", "int64", "float", "double", "uint32", "int-or-string")
	}
	if g.chance(0.1) {
		n["enum"] = []any{int64(1), int64(2), limit()}[:g.between(1, 3)]
	}
}

// countLimits gives a node limits of a count or a length.
func (g *schemaWriter) countLimits(n node, low, high string) {
	least := g.between(0, 3)
	if g.chance(0.15) {
		n[low] = int64(least)
	}
	if g.chance(0.25) {
		n[high] = int64(least + g.between(0, 5))
	}
}

// intOrString makes a node that takes integers and strings, in each of the
// forms that structural schemas allow.
func (g *schemaWriter) intOrString(n node) {
	n["x-kubernetes-int-or-string"] = true
	either := []any{node{"type": "integer"}, node{"type": "string"}}
	switch g.r.IntN(5) {
	case 0:
		n["anyOf"] = either
	case 1:
		n["allOf"] = []any{node{"anyOf": either}, node{"pattern": "^[0-9]+%?$"}}
	case 2:
		n["pattern"] = `^(\d+|\d+%)$`
	case 3:
		n["maximum"] = int64(g.between(1, 9))
	}
}

// rulePool holds rules by the type of their node. Some do not compile
// everywhere: the errors are compared too.
var rulePool = map[string][]string{
	"": {"true", "false", "self == self", "has(self.a)", "self == oldSelf", "dyn(self) != 1"},
	"string": {
		"self.size() < 5", "self.startsWith('a')", "self != 'b'", "self == oldSelf",
		"self.matches('^[a-z]*$')", "self.lowerAscii() == self",
		"size(self) > 1 && self.contains('x')",
	},
	"integer": {
		"self > 0", "self % 2 == 0", "self == oldSelf", "self >= oldSelf",
		"self < 5 || self > 7", "10 / self > 1",
	},
	"number":  {"self > 0.5", "self == oldSelf", "self < 10.0", "self * 2.0 > 3.0"},
	"boolean": {"self", "!self", "self == oldSelf"},
	"array": {
		"self.size() < 3", "self.all(x, x == x)", "self.exists(x, x != self[0])",
		"self == oldSelf", "self.size() >= oldSelf.size()", "self.isSorted()",
		"self.map(x, x) == self",
	},
	"object": {
		"has(self.a)", "!has(self.b) || has(self.a)", "self.a == self.b", "self == oldSelf",
		"has(self.name) && self.name != ''", "self.a == oldSelf.a", "self.all(k, k != 'a')",
		"size(self) < 3", "!has(self.value) || self.value > 1",
		"has(self.items) && self.items.size() > 0", "has(self.spec) && has(self.spec.a)",
	},
}

// addRules gives a node rules.
func (g *schemaWriter) addRules(n node) {
	typ, _ := n["type"].(string)
	pool := slices.Concat(rulePool[typ], rulePool[""])
	var rules []any
	for range g.between(1, 2) {
		rules = append(rules, g.rule(pool))
	}
	n["x-kubernetes-validations"] = rules
}

func (g *schemaWriter) rule(pool []string) node {
	rule := node{"rule": objectgen.Pick(g.r, pool...)}
	switch g.r.IntN(6) {
	case 0:
		rule["message"] = "must be so"
	case 1:
		rule["messageExpression"] = objectgen.Pick(g.r,
			"'must be ' + string(1)", "'x'", "string(self)", "self.a")
	}
	if g.chance(0.15) {
		rule["reason"] = objectgen.Pick(g.r,
			"FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
	}
	if g.chance(0.15) {
		rule["fieldPath"] = objectgen.Pick(g.r, ".a", ".name", ".spec.a", "['x-y']", ".b.c")
	}
	if g.chance(0.1) {
		rule["optionalOldSelf"] = true
	}
	return rule
}
