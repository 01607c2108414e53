package main

import (
	"strings"
	"testing"
)

// ruledBox returns a definition whose spec has properties and rules in flow
// style.
func ruledBox(properties, rules string) string {
	return boxes("", [2]string{"v1", "{type: object, properties: {" + properties + "}, " +
		"x-kubernetes-validations: [" + rules + "]}"})
}

// ruleOfRoot returns a definition with a rule of the whole object.
func ruleOfRoot(rule string) string {
	return strings.Replace(boxes("", [2]string{"v1", onlyA}), "{type: object, properties: {spec",
		"{type: object, x-kubernetes-validations: [{rule: "+jsonText(rule)+"}], "+
			"properties: {spec", 1)
}

// Hints say what cures (kubernetes#122777, upjet#254, kubernetes#133761,
// kubescape#2244, railgrid#253).
func TestR09HintsOfRules(t *testing.T) {
	const escapes = "namespace: {type: string}, foo-bar: {type: string}, class: " +
		"{type: string}, a.b: {type: string}, x/y: {type: string}, has__x: {type: " +
		"string}, in: {type: string}"
	const nested = "$ref: {type: string}, 1st: {type: string}, sub: {type: object, " +
		"properties: {x-y: {type: integer}, in: {type: integer}}}, l: {type: array, " +
		"maxItems: 3, items: {type: object, properties: {a-b: {type: string, maxLength: 3}}}}"
	rule := func(properties, rule string) map[string]string {
		return map[string]string{"crd.yaml": ruledBox(properties, "{rule: "+jsonText(rule)+"}")}
	}
	check := "check crd.yaml"
	runReports(t, nil, []reportCase{
		{name: "a dash", command: check, code: exitRefused, files: rule(escapes, "self.foo-bar == 'a'"), want: []string{"self.foo__dash__bar"}},
		{name: "a keyword of CEL", command: check, code: exitRefused, files: rule(escapes, "self.in == 'a'"), want: []string{"__in__"}},
		{name: "a keyword that is a name", command: check, code: exitOK, files: rule(escapes, "self.class == 'a'")},
		{name: "a dot", command: check, code: exitRefused, files: rule(escapes, "self.a.b == 'a'"), want: []string{"self.a__dot__b"}},
		{name: "brackets", command: check, code: exitRefused, files: rule(escapes, "self['foo-bar'] == 'a'"), want: []string{"self.foo__dash__bar"}, not: []string{"int()"}},
		{name: "brackets with a slash", command: check, code: exitRefused, files: rule(escapes, `self["x/y"] == "a"`), want: []string{"self.x__slash__y"}, not: []string{"int()"}},
		{name: "underscores", command: check, code: exitRefused, files: rule(escapes, "self.has__x == 'a'"), want: []string{"self.has__underscores__x"}},
		{name: "namespace", command: check, files: rule(escapes, "self.namespace == 'a'")},
		{name: "namespace in an old minor", command: "check --kubernetes 1.31 crd.yaml", code: exitRefused, files: rule(escapes, "self.namespace == 'a'"), want: []string{"`__namespace__`"}},
		{name: "labels", command: check, code: exitRefused, files: map[string]string{"crd.yaml": ruleOfRoot("'a' in self.metadata.labels")}, want: []string{"metadata.name", "generateName"}, not: []string{"has the fields `spec`"}},
		{name: "the namespace of the metadata", command: check, code: exitRefused, files: map[string]string{"crd.yaml": ruleOfRoot("self.metadata.namespace == 'x'")}, want: []string{"generateName"}},
		{name: "annotations", command: check, code: exitRefused, files: map[string]string{"crd.yaml": ruleOfRoot("has(self.metadata.annotations)")}, want: []string{"generateName"}},
		{name: "now", command: check, code: exitRefused, files: rule("e: {type: string, format: date-time}", "!has(self.e) || timestamp(self.e) > now()"), want: []string{"clock"}, not: []string{"text must be in quotes"}},
		{name: "today", command: check, code: exitRefused, files: rule("e: {type: string, format: date-time}", "timestamp(self.e) > now"), want: []string{"clock"}, not: []string{"in quotes"}},
		{name: "a word without quotes", command: check, code: exitRefused, files: rule("a: {type: string, maxLength: 9}", "self.a == foo"), want: []string{"quotes"}},
		{name: "single equals", command: check, code: exitRefused, files: rule("a: {type: string, maxLength: 9}", "self.a = 'x'"), want: []string{"=="}},
		{name: "self.class of a field that is not there", command: check, code: exitRefused, files: rule("klass: {type: string}", "self.class == 'x'"), want: []string{"`klass`"}},
		{name: "a dash below a field", command: check, code: exitRefused, files: rule(nested, "self.sub.x-y > 1"), want: []string{"write `self.sub.x__dash__y`"}},
		{name: "a dash in has()", command: check, code: exitRefused, files: rule(nested, "has(self.sub.x-y)"), want: []string{"write `self.sub.x__dash__y`"}},
		{name: "brackets below a field", command: check, code: exitRefused, files: rule(nested, "self.sub['x-y'] > 1"), want: []string{"write `self.sub.x__dash__y`"}, not: []string{"int()"}},
		{name: "a dash of an item", command: check, code: exitRefused, files: rule(nested, "self.l[0].a-b == 'x'"), want: []string{"write `self.l[0].a__dash__b`"}},
		{name: "a dash of a variable", command: check, code: exitRefused, files: rule(nested, "self.l.all(i, i.a-b == 'x')"), want: []string{"write `a__dash__b`"}},
		{name: "a word of CEL below a field", command: check, code: exitRefused, files: rule(nested, "self.sub.in == 1"), want: []string{"write `self.sub.__in__`"}},
		{name: "a name that no rule can read", command: check, code: exitRefused, files: rule(nested, "self.$ref == 'x'"), want: []string{"a rule cannot read the field `$ref`"}},
		{name: "a name with a digit first", command: check, code: exitRefused, files: rule(nested, "self.1st == 'x'"), want: []string{"a rule cannot read the field `1st`"}},
		{name: "names that cannot be read are not offered", command: check, code: exitRefused, files: rule(nested, "self.qqq == 'x'"), want: []string{"`self` has the fields `l`, `sub`"}, not: []string{"`$ref`", "`1st`"}},
		{name: "the name in a rule at spec", command: check, code: exitRefused, files: rule(nested, "self.metadata.name == 'x'"), want: []string{"`self` is the value of `spec` here", "root of the schema"}},
		{name: "spec in a rule at spec", command: check, code: exitRefused, files: rule(nested, "self.spec.sub.in2 == 1"), want: []string{"`self` is the value of `spec` here: write `self.sub`"}},
		{name: "the fields of the root", command: check, code: exitRefused, files: map[string]string{"crd.yaml": ruleOfRoot("self.qqq == 1")}, want: []string{"`apiVersion`, `kind`, `metadata`, `spec`"}},
		{name: "the object of a policy", command: check, code: exitRefused, files: rule(nested, "object.l == self.l"), want: []string{"admission policies only: write `self`"}},
		{name: "the old object of a policy", command: check, code: exitRefused, files: rule(nested, "oldObject.sub == self.sub"), want: []string{"admission policies only: write `oldSelf`"}},
		{name: "the user", command: check, code: exitRefused, files: rule(nested, "request.userInfo.username == 'x'"), want: []string{"`request` is known to admission policies only"}},
		{name: "a misspelt field", command: check, code: exitRefused, files: rule("replicas: {type: integer}", "self.replica > 1"), want: []string{"replicas"}},
		{name: "an integer plus a double", command: check, code: exitRefused, files: rule("num: {type: number}", "self.num + 1 > 2.0"), want: []string{"hint"}},
		{name: "a length of a number", command: check, code: exitRefused, files: rule("num: {type: integer}", "size(self.num) > 1"), want: []string{"hint"}},
		{name: "an expensive list", command: check, code: exitRefused, files: rule("l: {type: array, items: {type: string}}", "self.l.all(a, self.l.all(b, a != b || true))"), want: []string{"maxItems"}},
		{name: "brackets of a variable", command: check, code: exitRefused, files: rule(nested, "self.l.all(i, i['a-b'] == 'x')"), want: []string{"write `i.a__dash__b`"}, not: []string{"int()"}},
		{name: "quantities by an operator", command: check, code: exitRefused, files: rule(escapes, "quantity(self.x__slash__y) > quantity('1')"), want: []string{"`a.isGreaterThan(b)`"}, not: []string{"values of one type"}},
		{name: "a quantity and a string", command: check, code: exitRefused, files: rule(escapes, "quantity(self.x__slash__y).isGreaterThan('1')"), want: []string{"`quantity('1Gi')`"}, not: []string{"int()"}},
		{name: "a duration and a string", command: check, code: exitRefused, files: rule("d: {type: string, format: duration}", "self.d > '1m'"), want: []string{"`duration('1m')`"}, not: []string{"int()"}},
		{name: "a time and a string", command: check, code: exitRefused, files: rule("d: {type: string, format: date-time}", "self.d > '2026'"), want: []string{"`timestamp('2026-01-01T00:00:00Z')`"}, not: []string{"int()"}},
		{name: "null of a field that is nullable", command: check, code: exitRefused, files: rule("a: {type: string, nullable: true}", "self.a == null"), want: []string{"`has(self.a)`"}, not: []string{"int()"}},
		{name: "has() of an item", command: check, code: exitRefused, files: rule(nested, "has(self.l[0])"), want: []string{"`size(self.l) > 0`"}},
		{name: "has() of a key", command: check, code: exitRefused, files: rule("m: {type: object, additionalProperties: {type: string}}", "has(self.m['a'])"), want: []string{"`'a' in self.m`"}},
		{name: "a pattern that is none", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a.matches('[')"), want: []string{"RE2"}},
		{name: "a function in another case", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a.startswith('x')"), want: []string{"did you mean `startsWith`?"}},
		{name: "a function of a library in another case", command: check, code: exitRefused, files: rule("a: {type: string}", "isUrl(self.a)"), want: []string{"did you mean `isURL`?"}},
		{name: "len()", command: check, code: exitRefused, files: rule("a: {type: string}", "len(self.a) > 1"), want: []string{"`size()`"}},
		{name: "a length as a field", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a.length > 1"), want: []string{"`size()`"}},
		{name: "nil", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a != nil"), want: []string{"`has(self.a)`"}, not: []string{"in quotes"}},
		{name: "and", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a == 'x' and self.a == 'this and that'"), want: []string{"CEL writes `&&` for `and`"}},
		{name: "or, in a string only", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a == 'this or that' &&"), not: []string{"CEL writes"}, want: []string{"hint"}},
		{name: "not", command: check, code: exitRefused, files: rule("a: {type: boolean}", "not self.a"), want: []string{"CEL writes `!` for `not`"}},
		{name: "three equals", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a === 'x'"), want: []string{"CEL compares with `==`"}},
		{name: "if", command: check, code: exitRefused, files: rule("a: {type: string}", "if self.a == 'x' then true else false"), want: []string{"`condition ? this : that`"}},
		{name: "an arrow", command: check, code: exitRefused, files: rule(nested, "self.l.all(i => i.a__dash__b == 'x')"), want: []string{"`self.a.all(e, e > 0)`"}},
		{name: "a string as a condition", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a && true"), want: []string{"take conditions"}},
		{name: "a string that is negated", command: check, code: exitRefused, files: rule("a: {type: string}", "!self.a"), want: []string{"take conditions"}, not: []string{"int()"}},
		{name: "a rule that is no boolean", command: check, code: exitRefused, files: rule("a: {type: string}", "self.a"), want: []string{"bool"}},
	})
}

// Paths of rules: a fieldPath is relative to the schema of the rule, and a
// failure with one names the rule and its values.
func TestR09HintsOfPaths(t *testing.T) {
	const properties = "foo: {type: string, maxLength: 5}, foo-bar: {type: string, " +
		"maxLength: 5}, list: {type: array, maxItems: 5, items: {type: object, " +
		"properties: {a: {type: string}}}}, m: {type: object, maxProperties: 3, " +
		"additionalProperties: {type: string}}, sub: {type: object, properties: " +
		"{x: {type: string}}}"
	path := func(path string) map[string]string {
		return map[string]string{"crd.yaml": ruledBox(properties, "{rule: \"self.foo "+
			"!= 'x'\", message: m, fieldPath: "+jsonText(path)+"}"), "o.yaml": boxOf("v1",
			"foo: x")}
	}
	wrong := func(name, of, want string) reportCase {
		return reportCase{name: name, command: "check crd.yaml", code: exitRefused, files: path(of),
			want: []string{want}}
	}
	runReports(t, nil, []reportCase{
		wrong("from the root", ".spec.foo", "`.foo`"),
		wrong("from self", "self.foo", "`.foo`"),
		wrong("without a dot", "foo", "`.foo`"),
		wrong("below a field", ".spec.sub.x", "`.sub.x`"),
		{name: "a dash", command: "check crd.yaml", files: path(".foo-bar")},
		wrong("an index", ".list[0].a", ".list"),
		wrong("misspelt", ".fooo", "`.foo`"),
		wrong("from the root without a dot", "spec.sub.x", "write `.sub.x`"),
		wrong("an item at the end", ".list[0]", "an item of a list: write `.list`"),
		wrong("double quotes", `["foo-bar"]`, "`['foo-bar']`"),
		wrong("as a rule writes it", ".foo__dash__bar", "`['foo-bar']`"),
		{name: "a right one", command: "validate --crd crd.yaml o.yaml", code: exitRefused, files: path(".foo"), want: []string{"spec.foo: Invalid value", "self.foo"}},
		{name: "a key of a map", command: "validate --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"crd.yaml": boxes("", [2]string{"v1", `{type: object, properties: {pairs: {type: object, maxProperties: 5, additionalProperties: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: "!('bar' in self) || size(self['bar']) > 1", fieldPath: "['bar']", message: bad}]}}}`}),
				"o.yaml": boxOf("v1", "pairs: {bar: x}")},
			want: []string{"spec.pairs.[bar]", "size(self['bar'])"}, not: []string{"a rule of the schema does not hold: the error has its message"}},
		{name: "a name with a dash", command: "validate --crd crd.yaml o.yaml", code: exitRefused,
			files: map[string]string{"crd.yaml": ruledBox("foo-bar: {type: string, maxLength: 4}", `{rule: "!has(self.foo__dash__bar) || self.foo__dash__bar == 'x'", fieldPath: "['foo-bar']", message: bad}`),
				"o.yaml": boxOf("v1", "foo-bar: y1")},
			want: []string{"self.foo__dash__bar"}, not: []string{"the error has its message"}},
	})
}

// A value that is of another type is written so that the enum, the pattern and
// the bounds accept it.
func TestR09HintsOfValues(t *testing.T) {
	value := func(name, schema, value string, want, not []string) reportCase {
		return reportCase{name: name, command: "validate --crd crd.yaml o.yaml", code: exitRefused,
			want: want, not: not, files: map[string]string{
				"crd.yaml": boxes("", [2]string{"v1", "{type: object, properties: {a: " + schema + "}}"}), "o.yaml": boxOf("v1", "a: "+value),
			}}
	}
	runReports(t, nil, []reportCase{
		value("true of True and False", `{type: string, enum: ["True", "False"]}`, "true", []string{"`\"True\"`"}, []string{"`\"true\"`"}),
		value("yes", `{type: string, enum: ["yes", "no"]}`, "yes", []string{"`\"yes\"`"}, []string{"`\"true\"`"}),
		value("a number of an enum", `{type: string, enum: ["1", "2"]}`, "1", []string{"`\"1\"`"}, nil),
		value("a number of a pattern", `{type: string, pattern: '^v[0-9]+$'}`, "3", []string{"`\"v0\"`"}, []string{"`\"3\"`"}),
		value("on", `{type: string, enum: ["On", "Off"]}`, "on", []string{"`\"On\"`"}, []string{"`\"true\"`", "`\"on\"`"}),
		value("true of words", `{type: string, enum: [enabled, disabled]}`, "true", []string{"enabled"}, []string{"`\"true\"`"}),
		value("a string of integers", `{type: integer, enum: [1, 2]}`, `"1"`, []string{"`1`"}, nil),
		value("a word for true", `{type: boolean}`, `"yes"`, []string{"write `true`"}, nil),
		value("a word for false", `{type: boolean}`, `"Off"`, []string{"write `false`"}, nil),
		value("a string of a boolean", `{type: boolean}`, `"true"`, []string{"`true`"}, nil),
		value("a short number", `{type: string, minLength: 3}`, "12", nil, []string{"`\"12\"`"}),
		value("a date", `{type: string, format: date}`, "7", nil, []string{"`\"7\"`"}),
		value("a version", `{type: string, pattern: '^\d+\.\d+$'}`, "1.10", []string{"`\"1.10\"`"}, []string{"`\"1.1\"`"}),
		value("a string of a list", `{type: array, items: {type: string}}`, "x", []string{"write it as a list"}, nil),
		value("an octal number", `{type: string, enum: ["0x10", "0644"]}`, "0644", []string{"write it in quotes: `\"0644\"`"}, nil),
		value("a null of a required field", `{type: object, required: [t], properties: {t: {type: string}}}`, "{t: null}", []string{"null"}, []string{"add `t`"}),
		value("a missing one", `{type: object, required: [t], properties: {t: {type: string}}}`, "{}", []string{"add `t`"}, nil),
		value("a fraction", `{type: integer}`, "1.5", []string{"1"}, nil),
		value("a value in another case", `{type: string, enum: [Always, Never]}`, "always", []string{"Always"}, nil),
		value("a fraction of an integer or string", `{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}`, "0.5", []string{"write it in quotes: `\"0.5\"`"}, []string{"write 0 or 1"}),
		value("too large", `{type: integer, maximum: 10}`, "11", []string{"10"}, nil),
		value("an object where a string is due", `{type: string}`, "{b: c}", []string{"hint"}, nil),
		value("a list where an object is due", `{type: object, properties: {b: {type: string}}}`, "[b]", []string{"hint"}, nil),
	})
}
