package edit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// typedSchema is a schema in which each field has its type as its name.
const typedSchema = `kind: CustomResourceDefinition
spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - RULE
        properties:
          s: {type: string}
          i: {type: integer}
          n: {type: number}
          b: {type: "boolean"}
          day: {type: string, format: date}
          time: {type: string, format: date-time}
          time2: {type: string, format: datetime}
          wait: {type: string, format: duration}
          raw: {type: string, format: byte}
          ip: {type: string, format: ipv4}
          port: {x-kubernetes-int-or-string: true}
          any: {x-kubernetes-preserve-unknown-fields: true}
          ss: {type: array, items: {type: string}}
          l: {type: array}
          os: {type: array, items: {type: object, properties: {a: {type: string}, min-b: {type: integer}}}}
          si: {type: object, additionalProperties: {type: integer}}
          so: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}
          o: {type: object, properties: {a: {type: string}, o: {type: object}}}
`

// ruleIn returns a key of the rule of typedSchema as an expression.
func ruleIn(t *testing.T, rule, key string, line, offset int) *expression {
	t.Helper()
	text := strings.Replace(typedSchema, "RULE", rule, 1)
	w, lines, _ := wayAt(text)
	schema := newSchemaText(w)
	for _, k := range w.keys {
		if k.key == key {
			return newExpression(lines, schema, k, line, offset)
		}
	}
	t.Fatalf("%s has no %s", rule, key)
	return nil
}

// The type of an expression is what CEL says, as far as it is known: dyn is
// that of all others.
func TestTypes(t *testing.T) {
	for rule, want := range map[string]string{
		"self.s": "string", "self.i": "int", "self.n": "double", "self.b": "bool", "self.day": "timestamp",
		"self.time": "timestamp", "self.time2": "timestamp", "self.wait": "duration", "self.raw": "bytes",
		"self.ip": "string", "self.port": "dyn", "self.any": "dyn", "self.l": "list", "self.none": "dyn",
		"self": "object", "oldSelf.o": "object", "other": "dyn", "other.s": "dyn", "self.s.s": "dyn",
		"self.ss": "list(string)", "self.os": "list(object)", "self.si": "map(string, int)",
		"self.so": "map(string, object)", "self.ss[0]": "string", "self.l[0]": "dyn", "self.si['x']": "int",
		"self.si.x": "int", "self.so.x.a": "string", "self.so['x'].a": "string", "self.os[0].a": "string",
		"self.os[0].min__dash__b": "int", "self.os[0].min-b": "dyn", "self.o.a": "string", "self.o.o.a": "dyn",
		"self.?s":           "optional_type(string)",
		"self.?os[0].a":     "optional_type(string)",
		"self.ss[?0]":       "optional_type(string)",
		"self.?o.?a":        "optional_type(string)",
		"self.?none":        "optional_type(dyn)",
		"self.os[?0].value": "optional_type(dyn)",
		"'a'":               "string", "r'a'": "string", "1": "int", "[1]": "list", "{'a': 1}": "map", "(self.ss)": "list(string)",
		"(self.ss)[0]": "string", "(self.os[0]).a": "string", "[self.s][0]": "dyn", "((self.i))": "int",
		"size(self.ss)": "int", "self.ss.size()": "int", "self.s.size()": "int", "self.s.split(',')": "list(string)",
		"self.s.split(',')[0]": "string", "self.os.filter(x, true)": "list(object)", "self.os.map(x, x.a)": "list",
		"self.os.filter(x, true)[0].a": "string", "self.ss.all(x, true)": "bool", "self.none.size()": "int",
		"self.?s.orValue('')": "string", "self.?os.value()[0].a": "string", "self.?s.hasValue()": "bool",
		"duration('1h')": "duration", "timestamp(self.s)": "timestamp", "self.time.getHours()": "int",
		"quantity('1')": "kubernetes.Quantity", "quantity('1').isInteger()": "bool", "dyn(self.s)": "dyn",
		"none(1)": "dyn", "self.i.size()": "dyn", "self.s.none()": "dyn", "self.ss.sum()": "dyn",
		"self.os.sortBy(x, x.a)": "list(object)", "self.ss.join(',')": "string",
		// The operand ends where it begins to be another one.
		"self.i + self.s": "string", "self.b && !self.ss": "list(string)", "self.s == self.os[self.i].a": "string",
		"size(self.s": "string", "x ? self.s : self.ss": "list(string)", "[self.i, self.ss": "list(string)",
		"self.s self.i": "int", "f(self.s)[0]": "dyn", "self.ss[0][self.i]": "dyn", "self.os.filter(x, x.a == '')[0]": "object",
		"{'a': self.s}.a": "dyn", "self.o.a)": "dyn", "self.": "dyn", "+": "dyn", "": "dyn",
		// Variables of macros.
		"self.os.all(x, x": "object", "self.os.all(x, x.a": "string", "self.ss.all(x, self.os.all(y, x": "string",
		"self.ss.all(x, self.os.all(x, x": "object", "self.ss.all(x, self.os.all(y, true) && x": "string",
		"self.ss.all(x, true) && x": "dyn", "self.ss.all(i, x, i": "int", "self.ss.all(i, x, x": "string",
		"self.si.all(k, k": "string", "self.si.all(k, v, v": "int", "self.si.all(k, v, k": "string",
		"self.ss.none(x, x": "dyn", "self.ss.all(x, [x": "string", "self.ss.all(x, {'a': x": "string",
		"self.ss.all(x, [x][0]": "dyn", "self.ss.all(x, f[0] && x": "string", "self.ss.all(x, y": "dyn",
		"all(x, x": "dyn", "self.?ss.optMap(x, x": "list(string)", "self.ss.all(x": "dyn",
		"self.ss.transformList(i, x, i": "int", "self.ss.all(x, x == x || x": "string",
		"self.ss.all(x, f({'a': [1]}) && x": "string", "self.os.all(x, x.a == self.s && self.si.all(k, k": "string",
	} {
		e := ruleIn(t, "rule: |\n            "+rule, "rule", 1<<20, 0)
		n := len(e.tokens)
		if got := e.typeOf(e.operand(n), n).String(); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}

// A rule is cut into tokens with their places, in each form of a scalar.
func TestTokens(t *testing.T) {
	for _, c := range []struct {
		rule         string
		line, offset int
		want         string
	}{
		{"rule: a.b >= 1.5", 99, 0, "i a 7:16-17, . . 7:17-18, i b 7:18-19, > > 7:20-21, = = 7:21-22, n 1.5 7:23-26"},
		{"rule: a.b >= 1.5", 7, 19, "i a 7:16-17, . . 7:17-18, i b 7:18-19"},
		{"rule: a.b >= 1.5", 7, 0, ""},
		{"rule: a.b >= 1.5", 6, 99, ""},
		{"rule: 'a == ''b'''", 99, 0, "i a 7:17-18, = = 7:19-20, = = 7:20-21, s 'b ' 7:23-27"},
		{`rule: "a == \"b\" && c"`, 99, 0, `i a 7:17-18, = = 7:19-20, = = 7:20-21, s "b " 7:23-27, & & 7:28-29, & & 7:29-30, i c 7:31-32`},
		{"\"rule\": a", 99, 0, "i a 7:18-19"},
		{"rule: |\n            a\n\n              .b", 99, 0, "i a 8:12-13, . . 10:14-15, i b 10:15-16"},
		{"rule: >- # x\n            a\n          message: b", 99, 0, "i a 8:12-13"},
		{"rule: |\n            a\n            b", 8, 13, "i a 8:12-13"},
		{"rule: |\n            a\n            b", 9, 12, "i a 8:12-13"},
		{"rule: a\n            b", 99, 0, "i a 7:16-17, i b 8:12-13"},
		{"{rule: a.b, message: c}", 99, 0, "i a 7:17-18, . . 7:18-19, i b 7:19-20"},
		{"{rule: 'a', message: c}", 99, 0, "i a 7:18-19"},
		{"{rule: 'a''b', message: c}", 99, 0, "i a 7:18-19, s 'b 7:20-22"},
		{"{rule: \"ab\", message: c}", 7, 19, "i a 7:18-19"},
		{"{rule: \"ab", 99, 0, "i ab 7:18-20"},
		{"rule: \"`a b`.r'x'\"", 99, 0, "i `a b` 7:17-22, . . 7:22-23, i r 7:23-24, s 'x' 7:24-27"},
		{"rule: ?\tb_1", 99, 0, "? ? 7:16-17, i b_1 7:18-21"},
		{"rule:", 99, 0, ""},
	} {
		var got []string
		for _, tok := range ruleIn(t, c.rule, "rule", c.line, c.offset).tokens {
			got = append(got, fmt.Sprintf("%c %s %d:%d-%d", tok.kind, tok.text, tok.line,
				tok.start, tok.end))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s: %s", c.rule, diff)
		}
	}
}

// A function takes the types that its receiver stands for, and unknown ones.
// Macros of lists take maps.
func TestTakes(t *testing.T) {
	elem := func(name string) *celType { return &celType{name: name} }
	types := []celType{
		{name: globalReceiver}, {}, {name: "string"}, {name: "list"}, {name: "list", elem: elem("string")},
		{name: "list", elem: elem("int")}, {name: "map"}, {name: "object"}, {name: optionalType},
	}
	for receiver, want := range map[string]string{
		"()": "T........", "string": ".TT......", "list(A)": ".T.TTT...", "list(string)": ".T.TT....",
		"list(dyn)": ".T.TTT...", "list": ".T.TTT...", "map(A, B)": ".T....T..", "dyn": ".TTTTTTTT", "A": ".TTTTTTTT",
		"optional_type(A)": ".T......T",
	} {
		for _, name := range []string{"x", "all", "sortBy"} {
			got := ""
			for _, of := range types {
				f := function{name: name, receiver: receiver}
				if got += "."; f.takes(of) {
					got = got[:len(got)-1] + "T"
				}
			}
			expected := want
			if name == "all" && strings.HasPrefix(receiver, "list") {
				expected = want[:6] + "T.."
			}
			if got != expected {
				t.Errorf("%s of %s takes %s, want %s", name, receiver, got, expected)
			}
		}
	}
}
