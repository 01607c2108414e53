package lint_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/crdsem/crdsem"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/advice/lint"
	"sigs.k8s.io/yaml"
)

// frame is a definition with a place for the schema of the field spec.
const frame = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster",
"names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true,
"storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": %s}}}}]}}`

// at is the path of the field spec.
const at = "spec.versions[0].schema.openAPIV3Schema.properties[spec]"

// findings returns the findings about a definition.
func findings(t *testing.T, text string) []lint.Finding {
	t.Helper()
	crd, _, err := definition.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	found, err := lint.Definition(t.Context(), model, decode(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// linted returns the checks and paths of the findings about a definition.
func linted(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	for _, f := range findings(t, text) {
		is := func(c lint.Check) bool { return c.ID == f.Check }
		if f.Text == "" || f.Hint == "" || !slices.ContainsFunc(lint.Checks(), is) {
			t.Errorf("%+v", f)
		}
		fmt.Fprintf(&b, "%s %s\n", f.Check, strings.TrimPrefix(f.Path, at))
	}
	return b.String()
}

// required returns the names of required properties, as JSON.
func required(properties string) string {
	if strings.Contains(properties, "status") {
		return `"type", "status"`
	}
	return `"name"`
}

func TestDefinition(t *testing.T) {
	const costly = `{"type": "object", "required": ["a"],
		"x-kubernetes-validations": [{"rule": "self.a.all(x, self.a.all(y, x != y))"}],
		"properties": {"a": {"type": "array", %s "items": {"type": "string", "maxLength": 20}}}}`
	list := func(name, more, properties string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {%q: {"type": "array", %s "items": {
			"type": "object", "required": [%s], "properties": {%s}}}}}`,
			name, more, required(properties), properties)
	}
	const named = `"name": {"type": "string"}`
	for _, c := range []struct{ name, schema, want string }{
		{"nothing", `{"type": "object"}`, ""},
		{"an anchor before a character", `{"type": "string", "pattern": "(x|y$)z|a$b"}`, ""},
		{"anchors of all alternatives", `{"type": "string", "pattern": "x$z|a$b"}`, "LINT-pattern .pattern"},
		{"anchors that are fine", `{"type": "string", "pattern": "^(a|b)*$|^$"}`, ""},
		{"a pattern as long as maxLength", `{"type": "string", "pattern": "^[a-z]{5}-", "maxLength": 6}`, ""},
		{"a pattern longer than the length", `{"type": "string", "pattern": "^[a-z]{5}$", "minLength": 4, "maxLength": 4}`, "LINT-length .maxLength"},
		{"a pattern that is not decided", `{"type": "string", "pattern": "^(a|b)*a(a|b){300}$", "maxLength": 900, "minLength": 800}`, ""},
		{"a part of the string", `{"type": "string", "pattern": "a?b", "minLength": 3}`, ""},
		{"an enum that the pattern refuses", `{"type": "string", "pattern": "^[a-z]+$", "enum": ["a", "B"]}`, "LINT-enum .enum[1]"},
		{"an enum that is too long", `{"type": "string", "maxLength": 2, "enum": ["ää", "abc"]}`, "LINT-enum .enum[1]"},
		{"an enum that is too short", `{"type": "string", "minLength": 1, "enum": ["", "abc"]}`, "LINT-enum .enum[0]"},
		{"an enum of booleans", `{"type": "boolean", "enum": [true]}`, ""},
		{"an item", `{"type": "array", "items": {"type": "string", "pattern": "a^"}}`, "LINT-pattern .items.pattern"},
		{"a value of a map", `{"type": "object", "additionalProperties": {"type": "string", "pattern": "a^"}}`, "LINT-pattern .additionalProperties.pattern"},
		{"an atomic list", list("ports", `"x-kubernetes-list-type": "atomic",`, named), ""},
		{"names in a namespace", list("ports", "", named+`, "namespace": {"type": "string"}`), ""},
		{"names that repeat", list("httpHeaders", "", named), ""},
		{"references", list("secretRefs", "", named), ""},
		{"a list that a rule compares", fmt.Sprintf(costly, ""), "LINT-bound .properties[a]"},
		{"properties", `{"type": "object", "minProperties": 2, "maxProperties": 1}`, "LINT-range .minProperties"},
		{"null in an enum", `{"type": "string", "nullable": true, "enum": ["a", null]}`, "LINT-nullable .nullable"},
		{"a map", `{"type": "object", "required": ["a"], "additionalProperties": {"type": "string"}}`, ""},
		{"unknown fields", `{"type": "object", "required": ["a"], "x-kubernetes-preserve-unknown-fields": true}`, ""},
		{"an embedded object", `{"type": "object", "required": ["kind"], "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true}`, ""},
		{"a branch without an enum", one(`"type": "string", "enum": ["x", "z"]`, `"anyOf": [{"properties": {"a": {"minLength": 1}}}]`), ""},
		{"a field without an enum", one(`"type": "string"`, `"anyOf": [{"properties": {"a": {"enum": ["x"]}}}]`), ""},
		{"a branch with an empty enum", one(`"type": "string", "enum": ["x"]`, `"anyOf": [{"properties": {"a": {"enum": []}}}]`), ""},
		{"a branch with the enum", one(`"type": "string", "enum": ["x", "z"]`, `"anyOf": [{"properties": {"a": {"enum": ["x", "y"]}}}]`), ""},
		{"a branch that forbids", one(`"type": "integer"`, `"required": ["a"], "oneOf": [{"not": {"required": ["a"]}}]`), "LINT-branch .oneOf[0].not\nLINT-unreachable .properties[a]"},
		{"a field that is forbidden", one(`"type": "integer"`, `"not": {"required": ["a"]}`), "LINT-unreachable .properties[a]"},
		{"a field that is forbidden with others", two(`"not": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`), "LINT-unreachable .properties[a]\nLINT-unreachable .properties[b]"},
		{"fields that exclude each other", two(`"not": {"required": ["a", "b"]}`), ""},
		{"one of two fields", two(`"oneOf": [{"required": ["a"], "not": {"required": ["b"]}}, {"required": ["b"], "not": {"required": ["a"]}}]`), ""},
		{"neither of the branches allows it", two(`"anyOf": [{"required": ["a"], "not": {"required": ["b"]}}, {"allOf": [{"not": {"required": ["b"]}}]}]`), "LINT-unreachable .properties[b]"},
		{"a value that the field refuses", one(`"type": "string", "maxLength": 2`, `"allOf": [{"properties": {"a": {"minLength": 3}}}]`), "LINT-branch .allOf[0].properties[a]\nLINT-unreachable .properties[a]"},
		{"a field with another value", two(`"not": {"required": ["a"], "properties": {"b": {"enum": ["x"]}}}`), ""},
		{"an optional old value", two(`"x-kubernetes-validations": [{"rule": "oldSelf.a.orValue('x') == 'y'", "optionalOldSelf": true}]`), ""},
		{"an old value", two(`"x-kubernetes-validations": [{"rule": "oldSelf.a == 'y'"}]`), "LINT-has .x-kubernetes-validations[0].rule"},
		{"a field below", one(`"type": "object", "properties": {"c": {"type": "string"}}`, `"allOf": [{"properties": {"a": {"not": {"required": ["c"]}}}}]`), "LINT-unreachable .properties[a].properties[c]"},
		{"another rule that never holds", two(`"x-kubernetes-validations": [{"rule": "self.a == 'x'"}, {"rule": "size(self.b) < 0"}]`),
			"LINT-has .x-kubernetes-validations[0].rule\nLINT-has " +
				".x-kubernetes-validations[1].rule\nLINT-constant .x-kubernetes-validations[1].rule"},
		{"another rule that asks first", two(`"x-kubernetes-validations": [{"rule": "self.a == 'x'"}, {"rule": "has(self.a)"}]`), ""},
		{"bounds that exclude each other without a branch", one(`"type": "integer", "minimum": 3, "maximum": 2`, `"anyOf": [{"properties": {"a": {"minimum": 5}}}]`), "LINT-range .properties[a].minimum"},
		{"a string without a bound before a list", `{"type": "object", "required": ["a", "b"],
			"x-kubernetes-validations": [{"rule": "self.b.all(x, self.b.all(y, x != self.a))"}], "properties": {
			"a": {"type": "string"}, "b": {"type": "array", "items": {"type": "string"}}}}`, "LINT-bound .properties[b]"},
		{"a cheap rule, and two on one list", `{"type": "object", "required": ["a"], "x-kubernetes-validations": [{"rule": "size(self.a) < 9"},
			{"rule": "self.a.all(x, self.a.all(y, x <= y))"}, {"rule": "self.a.all(x, self.a.all(y, x >= y))"}],
			"properties": {"a": {"type": "array", "items": {"type": "integer"}}}}`, "LINT-bound .properties[a]"},
		{"the list with a bound", fmt.Sprintf(costly, `"maxItems": 9,`), ""},
	} {
		want := c.want
		if want != "" {
			want += "\n"
		}
		if got := linted(t, fmt.Sprintf(frame, c.schema)); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// one returns a schema with a field a.
func one(field, more string) string {
	return fmt.Sprintf(`{"type": "object", %s, "properties": {"a": {%s}}}`, more, field)
}

// two returns a schema with the fields a and b.
func two(more string) string {
	return fmt.Sprintf(`{"type": "object", %s, "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}`, more)
}

// Rules on the fields a and b, n with a number up to 5, d with the default x, r
// which is required, o with a field p, l with items that have p, and m, a map.
func TestRules(t *testing.T) {
	const schema = `{"type": "object", "required": ["r"], "properties": {
		"a": {"type": "string", "enum": ["x", "y"]}, "b": {"type": "boolean"},
		"n": {"type": "integer", "minimum": 0, "maximum": 5}, "r": {"type": "string", "minLength": 1, "maxLength": 9},
		"d": {"type": "string", "default": "x"}, "e": {"type": "integer", "default": 3},
		"o": {"type": "object", "properties": {"p": {"type": "integer"}}}, "f": {"type": "string", "maxLength": 9, "default": ""},
		"l": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"p": {"type": "integer"}}}},
		"m": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 4}},
		"x-kubernetes-validations": [{"rule": %q, "message": "m"}]}`
	const has, constant, defaults = "LINT-has", "LINT-constant", "LINT-default"
	for _, c := range []struct{ rule, want, refused string }{
		{"self.n > 1", has, `{"r": "r"}`},
		{"has(self.n) && self.n > 1", "", ""},
		{"!has(self.n) || self.n > 1", "", ""},
		{"has(self.n) ? self.n > 1 : self.b", "", ""},
		{"self.?n.orValue(3) > 2", "", ""},
		{"self.n == oldSelf.n", has, ""},
		{"!has(oldSelf.n) || self.n == oldSelf.n", "", ""},
		{"self.r.matches('q') && self.b", has, `{"r": "q"}`},
		{"self.o.p > 1", has + " " + has, `{"r": "r", "o": {}}`},
		{"!has(self.o) || self.o.p > 1", has, `{"r": "r", "o": {}}`},
		{"!has(self.o) || !has(self.o.p) || self.o.p > 1", "", ""},
		{"self.l.all(i, i.p > 1)", has + " " + has, `{"r": "r", "l": [{}]}`},
		{"!has(self.l) || self.l.exists(i, i.p > 1)", has, `{"r": "r", "l": [{}]}`},
		{"!has(self.l) || self.l.filter(i, has(i.p)).all(i, i.p > 1)", "", ""},
		{"!has(self.l) || self.l[0].p > 1", has + " LINT-error", `{"r": "r", "l": [{}]}`},
		{"self.n <= 5", has, `{"r": "r"}`},
		{"!has(self.r) ? true : self.n > 1", has, `{"r": "r"}`},
		{"has(self.r) ? self.n > 1 : true", has, `{"r": "r"}`},
		{"self.l.exists(i, self.n > 1)", has + " " + has, `{"r": "r", "l": [{}]}`},
		{"self.l.exists_one(i, i.p > 1)", has, `{"r": "r"}`},
		{"self.l.map(i, i.p).size() > 0", has + " " + has, `{"r": "r", "l": [{}]}`},
		{"false", "", ""},
		{"size(self.r) > 9", constant, `{"r": "rrrrrrrrr"}`},
		{"self.r.size() >= 1", constant, ""},
		{"!has(self.n) || self.n <= 5", constant, ""},
		{"has(self.n) && self.n > 5", constant, `{"r": "r", "n": 5}`},
		{"!has(self.n) || self.n != 9223372036854775807", "", ""},
		{"!has(self.a) || self.a in ['x', 'y', 'z']", constant, ""},
		{"!has(self.a) || self.a != 'z'", constant, ""},
		{"!has(self.a) || self.a == 'x' || self.a == oldSelf.a", "", ""},
		{"self.d == 'y'", defaults, `{"r": "r"}`},
		{"self.d == 'y' || self.r == 'r'", "", ""},
		{"self.e > 3 && self.r != 'q'", defaults, `{"r": "r"}`},
		{"has(self.f) && self.f != ''", "", `{"r": "r"}`},
		{"self.f != '' && self.d == 'y'", defaults, `{"r": "r"}`},
	} {
		found := linted(t, fmt.Sprintf(frame, fmt.Sprintf(schema, c.rule)))
		var got []string
		for line := range strings.Lines(found) {
			check, _, _ := strings.Cut(line, " ")
			if check != "LINT-bound" {
				got = append(got, check)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.rule, got, c.want)
		}
		if c.refused != "" && !refuses(t, fmt.Sprintf(schema, c.rule), c.refused) {
			t.Errorf("%s: %s is accepted", c.rule, c.refused)
		}
	}
}

// Texts and hints name the values and the nodes.
func TestTexts(t *testing.T) {
	const never = "the branch never holds"
	const excluded = "LINT-unreachable .properties[a]: no object can have the field: what " +
		"`allOf`, `anyOf`, `oneOf` and `not` of AT ask for excludes it (remove the field, or " +
		"fix the junctors of AT)\n"
	const quotes = "write it in quotes: `y`, `yes` and `on` are true in YAML 1.1, `n`, `no` and " +
		"`off` are false"
	const constant = "LINT-constant .x-kubernetes-validations[0].rule: the rule holds for "
	reads := func(field string) string {
		return "LINT-has .x-kubernetes-validations[0].rule: the rule reads " + field + " " +
			"without has(), and the field is " +
			"optional: the server refuses an object without it (no such key) (write " +
			"`!has(" + field +
			") || …`, require the field, or give it a default)\n"
	}
	rule := func(rule, more string) string {
		return one(`"type": "integer", "minimum": 1`+more, `"x-kubernetes-validations": [{"rule": "`+rule+`"}]`)
	}
	atomic := func(name, key string) string {
		return "LINT-listtype .properties[" + name + "]: the list has no " +
			"x-kubernetes-list-type, and its items look as if " + key +
			" identified them: server-side apply replaces the whole list (set " +
			"`x-kubernetes-list-type: map` and " +
			"`x-kubernetes-list-map-keys: [" + key + "]`, or `x-kubernetes-list-type: atomic` " +
			"if that is meant)\n"
	}
	items := func(name, more string) string {
		return `{"type": "object", "properties": {"` + name + `": {"type": "array", "items": {"type": "object", ` + more + `}}}}`
	}
	const unbound = "LINT-bound AT: there is no maxItems, and the rule " +
		"AT.x-kubernetes-validations[0] counts every element: it takes N "
	bound := func(rule string) string {
		return `{"type": "array", "items": {"type": "string", "maxLength": 20}, "x-kubernetes-validations": [{"rule": "` + rule + `"}]}`
	}
	share := regexp.MustCompile(`takes \d+ `)
	for _, c := range []struct{ schema, want string }{
		{`{"type": "string", "pattern": "a^b"}`, "LINT-pattern .pattern: no string matches the pattern `a^b` " +
			"(`^` stands where a string begins, and `$` where it ends)\n"},
		{`{"type": "integer", "pattern": "a^b"}`, "LINT-type .pattern: `pattern` means nothing for a " +
			"field of type integer (remove the keyword, or fix the type)\n"},
		{`{"type": "string", "pattern": "^ä{5}-", "maxLength": 5}`, "LINT-length .maxLength: maxLength is 5, and no string that " +
			"is shorter than 6 matches the pattern `^ä{5}-` (raise maxLength, or shorten the " +
			"pattern)\n"},
		{`{"type": "string", "pattern": "^a?b$", "minLength": 3}`, "LINT-length .minLength: minLength is 3, and no string of " +
			"that length or longer matches the pattern `^a?b$` (lower minLength, or lengthen " +
			"the pattern)\n"},
		{`{"type": "string", "pattern": "a", "minLength": 3, "maxLength": 2}`,
			"LINT-length .minLength: minLength 3 is above maxLength 2: no string fits (lower " +
				"minLength, or raise maxLength)\n"},
		{`{"type": "integer", "minimum": 3, "maximum": 3, "exclusiveMinimum": true}`,
			"LINT-range .minimum: minimum and maximum are 3, which is excluded: no number fits " +
				"(lower minimum, or raise maximum)\n"},
		{`{"type": "array", "minItems": 1, "maxItems": 0, "items": {"type": "string"}}`,
			"LINT-range .minItems: minItems 1 is above maxItems 0: no list fits (lower " +
				"minItems, or raise maxItems)\n"},
		{two(`"maxProperties": 1, "required": ["a", "b"]`),
			"LINT-range .maxProperties: 2 fields are required, and maxProperties is 1: no " +
				"object fits (raise maxProperties)\n"},
		{two(`"maxProperties": 2, "required": ["a", "b"]`), ""},
		{`{"type": "string", "enum": ["a", true, false]}`, "LINT-enum .enum[1]: no object can have the value true: the type is " +
			"string (" + quotes + ")\nLINT-enum .enum[2]: no object can have the value false: " +
			"the type is string (" + quotes + ")\n"},
		{`{"type": "integer", "enum": [1, true]}`, "LINT-enum .enum[1]: no object can have the value true: must be of type " +
			"integer: \"boolean\" (remove the value, or the keyword)\n"},
		{`{"type": "integer", "minimum": 2, "enum": [1, 2]}`, "LINT-enum .enum[0]: no object can have the value 1: should be " +
			"greater than or equal to 2 (remove the value, or the keyword)\n"},
		{`{"type": "string", "maxLength": 2, "enum": ["abc"], "default": "abc"}`, "LINT-enum .enum[0]: no object can have the " +
			"value \"abc\": may not be more than 2 bytes (remove the value, or the keyword)\n"},
		{two(`"required": ["a", "c"]`), "LINT-required .required[1]: c is required, but not declared: the server prunes it, so " +
			"that no object has it (declare the field in `properties`, or do not require it)\n"},
		{two(`"allOf": [{"required": ["a"]}, {"required": ["c"]}]`), "LINT-required .allOf[1].required[0]: c is required, but not " +
			"declared: the server prunes it, so that no object has it (declare the field in " +
			"`properties`, or do not require it)\n"},
		{two(`"anyOf": [{"required": ["a"]}, {"required": ["c"], "not": {"required": ["a"]}}]`),
			"LINT-branch .anyOf[1].required[0]: c is required, but not declared: the server " +
				"prunes it, so " +
				"that no object has it (declare the field in `properties`, or do not require " +
				"it)\n"},
		{one(`"type": "integer", "maximum": 5`, `"anyOf": [{"properties": {"a": {"minimum": 6}}}]`),
			"LINT-branch .anyOf[0].properties[a]: minimum 6 is above maximum 5: " + never + " " +
				"(fix the bounds, or remove the branch)\n" + excluded},
		{one(`"type": "string", "enum": ["x"]`, `"anyOf": [{"properties": {"a": {"enum": ["y"]}}}]`),
			"LINT-branch .anyOf[0].properties[a].enum: the enum of the field has none of these " +
				"values: " + never +
				" (name values that the node's enum has)\n" + excluded},
		{one(`"type": "integer"`, `"required": ["a"], "oneOf": [{}, {"not": {"required": ["a"]}}]`),
			"LINT-branch .oneOf[1].not: every object has a: " + never + " (remove the branch, " +
				"or do not require the field)\n"},
		{two(`"required": ["a", "b"], "oneOf": [{}, {"not": {"required": ["a", "b"]}}, {"not": {"required": ["a"], "properties": {"b": {"enum": ["x"]}}}}]`), ""},
		{two(`"required": ["a"], "oneOf": [{}, {"not": {"required": ["b"]}}]`), ""},
		{one(`"type": "object", "properties": {"c": {"type": "string"}}, "not": {"required": ["c"]}`, `"nullable": true`),
			strings.ReplaceAll(strings.ReplaceAll(excluded, "[a]", "[a].properties[c]"), "AT", "AT.properties[a]")},
		{two(`"anyOf": [{"properties": {"c": {"not": {"required": ["d"]}}}}]`), ""},
		{items("conditions", `"required": ["type", "status"], "properties": {"type": {"type": "string"}, "status": {"type": "string"}}`),
			atomic("conditions", "type")},
		{items("l", `"required": ["name"], "properties": {"name": {"type": "string"}}`), atomic("l", "name")},
		{rule("self.a > 3", ""), reads("self.a")},
		{rule("has(self.a) || true", ""), constant + "every object that the schema allows (remove the rule, or fix it)\n"},
		{rule("has(self.a) && self.a < 1", ""), constant + "no object that the schema allows (fix the rule)\n"},
		{rule("self.a > 3", `, "default": 2`), "LINT-default .x-kubernetes-validations[0].rule: the rule does not hold for the " +
			"defaults of the fields that it reads: the server refuses an object that leaves " +
			"them out (change the default or the rule)\n"},
		{`{"type": "object", "required": ["l"], "properties": {"l": {"type": "array", "maxItems": 2, "items": {"type": "object", "properties":
			{"x": {"type": "integer"}}}}}, "x-kubernetes-validations": [{"rule": "self.l.all(i, i.x > 0)"}]}`,
			strings.Replace(reads("i.x"), "reads i.x", "reads i.x, which is self.l[…].x,", 1)},
		{two(`"x-kubernetes-validations": [{"rule": "self.a == 'x'"}, {"rule": "self."}, {"rule": "self.b == 'x'"}]`),
			reads("self.a") + strings.Replace(reads("self.b"), "[0]", "[2]", 1)},
		{two(`"x-kubernetes-validations": [{"rule": "has(oldSelf.a) || self.a == 'x'"}]`), reads("self.a")},
		{bound("self.all(x, x != 'a')"), unbound + "% of its limit (set `maxItems` to what is needed)\n"},
		{bound("self.all(x, self.all(y, x.contains(y)))"), unbound + "times its limit (set `maxItems` to what is needed)\n"},
		{two(`"x-kubernetes-validations": [{"rule": "self."}, {"rule": "has()"}, {"rule": "size()"}, {"rule": " false "}]`), ""},
	} {
		got := strings.ReplaceAll(whole(findings(t, fmt.Sprintf(frame, c.schema))), at, "AT")
		got = share.ReplaceAllString(got, "takes N ")
		if got != strings.ReplaceAll(c.want, " .", " AT.") {
			t.Errorf("%s:\n%swant\n%s", c.schema, got, c.want)
		}
	}
}

// whole returns findings with their texts and hints.
func whole(found []lint.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s %s: %s (%s)\n", f.Check, f.Path, f.Text, f.Hint)
	}
	return b.String()
}

// refuses reports whether a server refuses an object with a value of the field
// spec.
func refuses(t *testing.T, schema, value string) bool {
	t.Helper()
	def, err := crdsem.Parse([]byte(fmt.Sprintf(frame, schema)))
	if err != nil {
		t.Fatal(err)
	}
	v, err := def.Version("v1")
	if err != nil {
		t.Fatal(err)
	}
	return v.Create(t.Context(), decode(t, `{"apiVersion": "g.io/v1", "kind": "Foo",
		"metadata": {"name": "a"}, "spec": `+value+`}`)).Err() != nil
}

// Paths and the status, which are next to the schema.
func TestVersion(t *testing.T) {
	const text = `{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Cluster",
"names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true, "storage": true,
"schema": {"openAPIV3Schema": {"type": "object", "properties": {
	"spec": {"type": "object", "properties": {"n": {"type": "integer"}, "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		"l": {"type": "array", "items": {"type": "object", "properties": {"p": {"type": "string"}}}},
		"m": {"type": "object", "additionalProperties": {"type": "string"}}}},
	"status": {"type": "object"}}}}, %s}]}}`
	column := func(path string) string {
		return fmt.Sprintf(`"subresources": {"status": {}},
			"additionalPrinterColumns": [{"name": "c", "type": "string", "jsonPath": %q}]`, path)
	}
	const undeclared = "LINT-path spec.versions[0].additionalPrinterColumns[0].jsonPath\n"
	for _, c := range []struct{ version, want string }{
		{`"deprecated": false`, "LINT-status spec.versions[0].schema.openAPIV3Schema.properties[status]\n"},
		{`"subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}`,
			"LINT-path spec.versions[0].subresources.scale.statusReplicasPath\n"},
		{column(".spec.n"), ""},
		{column(".spec.x"), undeclared},
		{column(".spec.any.x.y"), ""},
		{column(".metadata.labels.x"), ""},
		{column(".kind"), ""},
		{column(`.spec.l[?(@.p=="x")].p`), ""},
		{column(`.spec.l[0].q`), undeclared},
		{column(`.spec.m.x`), ""},
		{column(`.spec['n']`), ""},
		{column(`.spec['x']`), undeclared},
		{column(`.spec.n\.x`), undeclared},
		{column(`..x`), ""},
		{column(`.spec.l.q[0].q`), undeclared},
		{column(`.spec.l[?(@.x=="x")].p`), undeclared},
		{column(`.spec.m.x.y`), undeclared},
		{column(`['metadata'].x`), undeclared},
		{column(`.metadata.ownerReferences[0].name`), ""},
		{column(`.spec.n[0]`), undeclared},
	} {
		if got := linted(t, fmt.Sprintf(text, c.version)); got != c.want {
			t.Errorf("%s: %q, want %q", c.version, got, c.want)
		}
	}
	const v1, v2 = "spec.versions[0].", "spec.versions[1]."
	const fix = " (declare the field in the schema, or fix the path)\n"
	got := whole(findings(t, fmt.Sprintf(text, `"subresources": {"scale": {"specReplicasPath": ".spec.x",
		"statusReplicasPath": ".spec['y']", "labelSelectorPath": ".z"}}, "additionalPrinterColumns": [
		{"name": "c", "type": "string", "jsonPath": ".spec.n"}, {"name": "d", "type": "string", "jsonPath": ".spec.l[0].q"}]},
		{"name": "v2", "served": true, "storage": false, "schema": {"openAPIV3Schema": {"type": "object", "properties":
		{"a": {"type": "string", "pattern": "a^"}}}}`)))
	want := "LINT-path " + v1 + "subresources.scale.specReplicasPath: the schema does not " +
		"declare x of .spec.x: " +
		"the scale subresource fails" + fix +
		"LINT-path " + v1 + "subresources.scale.statusReplicasPath: the schema does not declare " +
		"['y'] of .spec['y']: " +
		"a scale has 0 replicas in its status" + fix +
		"LINT-path " + v1 + "subresources.scale.labelSelectorPath: the schema does not declare " +
		"z of .z: " +
		"a scale has no selector, which an autoscaler needs" + fix +
		"LINT-path " + v1 + "additionalPrinterColumns[1].jsonPath: the schema does not declare " +
		"q of .spec.l[0].q: " +
		"the column is empty" + fix +
		"LINT-status " + v1 + "schema.openAPIV3Schema.properties[status]: the schema has a " +
		"status, but there is no status " +
		"subresource: clients that write the object write the status too (add `subresources: " +
		"{status: {}}` to the version)\n" +
		"LINT-pattern " + v2 + "schema.openAPIV3Schema.properties[a].pattern: no string matches " +
		"the pattern `a^` " +
		"(`^` stands where a string begins, and `$` where it ends)\n" +
		"LINT-storage " + v2 + "schema.openAPIV3Schema.properties[a]: the storage version v1 " +
		"lacks the field, and there is no conversion: the server removes it from each object " +
		"that is written (declare the field in the storage version too, or convert by a webhook)\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Settings change severities, one after another. Each line has those of
// LINT-bound, LINT-status and LINT-enum afterwards.
func TestSettings(t *testing.T) {
	s := lint.Settings{}
	for _, c := range []struct {
		check     string
		severity  lint.Severity
		want, err string
	}{
		{"LINT-bound", "", "style warning error", ""},
		{"lint-bound", lint.Error, "error warning error", ""},
		{lint.All, lint.Style, "style style style", ""},
		{lint.All, "", "style warning error", ""},
		{"LINT-status", lint.Off, "style off error", ""},
		{lint.All, lint.Warning, "warning off warning", ""},
		{lint.All, lint.Off, "off off off", ""},
		{"LINT-status", "", "off warning off", ""},
		{"LINT-none", lint.Off, "off warning off", `no check is named "LINT-none": there are LINT-`},
		{"LINT-bound", "grave", "off warning off", `severity "grave": it is error, warning, style or off`},
		{lint.All, "", "style warning error", ""},
	} {
		text := ""
		if err := s.Set(c.check, c.severity); err != nil {
			text = err.Error()
		}
		if (c.err == "") != (text == "") || !strings.HasPrefix(text, c.err) {
			t.Errorf("%s %s: %s, want %s", c.check, c.severity, text, c.err)
		}
		got := fmt.Sprint(s.Of("LINT-bound"), " ", s.Of("LINT-status"), " ", s.Of("LINT-enum"))
		if got != c.want {
			t.Errorf("after %s %s: %s, want %s", c.check, c.severity, got, c.want)
		}
	}
	for _, c := range lint.Checks() {
		if got := (lint.Settings{}).Of(c.ID); got != c.Severity || !lint.Has(c.ID) {
			t.Errorf("%s is %s without settings, want %s", c.ID, got, c.Severity)
		}
	}
	if lint.Has("LINT-none") {
		t.Error("there is a check LINT-none")
	}
}

// Keys without quotes that are booleans in YAML 1.1 have findings, wherever
// they are.
func TestKeys(t *testing.T) {
	document := map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{"true": "1", "false": "2"}},
		"spec": map[string]any{"versions": []any{map[string]any{"schema": map[string]any{
			"properties": map[string]any{"true": map[string]any{"type": "string"}, "a": "true"},
		}}, map[string]any{"properties": map[string]any{"a": map[string]any{"false": nil, "true": nil}}}}},
		"true": "1",
	}
	written := map[string]string{
		"metadata.annotations[true]": "true", "metadata.annotations[false]": "off", "true": "on",
		"spec.versions[1].properties[a][false]":    "no",
		"spec.versions[0].schema.properties[true]": "y",
	}
	found := lint.Keys(document, func(path string) (string, bool) {
		text, ok := written[path]
		return text, ok
	})
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %s: %s (%s)", f.Check, f.Path, f.Text, f.Hint))
	}
	want := []string{
		"LINT-boolean metadata.annotations[false]: `off` is the boolean false in YAML 1.1, " +
			"which the server reads: the key is \"false\" (write it in quotes: `\"off\"`)",
		"LINT-boolean spec.versions[0].schema.properties[true]: `y` is the boolean true in YAML " +
			"1.1, which the server reads: the key is \"true\" (write it in quotes: `\"y\"`)",
		"LINT-boolean spec.versions[1].properties[a][false]: `no` is the boolean false in YAML " +
			"1.1, which the server reads: the key is \"false\" (write it in quotes: `\"no\"`)",
		"LINT-boolean true: `on` is the boolean true in YAML " +
			"1.1, which the server reads: the key is \"true\" (write it in quotes: `\"on\"`)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The end of the context ends the walk, with its cause and no findings. A
// version that the model lacks has no estimates.
func TestContextEnds(t *testing.T) {
	for _, rules := range []string{"", `"x-kubernetes-validations": [{"rule": "true"}],`} {
		text := fmt.Sprintf(frame, `{"type": "string", `+rules+` "pattern": "a^"}`)
		crd, _, err := definition.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		model, err := definition.Compile(crd)
		if err != nil {
			t.Fatal(err)
		}
		document := decode(t, strings.ReplaceAll(text, `"name": "v1"`, `"name": "v2"`))
		found, err := lint.Definition(t.Context(), model, document)
		if err != nil || len(found) == 0 || found[0].Check != "LINT-pattern" {
			t.Errorf("of another version: %v, %v", found, err)
		}
		cause := errors.New("cause")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		found, err = lint.Definition(ctx, model, decode(t, text))
		if len(found) != 0 || !errors.Is(err, cause) {
			t.Errorf("%v, %v", found, err)
		}
	}
}

// decode returns the object in a text.
func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	object, _, err := jsonvalue.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// A rule that only the next minor refuses has a finding, and its cure has none.
func TestNext(t *testing.T) {
	for rule, want := range map[string]string{
		"has(self.a) != has(self.b)":                     "LINT-next",
		"has(self.a) ? !has(self.b) : has(self.b)":       "",
		"self.a.split('/')[0].matches('^[a-z]+$')":       "LINT-next",
		"self.a.findAll('[0-9]+')[0].matches('^1')":      "LINT-next",
		"{'a': self.a}.a.matches('^a')":                  "LINT-next",
		"url(self.a).getQuery()['a'].exists(v, v == '')": "LINT-next",
		"!has(self.a) || self.a.matches('^[a-z]+(/|$)')": "",
	} {
		text := `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
metadata: {name: tests.example.com}, spec: {group: example.com, scope: Namespaced,
names: {plural: tests, singular: test, kind: Test, listKind: TestList},
versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
properties: {spec: {type: object, properties: {l: {type: array, maxItems: 100, items: {
type: object, properties: {a: {type: string, maxLength: 9}, b: {type: string},
c: {type: string}}, x-kubernetes-validations: [{rule: ` + strconv.Quote(rule) + `}]}}}}}}}}]}}`
		if rule == "has(self.a) != has(self.b)" {
			text = strings.Replace(text, ", maxLength: 9", "", 1)
		}
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range findings(t, string(asJSON)) {
			if f.Check == "LINT-next" {
				got = f.Check
				if f.Hint == "" || !strings.Contains(f.Text, "1.38") ||
					len(f.Edits) == 0 {
					t.Errorf("%s: %+v", rule, f)
				}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}
