package generate

import "math"

// patterns are patterns with texts that match and texts that do not.
var patterns = []struct {
	pattern  string
	matching []string
	others   []string
}{
	{`^[a-z]+$`, []string{"a", "abc", "zzzz"}, []string{"", "A", "a1", "ab\n"}},
	{`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`, []string{"a", "a-b", "x1"}, []string{"-", "A", "a-"}},
	{`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`, []string{"v1", "v1beta2"}, []string{"v0", "1"}},
	{`b`, []string{"abc", "b"}, []string{"", "ac"}},
	{`^\d+(\.\d+)?$`, []string{"1", "2.5"}, []string{"1.", "x"}},
	{`^$`, []string{""}, []string{" "}},
	{`é`, []string{"é", "caféx"}, []string{"e"}},
}

// formats are the formats that the API server knows, and some that it does not,
// with texts that conform and texts that do not.
var formats = []struct {
	format     string
	conforming []string
	others     []string
}{
	{"date", []string{"2020-02-29"}, []string{"2021-02-29", "x", ""}},
	{"date-time", []string{"2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00"}, []string{"2020-01-01", "now"}},
	{"duration", []string{"1h", "3 days", "-5s"}, []string{"1x", "h"}},
	{"email", []string{"a@b.c"}, []string{"a", "@"}},
	{"hostname", []string{"example.com", "a"}, []string{"-a", "a b", ""}},
	{"ipv4", []string{"1.2.3.4"}, []string{"1.2.3", "::1", "01.2.3.4"}},
	{"ipv6", []string{"::1", "fe80::1"}, []string{"1.2.3.4", "::g"}},
	{"cidr", []string{"10.0.0.0/8"}, []string{"10.0.0.0", "1/2"}},
	{"mac", []string{"00:00:5e:00:53:01"}, []string{"00", "zz"}},
	{"uri", []string{"https://example.com/a"}, []string{"", "a b", "%"}},
	{"uuid", []string{"123e4567-e89b-12d3-a456-426614174000"}, []string{"123", ""}},
	{"byte", []string{"YQ==", "AAAA"}, []string{"a", "%%"}},
	{"password", []string{"x", ""}, nil},
	{"isbn", []string{"0321751043"}, []string{"123"}},
	{"creditcard", []string{"4111111111111111"}, []string{"1"}},
	{"ssn", []string{"111-11-1111"}, []string{"1"}},
	{"hexcolor", []string{"#FFFFFF", "#fff"}, []string{"fff0", "red"}},
	{"rgbcolor", []string{"rgb(1,2,3)"}, []string{"rgb(1,2)"}},
	{"bsonobjectid", []string{"507f1f77bcf86cd799439011"}, []string{"507f"}},
	{"k8s-short-name", []string{"a-b"}, []string{"A", "a.b"}},
	{"k8s-long-name", []string{"a.b"}, []string{"A"}},
	{"unknown-format", []string{"x"}, nil},
	{"int-or-string", []string{"5"}, nil},
	{"datetime", []string{"2020-01-01T00:00:00Z"}, []string{"x"}},
}

// stringLimits gives a string keywords of its own.
func (g *schemas) stringLimits(n node) {
	switch g.r.Intn(8) {
	case 0:
		n["pattern"] = patterns[g.r.Intn(len(patterns))].pattern
	case 1, 2:
		n["format"] = formats[g.r.Intn(len(formats))].format
	case 3:
		n["enum"] = []any{pick[any](g.r, "a", "", "é"), pick[any](g.r, "b", "5", "true"), pick[any](g.r, "c", "2020-01-01")}[:g.r.between(1, 3)]
	case 4, 5:
		g.countLimits(n, "minLength", "maxLength")
		if n["maxLength"] == nil && g.r.chance(0.7) {
			n["maxLength"] = int64(g.r.between(0, 8))
		}
	}
}

// numberLimits gives a number keywords of its own.
func (g *schemas) numberLimits(n node) {
	integer := n["type"] == "integer"
	limit := func() any {
		i := int64(g.r.between(-3, 9))
		if g.r.chance(0.05) {
			i = pick[int64](g.r, math.MaxInt32, math.MinInt32, 1<<53, math.MaxInt64)
		}
		if !integer && g.r.chance(0.4) {
			return float64(i) + pick(g.r, 0.5, 0.25, 0.1)
		}
		return i
	}
	if g.r.chance(0.3) {
		n["minimum"] = limit()
		if g.r.chance(0.25) {
			n["exclusiveMinimum"] = g.r.chance(0.8)
		}
	}
	if g.r.chance(0.3) {
		n["maximum"] = limit()
		if g.r.chance(0.25) {
			n["exclusiveMaximum"] = g.r.chance(0.8)
		}
	}
	if g.r.chance(0.12) {
		n["multipleOf"] = pick[any](g.r, int64(1), int64(2), int64(3))
		if !integer {
			n["multipleOf"] = pick[any](g.r, int64(2), 0.5, 0.1, 1e-3)
		}
	}
	if g.r.chance(0.25) {
		n["format"] = pick(g.r, "int32", "int64", "float", "double", "uint32", "int-or-string")
	}
	if g.r.chance(0.1) {
		n["enum"] = []any{int64(1), int64(2), limit()}[:g.r.between(1, 3)]
	}
}

// countLimits gives a node limits of a count or a length.
func (g *schemas) countLimits(n node, low, high string) {
	least := g.r.between(0, 3)
	if g.r.chance(0.15) {
		n[low] = int64(least)
	}
	if g.r.chance(0.25) {
		n[high] = int64(least + g.r.between(0, 5))
	}
}

// intOrString makes a node that takes integers and strings, in each of the forms
// that structural schemas allow.
func (g *schemas) intOrString(n node) {
	n["x-kubernetes-int-or-string"] = true
	either := []any{node{"type": "integer"}, node{"type": "string"}}
	switch g.r.Intn(5) {
	case 0:
		n["anyOf"] = either
	case 1:
		n["allOf"] = []any{node{"anyOf": either}, node{"pattern": "^[0-9]+%?$"}}
	case 2:
		n["pattern"] = `^(\d+|\d+%)$`
	case 3:
		n["maximum"] = int64(g.r.between(1, 9))
	}
}

// rulePool holds rules by the type of their node. Some do not compile everywhere,
// which is a finding that must agree too.
var rulePool = map[string][]string{
	"":        {"true", "false", "self == self", "has(self.a)", "self == oldSelf", "dyn(self) != 1"},
	"string":  {"self.size() < 5", "self.startsWith('a')", "self != 'b'", "self == oldSelf", "self.matches('^[a-z]*$')", "self.lowerAscii() == self", "size(self) > 1 && self.contains('x')"},
	"integer": {"self > 0", "self % 2 == 0", "self == oldSelf", "self >= oldSelf", "self < 5 || self > 7", "10 / self > 1"},
	"number":  {"self > 0.5", "self == oldSelf", "self < 10.0", "self * 2.0 > 3.0"},
	"boolean": {"self", "!self", "self == oldSelf"},
	"array":   {"self.size() < 3", "self.all(x, x == x)", "self.exists(x, x != self[0])", "self == oldSelf", "self.size() >= oldSelf.size()", "self.isSorted()", "self.map(x, x) == self"},
	"object": {"has(self.a)", "!has(self.b) || has(self.a)", "self.a == self.b", "self == oldSelf", "has(self.name) && self.name != ''",
		"self.a == oldSelf.a", "self.all(k, k != 'a')", "size(self) < 3", "!has(self.value) || self.value > 1", "has(self.items) && self.items.size() > 0", "has(self.spec) && has(self.spec.a)"},
}

// addRules gives a node rules.
func (g *schemas) addRules(n node) {
	kind, _ := n["type"].(string)
	var rules []any
	for range g.r.between(1, 2) {
		rule := node{"rule": pick(g.r, append(rulePool[kind][:len(rulePool[kind]):len(rulePool[kind])], rulePool[""]...)...)}
		switch g.r.Intn(6) {
		case 0:
			rule["message"] = "must be so"
		case 1:
			rule["messageExpression"] = pick(g.r, "'must be ' + string(1)", "'x'", "string(self)", "self.a")
		}
		if g.r.chance(0.15) {
			rule["reason"] = pick(g.r, "FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate")
		}
		if g.r.chance(0.15) {
			rule["fieldPath"] = pick(g.r, ".a", ".name", ".spec.a", "['x-y']", ".b.c")
		}
		if g.r.chance(0.1) {
			rule["optionalOldSelf"] = true
		}
		rules = append(rules, rule)
	}
	n["x-kubernetes-validations"] = rules
}
