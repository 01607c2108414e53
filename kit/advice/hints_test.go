package advice_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/internal/kit/relang"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/kit/advice"
	"github.com/crdsem/crdsem/structural"
)

// decoded decodes an object in YAML, which may begin with a brace.
func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	whole := testschema.Object(t, "x:\n  "+strings.ReplaceAll(text, "\n", "\n  "))
	object, _ := whole["x"].(map[string]any)
	return object
}

// inBranch is the hint on keywords that a node itself lacks.
const inBranch = "the restriction stands in `allOf`, `anyOf` or `oneOf` of the schema: satisfy " +
	"another branch, or the limit that the error names"

// Hints on a value, by the schema of its field and the rule that it breaks.
func TestValues(t *testing.T) {
	long := strings.Repeat("x", 61)
	for _, c := range []struct{ rule, schema, value, want string }{
		{"VAL-020", "{type: string}", "5", "the value 5 is of type integer, the schema wants string; write it in quotes"},
		{"VAL-020", "{type: string}", "1.5", "the value 1.5 is of type number, the schema wants string; write it in quotes"},
		{"VAL-020", "{type: string}", "true", "the value true is of type boolean, the schema wants string; write it in quotes"},
		{"VAL-020", "{type: string}", "{b: [1, x], a: null}",
			`the value {"a":null,"b":[1,"x"]} is of type object, the schema wants string`},
		{"VAL-020", "{type: string}", "null", "the value null is of type null, the schema wants string"},
		{"VAL-020", "{type: array}", "a", "the value \"a\" is of type string, the schema wants array; write it as a list, also if it has one item"},
		{"VAL-020", "{type: object}", "[a]", `the value ["a"] is of type array, the schema wants object`},
		{"VAL-020", "{type: object}", "1e3", "the value 1000 is of type integer, the schema wants object"},
		{"VAL-020", "{x-kubernetes-int-or-string: true}", "true", "the value true is of type boolean, the schema wants integer or string; write it in quotes"},
		{"VAL-020", "{type: integer}", long, "the value \"" + long[:59] + "… is of type string, the schema wants integer"},
		{"VAL-020", "{type: string}", "[" + strings.Repeat("1, ", 200) + "1]", "the value [" + strings.Repeat("1,", 29) +
			"1… is of type array, the schema wants string"},
		{"VAL-020", "{type: integer}", strings.Repeat("😀", 100), "the value \"" + strings.Repeat("😀", 59) + "… is of type string, the schema wants integer"},
		{"VAL-020", "{type: string}", "{a: {b: [" + strings.Repeat("c, ", 99) + "c]}, d: 1}", `the value {"a":{"b":[` + strings.Repeat(`"c",`, 12) +
			`"… is of type object, the schema wants string`},
		{"VAL-020", "{type: integer}", long[:58], "the value \"" + long[:58] + "\" is of type string, the schema wants integer"},
		{"VAL-020", "{type: integer}", long[:59], "the value \"" + long[:59] + "… is of type string, the schema wants integer"},
		{"VAL-020", "{}", "5", "give a value of the type that the schema wants"},
		{"VAL-021", "{type: integer}", "1.5", "the value 1.5 must be an integer: write 1 or 2"},
		{"VAL-021", "{type: integer}", "-1.5", "the value -1.5 must be an integer: write -2 or -1"},
		{"VAL-021", "{type: integer}", "a", "the value \"a\" is of type string, the schema wants integer"},
		{"VAL-022", "{type: string, format: ipv4}", "a", "format `ipv4` looks like `10.0.0.1`"},
		{"VAL-022", "{type: integer, format: other}", "a", "the value \"a\" is of type string, the schema wants integer"},
		{"VAL-023", "{type: string}", "null", "null is no value here; give a value or leave the field out (the schema would allow null with `nullable: true`)"},
		{"VAL-040", "{type: string, maxLength: 2}", "ééé", "the string has 3 characters, `maxLength` is 2: remove 1 or more"},
		{"VAL-040", "{type: string, maxLength: 0}", "a", "the string has 1 character, `maxLength` is 0: remove 1 or more"},
		{"VAL-040", "{type: string, maxLength: 3}", "abc", inBranch},
		{"VAL-041", "{type: string, minLength: 3}", "é", "the string has 1 character, `minLength` is 3: add 2 or more"},
		{"VAL-041", "{type: string, minLength: 3}", "abc", inBranch},
		{"VAL-041", "{type: string, minLength: 3}", "5", "the length of a string is counted in characters, although the error says bytes"},
		{"VAL-042", "{type: string, pattern: '^[a-c]$'}", "d", "the value \"d\" must match the regular expression `^[a-c]$`, e.g. `a`"},
		{"VAL-042", "{type: string, pattern: '^[a-c]$'}", "' a'", "the value \" a\" must match the regular expression `^[a-c]$`, e.g. `a`; it starts or ends with white space"},
		{"VAL-042", "{type: string, pattern: '^a*$', minLength: 3}", "b", "the value \"b\" must match the regular expression `^a*$`, e.g. `aaa`"},
		{"VAL-042", "{type: string, pattern: '^a*$', minLength: 64}", "b", "the value \"b\" must match the regular expression `^a*$`, e.g. `" + strings.Repeat("a", 64) + "`"},
		{"VAL-042", "{type: string, pattern: '^a*$', minLength: 65}", "b", "the value \"b\" must match the regular expression `^a*$`"},
		{"VAL-042", "{type: string, pattern: '^a{64}$'}", "b", "the value \"b\" must match the regular expression `^a{64}$`, e.g. `" + strings.Repeat("a", 64) + "`"},
		{"VAL-042", "{type: string, pattern: '^a*$'}", "b", "the value \"b\" must match the regular expression `^a*$`, e.g. `a`"},
		{"VAL-042", "{type: string, pattern: '^$'}", "b", "the value \"b\" must match the regular expression `^$`"},
		{"VAL-042", "{type: string, pattern: '^a*$', maxLength: 0}", "b", "the value \"b\" must match the regular expression `^a*$`"},
		{"VAL-042", "{type: string, pattern: '^(a|" + strings.Repeat("b", 115) + ")$'}", "5",
			"the value 5 must match the regular expression `^(a|" + strings.Repeat("b", 115) + ")…`, e.g. `a`"},
		{"VAL-042", "{type: string, pattern: '^(a|" + strings.Repeat("b", 114) + ")$'}", "5",
			"the value 5 must match the regular expression `^(a|" + strings.Repeat("b", 114) + ")$`, e.g. `a`"},
		{"VAL-042", "{type: string, pattern: '^a{65}$'}", "b", "the value \"b\" must match the regular expression `^a{65}$`"},
		{"VAL-042", "{type: string, pattern: '^a{2,}$', maxLength: 1}", "b", "the value \"b\" must match the regular expression `^a{2,}$`"},
		{"VAL-042", "{type: string}", "b", inBranch},
		{"VAL-050", "{type: integer, minimum: 3}", "2", "`minimum` is 3, the value 2"},
		{"VAL-050", "{type: number, minimum: 3}", "2.5", "`minimum` is 3, the value 2.5"},
		{"VAL-050", "{type: integer, minimum: 3}", "3", "the schema's bound is compared as an integer, without its fraction"},
		{"VAL-050", "{type: integer, minimum: 3, exclusiveMinimum: true}", "3", "`minimum` is 3, the value 3; the bound is exclusive, the value must be greater than 3"},
		{"VAL-050", "{type: integer, minimum: 3, exclusiveMinimum: true}", "4", "the schema's bound is compared as an integer, without its fraction"},
		{"VAL-051", "{type: integer, maximum: 3}", "4", "`maximum` is 3, the value 4"},
		{"VAL-051", "{type: integer, maximum: 3}", "3", "the schema's bound is compared as an integer, without its fraction"},
		{"VAL-051", "{type: number, maximum: 3.5, exclusiveMaximum: true}", "3.5", "`maximum` is 3.5, the value 3.5; the bound is exclusive, the value must be less than 3.5"},
		{"VAL-051", "{type: number}", "3.5", inBranch},
		{"VAL-051", "{type: number, maximum: 3}", "a", inBranch},
		{"VAL-053", "{type: integer, multipleOf: 5}", "7", "`multipleOf` is 5; the nearest multiples are 5 and 10"},
		{"VAL-053", "{type: integer, multipleOf: 5}", "10", "`multipleOf` is 5; the nearest multiples are 10 and 15"},
		{"VAL-053", "{type: number, multipleOf: 0.5}", "1.75", "`multipleOf` is 0.5; the nearest multiples are 1.5 and 2"},
		{"VAL-053", "{type: integer, multipleOf: 5}", "-7", "`multipleOf` is 5; the nearest multiples are -10 and -5"},
		{"VAL-053", "{type: integer, multipleOf: 5}", "a", "the value must be a multiple of 5"},
		{"VAL-053", "{type: integer, multipleOf: 0}", "7", "`multipleOf` must be positive: fix the schema"},
		{"VAL-053", "{type: integer}", "7", inBranch},
		{"VAL-060", "{type: string, enum: [Always, Never]}", "alway", "did you mean `Always`?"},
		{"VAL-060", "{type: string, enum: [Always, Never]}", "other", "use one of the supported values"},
		{"VAL-060", "{enum: [1, '2']}", "'1'", "the schema wants `1` of type integer, not of type string"},
		{"VAL-060", "{enum: [1, '2']}", "2", "the schema wants `\"2\"` of type string, not of type integer"},
		{"VAL-060", "{enum: [1, '2']}", "3", "use one of the supported values"},
		{"VAL-070", "{type: array, maxItems: 1}", "[1, 2, 3]", "there are 3 items, `maxItems` is 1: remove 2 or more"},
		{"VAL-070", "{type: array, minItems: 4}", "[1]", "the number of items is 1, `minItems` is 4: add 3 or more"},
		{"VAL-070", "{type: array, minItems: 1, maxItems: 1}", "[1]", "the number of items counts defaults too"},
		{"VAL-080", "{type: object, maxProperties: 1}", "{a: 1, b: 2}", "there are 2 properties, `maxProperties` is 1: remove 1 or more"},
		{"VAL-080", "{type: object, minProperties: 1}", "{}", "the number of properties is 0, `minProperties` is 1: add 1 or more"},
		{"VAL-091", "{type: object, anyOf: [{required: [a]}, {required: [b, c]}, {}], oneOf: [{required: [d]}]}", "{}",
			"at least one of the schemas in `anyOf` must hold: set at least one of `a`, `b` with `c`"},
		{"LST-010", "{type: array, x-kubernetes-list-type: set, items: {type: string}}", "[a, a]", "each item of a set may occur once: remove this one"},
	} {
		node, err := structural.FromMap(decoded(t, "type: object\nproperties: {a: "+c.schema+"}"))
		if err != nil {
			t.Fatalf("%s: %v", c.schema, err)
		}
		o := advice.Object{Schema: node, Object: decoded(t, "a: "+c.value)}
		got := o.Hint(t.Context(), &field.Error{Field: "a", Origin: c.rule})
		if got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.rule, c.schema, c.value, got, c.want)
		}
	}
}

// Hints that depend on what is around a field, or on the error.
func TestFields(t *testing.T) {
	schema, err := structural.FromMap(decoded(t, `{type: object, properties: {
		set: {type: array, x-kubernetes-list-type: set, items: {type: string}},
		map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, port],
			items: {type: object, properties: {name: {type: string}, port: {type: integer}}}},
		odd: {type: string}, code: {type: string}, whole: {type: string},
		some: {type: object, required: [size, kind], properties: {size: {type: integer}, kind: {},
				word: {type: string, pattern: "^w$"}},
			anyOf: [{required: [size]}, {required: [kind, size]}, {}], oneOf: [{required: [kind]}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	object := decoded(t, "{some: {sise: 5}, set: [a, a], map: [{name: x}]}")
	object["odd"], object["code"], object["whole"] = math.NaN(), int32(5), 2.0
	old := decoded(t, "metadata: {uid: u, name: n}\nsome: {kind: 3}")
	for _, c := range []struct {
		err  field.Error
		want string
	}{
		{field.Error{Origin: "VAL-081", Field: "some.size"}, "the object has `sise`: did you mean `size`?"},
		{field.Error{Origin: "VAL-081", Field: "some.kind"}, "add `kind`"},
		{field.Error{Origin: "VAL-081", Field: "map[0].port"}, "add `port` (integer)"},
		{field.Error{Origin: "VAL-042", Field: "some.word"}, "the value must match the regular expression `^w$`, e.g. `w`"},
		{field.Error{Origin: "VAL-020", Field: "some.word"}, "give a value of the type that the schema wants"},
		{field.Error{Origin: "VAL-020", Field: "odd"}, "the value NaN is of type number, the schema wants string; write it in quotes"},
		{field.Error{Origin: "VAL-020", Field: "whole"}, "the value 2 is of type integer, the schema wants string; write it in quotes"},
		{field.Error{Origin: "VAL-020", Field: "code"}, "the value 5 is of type value, the schema wants string"},
		{field.Error{Origin: "VAL-082", Field: "some", BadValue: "sise"}, "did you mean `size`?"},
		{field.Error{Origin: "VAL-082", Field: "some", BadValue: "else"},
			"remove `else`: the schema forbids other properties than those it names"},
		{field.Error{Origin: "VAL-091", Detail: `"some" must validate at least one schema`},
			"at least one of the schemas in `anyOf` must hold: set at least one of `size`, `kind` with `size`"},
		{field.Error{Origin: "VAL-092", Detail: `"some" must validate one`},
			"exactly one of the schemas in `oneOf` must hold: set exactly one of `kind`"},
		{field.Error{Origin: "VAL-092", Field: "some", Detail: "no path"},
			"exactly one of the schemas in `oneOf` must hold: set exactly one of `kind`"},
		{field.Error{Origin: "LST-010", Field: "set[1]"}, "each item of a set may occur once: remove this one"},
		{field.Error{Origin: "LST-020", Field: "map[0]"},
			"items are identified by `name`, `port`, which must differ: rename or remove this item"},
		{field.Error{Origin: "META-001", Field: "metadata.name", Type: field.ErrorTypeRequired}, "add `name`"},
		{field.Error{Origin: "META-001", Field: "metadata.namespace", Type: field.ErrorTypeForbidden},
			"the resource is cluster-scoped: remove `namespace`"},
		{field.Error{Origin: "META-001", Field: "metadata.annotations", Type: field.ErrorTypeTooLong},
			"annotations have at most 256 KiB together: keep large data elsewhere"},
		{field.Error{Origin: "META-001", Field: "metadata.uid", Detail: "field is immutable"},
			"the field cannot change: keep `\"u\"`, or leave it out"},
		{field.Error{Origin: "META-001", Field: "metadata.none", Detail: "field is immutable"},
			"the field cannot change after the create: keep the stored value"},
		{field.Error{Origin: "META-001", Field: "metadata.name", BadValue: "My_App."}, "did you mean `my-app`?"},
		{field.Error{Origin: "META-001", Field: "metadata.namespace", BadValue: "a.b"},
			"names are lower-case letters, digits, dashes and dots, and start and end with a letter or digit"},
		{field.Error{Origin: "META-001", Field: "metadata.generateName", BadValue: "A-"}, "did you mean `a`?"},
		{field.Error{Origin: "META-001", Field: "metadata.name", BadValue: "???"},
			"names are lower-case letters, digits, dashes and dots, and start and end with a letter or digit"},
		{field.Error{Origin: "META-001", Field: "metadata.labels"},
			"keys and values of labels have at most 63 letters, digits, `-`, `_` and `.`, and start and end with a letter or digit; values are strings: put numbers in quotes"},
		{field.Error{Origin: "META-001", Field: "metadata.annotations"},
			"keys of annotations are written like those of labels, e.g. `example.com/note`"},
		{field.Error{Origin: "META-001", Field: "metadata.finalizers"},
			"a finalizer is written like `example.com/cleanup`; none can be added during deletion"},
		{field.Error{Origin: "META-001", Field: "metadata.generation"},
			"the server sets `generation`: send the value of the object as it was read"},
		{field.Error{Origin: "META-001", Field: "metadata.other"},
			"look at the example in the rule: metadata is that of every Kubernetes object"},
		{field.Error{Origin: "META-020", Field: "kind", Detail: "must be Tab"}, "write `kind`: `Tab`"},
		{field.Error{Origin: "META-020", Field: "kind", Detail: "is wrong"}, ""},
		{field.Error{Origin: "CEL-091", Detail: "no such key: a"},
			"the rule reads a field that the object lacks: set it; the rule should ask first, e.g. `!has(self.a) || …`"},
		{field.Error{Origin: "CEL-091", Detail: "cost limit exceeded"},
			"the rules cost too much on this object: make its lists, maps and strings smaller, or simplify the rules"},
		{field.Error{Origin: "CEL-092", Detail: "failed rule: x"},
			"the rule is a condition in CEL, which must be true: `self` is the value at the field"},
		{field.Error{Origin: "CEL-092", Detail: "x"}, "a rule of the schema does not hold: the error has its message"},
		{field.Error{Origin: "none"}, ""}, {field.Error{Origin: "rule"}, ""},
	} {
		o := advice.Object{Schema: schema, Object: object, Old: old}
		if got := o.Hint(t.Context(), &c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// Hints on texts of parsers and on unknown fields.
func TestWarnings(t *testing.T) {
	names := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf("property%c: {type: string}", 'A'+i))
		}
		return "{type: object, properties: {" + strings.Join(all, ", ") + "}}"
	}
	below := func(kind string, names ...string) string {
		if kind != "" {
			kind = "type: " + kind
		}
		var all []string
		for _, name := range names {
			all = append(all, name+": {type: object, properties: {x: {"+kind+"}}}")
		}
		return "{type: object, properties: {" + strings.Join(all, ", ") + "}}"
	}
	for _, c := range []struct{ schema, text, want string }{
		{names(2), `unknown field "other"`, "the schema declares `propertyA`, `propertyB` here"},
		{names(8), `strict decoding error: unknown field "other", unknown field "b"`,
			"the schema declares `propertyA`, `propertyB`, `propertyC`, `propertyD`, `propertyE`, " +
				"`propertyF`, `propertyG`, `propertyH` here"},
		{names(9), `unknown field "other"`,
			"the schema does not declare this field: remove it, or add it to the schema"},
		{"{type: object}", `unknown field "other"`,
			"the schema does not declare this field: remove it, or add it to the schema"},
		{names(1), `unknown field "propertyb"`, "did you mean `propertyA`?"},
		{names(1), `unknown field other`, ""},
		{names(1), `duplicate field "a"`, "the key occurs twice in one object; the last one counts"},
		{names(1), "yaml: line 2: found a tab character that violates",
			"YAML indents with spaces only; replace the tabs"},
		{names(1), "fine", ""},
		{"{type: object, properties: {status: {type: object, properties: {phase: {}}}}}",
			`unknown field "phase"`, "the schema declares `status` here"},
		{"{type: object, properties: {spec: {type: object, properties: {status: {type: object, " +
			"properties: {phase: {}}}, metadata: {type: object, properties: {note: {}}}}}}}",
			`unknown field "spec.phase"`, "`phase` belongs below `spec.status`"},
		{"{type: object, properties: {list: {type: array, items: {type: object, properties: " +
			"{phase: {}, a: {type: object}}}}}}", `unknown field "list[0].a.phase"`,
			"`phase` belongs below `list[]`"},
		{below("string", "a", "b", "c", "d"), `unknown field "x"`, "the schema declares `a`, `b`, `c`, `d` here"},
		{below("string", "a", "b", "c"), `unknown field "x"`, "`x` belongs below `a` or below `b` or below `c`"},
		{below("string", "abc", "def"), `unknown field "ab.x"`, "`x` belongs below `abc` or below `def`"},
		{below("number", "abc", "def"), `unknown field "n"`, "the schema declares `abc`, `def` here"},
		{strings.Replace(below("number", "abc", "def"), "number", "string", 1), `unknown field "list[0].x"`, "`x` belongs below `def`"},
		{below("integer", "abc"), `unknown field "list[1].x"`, "`x` belongs below `abc`"},
		{below("integer", "abc"), `unknown field "list[2].x"`,
			"the schema does not declare this field: remove it, or add it to the schema"},
		{below("", "abc"), `unknown field "list[2].x"`, "`x` belongs below `abc`"},
	} {
		node, err := structural.FromMap(decoded(t, c.schema))
		if err != nil {
			t.Fatal(err)
		}
		object := decoded(t, "list: [{x: 1, a: {phase: 1}}, {x: null}, {x: true}]")
		o := advice.Object{Schema: node, Object: object}
		if got := o.Warning(t.Context(), c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"no kind \"A\" is registered": "a CustomResourceDefinition of apiextensions.k8s.io/v1 is " +
			"wanted here; `crdsem admit` reads objects",
		`unknown field "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].ruel"`: "did you mean `rule`?",
		`unknown field "spec.versions[0].schema.openAPIV3Schema.maxlenght"`:                        "did you mean `maxLength`?",
	} {
		if got := new(advice.Definition).Warning(t.Context(), text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A few patterns have an example, each the same one again; those whose programs
// are too large have none.
func TestExamples(t *testing.T) {
	properties, object := map[string]any{}, map[string]any{}
	for i := range 9 {
		name := string(rune('a' + i))
		properties[name] = map[string]any{"type": "string", "pattern": "^" + name + "$"}
		object[name] = "x"
	}
	schema, err := structural.FromMap(map[string]any{"type": "object", "properties": properties})
	if err != nil {
		t.Fatal(err)
	}
	o := advice.Object{Schema: schema, Object: object}
	for range 2 {
		for i := range 9 {
			name := string(rune('a' + i))
			want := "the value \"x\" must match the regular expression `^" + name + "$`"
			if i < 8 {
				want += ", e.g. `" + name + "`"
			}
			err := &field.Error{Field: name, Origin: "VAL-042"}
			if got := o.Hint(t.Context(), err); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
	sizes := map[int]bool{}
	for n := range 20 {
		pattern := "^(a|" + strings.Repeat("b", 580+n) + ")$"
		size := relang.Size(pattern)
		node, err := structural.FromMap(map[string]any{"type": "string", "pattern": pattern})
		if err != nil {
			t.Fatal(err)
		}
		got := (&advice.Object{Schema: node}).Hint(t.Context(), &field.Error{Origin: "VAL-042"})
		if sizes[size] = true; strings.HasSuffix(got, "…`, e.g. `a`") != (size <= 600) {
			t.Errorf("size %d: %s", size, got)
		}
	}
	if !sizes[600] || !sizes[601] {
		t.Errorf("sizes %v", sizes)
	}
}

// There is no hint once the context has ended.
func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	schema, err := structural.FromMap(decoded(t,
		"{type: object, properties: {name: {type: string}}}"))
	if err != nil {
		t.Fatal(err)
	}
	o := &advice.Object{Schema: schema, Object: map[string]any{"nam": "${A}"}}
	d := &advice.Definition{Document: map[string]any{}}
	for _, hint := range []string{
		o.Hint(ctx, &field.Error{Field: "nam", Origin: "VAL-081"}),
		o.Warning(ctx, `unknown field "nam"`),
		d.Hint(ctx, &field.Error{Field: "spec", Origin: "STR-047"}),
		d.Warning(ctx, `unknown field "spec.a"`),
	} {
		if hint != "" {
			t.Errorf("%q", hint)
		}
	}
}
