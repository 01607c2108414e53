package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
	"github.com/crdsem/crdsem/structural"
)

// ruledSchema has a field for each kind of knowledge: r is required.
const ruledSchema = `{"type":"object","required":["r","n","s","l"],"properties":{
	"r":{"type":"boolean"},"b":{"type":"boolean","default":true},"o":{"type":"boolean"},
	"n":{"type":"integer","minimum":1,"maximum":2},"m":{"type":"integer"},
	"s":{"type":"string","enum":["x","y"],"maxLength":3},"t":{"type":"string","minLength":2},
	"l":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"integer","minimum":1,"maximum":2}},
	"p":{"type":"object","properties":{"q":{"type":"boolean"}}},
	"z":{"type":"boolean","nullable":true}}}`

// Each rule has what it can come to: on all objects, if fields can be absent,
// if o is absent, if o is there, and with defaults. A rule that says yes, no or
// fails alone is right for all objects.
func TestExpressions(t *testing.T) {
	root := &node{at: "self", doc: document(t, ruledSchema)}
	for _, c := range []struct{ rule, want string }{
		{"true", "y y y y y"},
		{"self.r", "yn yn yn yn yn"},
		{"!self.r", "yn yn yn yn yn"},
		{"self.b", "yn yn yn yn y"},
		{"self.o", "yn ynf f yn yn"},
		{"!self.o", "yn ynf f yn yn"},
		{"has(self.o)", "yn yn n y yn"},
		{"!has(self.o) || self.o", "yn ynf y yn yn"},
		{"has(self.o) && self.o", "yn ynf n yn yn"},
		{"has(self.r)", "y y y y y"},
		{"has(self.b)", "y y y y y"},
		{"has(self.p) && has(self.p.q)", "yn ynf yn yn yn"},
		{"self.p.q", "yn ynf yn yn yn"},
		{"self.z", "yn ynf yn yn yn"},
		{"self.o ? true : self.r", "yn ynf f yn yn"},
		{"self.r ? true : self.r", "yn yn yn yn yn"},
		{"self.r ? 1 == 1 : 2 > 1", "y y y y y"},
		{"true ? self.n > 2 : self.o", "n n n n n"},
		{"self.n >= 1 && self.n <= 2", "y y y y y"},
		{"self.n < 1 || self.n > 2", "n n n n n"},
		{"self.n == 1", "yn yn yn yn yn"},
		{"self.n == 3", "n n n n n"},
		{"self.n != 3", "y y y y y"},
		{"self.m > 0", "yn ynf yn yn yn"},
		{"self.s in ['x', 'y', 'z']", "y y y y y"},
		{"self.s in ['z']", "n n n n n"},
		{"self.s in ['x']", "yn yn yn yn yn"},
		{"self.s in []", "n n n n n"},
		{"self.o in [true]", "yn ynf f yn yn"},
		{"true in [self.o]", "yn ynf f yn yn"},
		{"self.r in [self.o, self.r]", "yn ynf f yn yn"},
		{"self.s in ['x', 'y', self.t]", "y yf y y y"},
		{"self.s in [self.t]", "yn ynf yn yn yn"},
		{"self.t in ['ab']", "yn ynf yn yn yn"},
		{"self.n in self.l", "yn ynf yn yn yn"},
		{"self.s == 'z'", "n n n n n"},
		{"size(self.s) <= 3", "y y y y y"},
		{"self.s.size() > 3", "n n n n n"},
		{"size(self.l) > 0", "y y y y y"},
		{"size(self.l) > 2", "n n n n n"},
		{"size(self.t) > 1", "y yf y y y"},
		{"size(self.t) > 5", "yn ynf yn yn yn"},
		{"self.l.all(x, x > 0)", "y y y y y"},
		{"self.l.all(x, x > 2)", "yn yn yn yn yn"},
		{"self.l.exists(x, x > 2)", "n n n n n"},
		{"self.l.exists(x, x > 0)", "yn yn yn yn yn"},
		{"self.l.exists_one(x, x > 0)", "yn yn yn yn yn"},
		{"self.l.map(x, x > 0) == [true]", "yn yn yn yn yn"},
		{"self.l.all(x, self.o)", "yn ynf yf yn yn"},
		{"self.l[0] > 2", "n nf n n n"},
		{"self.s.startsWith('x')", "yn ynf yn yn yn"},
		{"self.s.matches(self.t)", "yn ynf yn yn yn"},
		{"self.s.startsWith('x') == self.o", "yn ynf f yn yn"},
		{"self.s.matches('x')", "yn ynf yn yn yn"},
		{"self.o || self.s.contains(self.t)", "yn ynf yf yn yn"},
		{"self.l.filter(x, self.o) == []", "yn ynf ynf yn yn"},
		{"self.l[self.o ? 0 : 1] > 0", "y yf f y y"},
		{"int(self.s) > 0", "yn ynf yn yn yn"},
		{"self.u", "yn ynf yn yn yn"},
		{"oldSelf.o", "yn ynf f yn yn"},
		{"has(oldSelf.o)", "yn yn n y yn"},
		{"self == oldSelf", "yn yn yn yn yn"},
	} {
		var got []string
		for _, a := range []assumptions{
			{}, {isStrict: true}, {absent: ".o"}, {present: ".o"}, {withDefaults: true},
		} {
			parsed := celsyntax.Parse(c.rule)
			if parsed == nil {
				t.Fatal(c.rule)
			}
			r := &rule{w: &walk{steps: 1000}, node: root, root: parsed.Expr()}
			got = append(got, letters(r.in(a)))
		}
		if line := strings.Join(got, " "); line != c.want {
			t.Errorf("%s: %s, want %s", c.rule, line, c.want)
		}
		if !strings.Contains(c.rule, "old") && !strings.Contains(c.rule, "self.u") {
			unsound(t, c.rule, strings.Fields(c.want))
		}
	}
}

// valuedSchema has a field for each kind of value: a few are required.
const valuedSchema = `{"type":"object","required":["n","s","l","p","k","e"],"properties":{
	"n":{"type":"integer","minimum":1,"maximum":2},"f":{"type":"number","default":2.5},
	"s":{"type":"string","enum":["x","y"],"minLength":1,"maxLength":3},
	"t":{"type":"string","default":"d"},"b":{"type":"boolean","default":false},"o":{"type":"boolean"},
	"m":{"type":"integer","minimum":4},"u":{"x-kubernetes-preserve-unknown-fields":true},
	"z":{"type":"string","nullable":true,"enum":["x"],"maxLength":4},"a-b":{"type":"integer","maximum":3},
	"l":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"object","required":["y"],
		"properties":{"x":{"type":"integer"},"y":{"type":"integer","maximum":7}}}},
	"k":{"type":"object","minProperties":1,"maxProperties":3,"additionalProperties":{"type":"string","enum":["v"]}},
	"e":{"type":"array","items":{"type":"integer","maximum":7}},
	"p":{"type":"object","properties":{"q":{"type":"boolean"},
		"r":{"type":"object","required":["c"],"properties":{"c":{"type":"integer","default":5},"d":{"type":"integer"}}}}}}}`

// Each expression has what is known about its value on the objects that are
// assumed: outcomes, strings, bounds, and the path of what is selected.
func TestKnown(t *testing.T) {
	strict := assumptions{isStrict: true}
	withDefaults := assumptions{isStrict: true, withDefaults: true}
	absent := func(path string) assumptions { return assumptions{absent: path} }
	present := func(path string) assumptions { return assumptions{isStrict: true, present: path} }
	strictly := func(path string) assumptions { return assumptions{isStrict: true, absent: path} }
	root := &node{at: "self", doc: document(t, valuedSchema), isRoot: true}
	for _, c := range []struct {
		a          assumptions
		text, want string
	}{
		{strict, "self", "o self"}, {strict, "self.n", "o 1..2 self.n"}, {strict, "self.m", "of 4..+Inf self.m"},
		{absent(".o"), "self.m", "o 4..+Inf self.m"}, {strict, "self.__a__dash__b__", "ynof"},
		{strict, "self.a__dash__b", "of -Inf..3 self.a-b"}, {strict, "self.s", "o [x y] self.s"}, {strict, "self.t", "o self.t"},
		{withDefaults, "self.t", "o [d] self.t"}, {withDefaults, "self.s", "o [x y] self.s"}, {strict, "self.u", "ynof self.u"},
		{strict, "self.u.x", "ynof"}, {assumptions{}, "self.u.x", "yno"}, {strict, "self.z", "ynof self.z"},
		{present(".z"), "self.z", "yno self.z"}, {strict, "self.kind", "o self.kind"}, {strict, "self.metadata.labels", "ynof"},
		{strict, "self.metadata.generateName", "of self.metadata.generateName"}, {strict, "x", "ynof"}, {assumptions{}, "x", "yno"},
		{strict, "self.o", "ynf self.o"}, {strictly(".o"), "self.o", "f"}, {present(".o"), "self.o", "yn self.o"},
		{absent(".o"), "self.o", "f"}, {absent(".o"), "self.o.x", "f"}, {strict, "self.p.r", "of self.p.r"},
		{strict, "self.p.r.c", "of -Inf..+Inf self.p.r.c"}, {withDefaults, "self.p.r.c", "of 5..5 self.p.r.c"},
		{withDefaults, "self.p.r.d", "of -Inf..+Inf self.p.r.d"}, {strictly(".p.r.d"), "self.p.r", "o self.p.r"},
		{strictly(".p.r.d"), "self.p.r.d", "f"}, {strictly(".p.r"), "self.p.r.c", "f"},
		{strictly(".p.rest"), "self.p.r", "of self.p.r"}, {present(".p.r.d"), "self.p.r", "of self.p.r"},
		{present(".p.r"), "self.p.r.d", "of -Inf..+Inf self.p.r.d"}, {strict, "oldSelf", "yno oldSelf"},
		{strict, "oldSelf.o", "ynof oldSelf.o"}, {absent(".o"), "oldSelf.o", "f"}, {strictly(".o"), "oldSelf.o", "ynof oldSelf.o"},
		{present(".o"), "oldSelf.o", "ynof oldSelf.o"}, {assumptions{}, "oldSelf.o", "yno oldSelf.o"}, {strict, "has(self.o)", "yn"},
		{present(".o"), "has(self.o)", "y"}, {strictly(".o"), "has(self.o)", "n"}, {strictly(".p.r.d"), "has(self.p.r)", "y"},
		{strict, "has(self.p.r.c)", "yf"}, {strict, "has(self.p.r.d)", "ynf"}, {strictly(".p.r.d"), "has(self.p.r.d)", "n"},
		{strictly(".p.r"), "has(self.p.r.d)", "f"}, {present(".p.r.d"), "has(self.p.r.d)", "yf"}, {strict, "has(self.u.x)", "ynf"},
		{strict, "has(self.p.no)", "yn"}, {strict, "has(oldSelf.n)", "yn"}, {assumptions{}, "has(oldSelf.n)", "y"},
		{present(".o"), "has(oldSelf.o)", "yn"}, {absent(".o"), "has(oldSelf.o)", "n"}, {strictly(".o"), "has(oldSelf.o)", "yn"},
		{strict, "has()", "ynof"}, {strict, "has(1)", "ynf"}, {strict, "self.e[0]", "of -Inf..7 self.e[]"},
		{assumptions{}, "self.e[0]", "o -Inf..7 self.e[]"}, {strict, "self.k['a']", "of [v] self.k[]"}, {assumptions{}, "x[0]", "yno"},
		{strict, "oldSelf.e[0]", "ynof oldSelf.e[]"}, {strict, "self.l[0].y", "of -Inf..7 self.l[].y"},
		{absent(".o"), "self.e[self.o ? 0 : 1]", "f"}, {absent(".o"), "self.o[0]", "f"}, {strictly(".l[].x"), "self.l[0].x", "f"},
		{present(".l[].x"), "self.l[0].x", "of -Inf..+Inf self.l[].x"}, {assumptions{}, "self.e[self.m]", "o -Inf..7 self.e[]"},
		{strict, "size(self.s)", "o 1..3"}, {strict, "self.e.size()", "o 0..+Inf"}, {strict, "size(self.l)", "o 1..2"},
		{strict, "size(self.z)", "of 0..+Inf"}, {assumptions{}, "size(self.z)", "o 0..+Inf"},
		{strict, "size(oldSelf.s)", "of 0..+Inf"}, {strict, "size(self.u)", "of 0..+Inf"}, {strict, "size([self.o])", "of 0..+Inf"},
		{absent(".o"), "size([self.o])", "f"}, {strict, "size()", "ynof"}, {strict, "self.size(self)", "ynof"},
		{present(".u"), "size(self.u)", "of 0..+Inf"}, {absent(".o"), "size(self.u)", "o 0..+Inf"}, {strict, "[self.o]", "of"},
		{absent(".o"), "[self.n, self.o]", "f"}, {strict, "int(self.s)", "ynof"}, {assumptions{}, "int(self.s)", "yno"},
		{absent(".o"), "int(self.o)", "f"}, {strict, "{'a': self.n}", "ynof"}, {strict, "self.s.contains('a')", "ynf"},
		{assumptions{}, "self.s.contains('a')", "yn"}, {absent(".o"), "self.s.contains(self.o)", "f"},
		{absent(".o"), "self.o.contains('a')", "f"}, {absent(".o"), "self.s.replace('a', self.o)", "yno"},
		{absent(".o"), "self.o.replace('a', 'b')", "f"}, {strict, "self.n > 0 && self.o", "ynf"},
		{absent(".o"), "self.n < 1 && self.o", "n"}, {absent(".o"), "self.o && self.n < 1", "n"},
		{absent(".o"), "self.o || self.n < 3", "y"}, {strict, "self.o ? self.n : self.s", "of"},
		{absent(".o"), "self.n > 5 ? self.o : self.s", "o"}, {absent(".o"), "self.n < 5 ? self.s : self.o", "o"},
		{strict, "self.n > 5 ? true : self.b", "yn"}, {strict, "self.p.q ? true : false", "ynf"},
		{strict, "self.e.all(x, x < 8)", "y"}, {strict, "self.e.exists(x, x > 7)", "n"}, {strict, "self.e.all(i, x, x > 7)", "ynf"},
		{strict, "self.e.all(7, x > 7)", "ynof"}, {strict, "self.e.exists_one(x, self.o)", "ynf"},
		{strict, "self.k.exists(k, k == 'z')", "ynf"}, {strict, "self.l.all(x, self.k.exists(x, x == 'z'))", "ynf"},
		{strict, "self.e.all(x, self.k.exists(x, x > 7))", "ynf"}, {strict, "oldSelf.e.exists(x, x > 7)", "yn"},
		{strict, "self.l.exists(i, self.e.exists(j, i.y > 7))", "n"}, {strict, "self.l.all(i, i.x > 0)", "ynf"},
		{strictly(".l[].x"), "self.l.all(i, i.x > 0)", "f"}, {strictly(".l[].x"), "self.l.exists(i, has(i.x))", "n"},
		{strictly(".l[].x"), "self.l.all(i, has(i.x))", "n"}, {strictly(".l[].x"), "self.l.map(i, i.x)", "f"},
		{strictly(".l[].x"), "self.l.filter(i, has(i.x))", "o"}, {strictly(".o"), "self.l.map(i, self.o)", "of"},
		{strict, "self.l.map(i, i.y)", "o"}, {strict, "self.l.map(i, i.x > 0, i.y)", "of"},
		{present(".u"), "self.u.all(i, true)", "y"}, {strict, "self.u.all(i, true)", "yf"}, {strict, "self.?o.orValue(true)", "ynof"},
		{assumptions{}, "self.?o.orValue(true)", "yno"}, {strict, "self.e.filter(x, x > 7).all(y, y > 7)", "ynf"},
	} {
		r := &rule{w: &walk{steps: 1000}, node: root}
		e := &evaluation{assumptions: c.a, rule: r, vars: map[string]value{
			"self": {node: root}, "oldSelf": {node: root, isOld: true},
		}}
		if got := describe(e.value(celsyntax.Parse(c.text).Expr())); got != c.want {
			t.Errorf("%+v %s: %s, want %s", c.a, c.text, got, c.want)
		}
	}
}

// describe returns what is known about a value, e.g. "of 1..2 self.n".
func describe(v value) string {
	text := letters(v.can)
	if v.is != nil {
		text += fmt.Sprint(" ", v.is)
	}
	if v.isNumber {
		text += fmt.Sprintf(" %v..%v", v.low, v.high)
	}
	switch {
	case v.isOld:
		text += " oldSelf" + v.path
	case v.node != nil:
		text += " self" + v.path
	}
	return text
}

// A rule takes a step for each expression in it, and what is left when they are
// spent may come to anything.
func TestSteps(t *testing.T) {
	root := &node{at: "self", doc: document(t, ruledSchema)}
	for _, c := range []struct {
		text  string
		steps int
		want  string
		left  int
	}{
		{"self.s", 2, "yn", 0}, {"!self.s", 3, "yn", 0}, {"true", 1, "y", 0}, {"true", 0, "ynf", -1}, {"self.r", 2, "yn", 0}, {"self.r", 1, "ynf", -1},
		{"self.n in [1, 2, 3]", 6, "yn", 0}, {"self.r || self.r", 5, "yn", 0}, {"self.l.all(x, x > 0)", 6, "y", 0},
	} {
		w := &walk{steps: c.steps}
		r := &rule{w: w, node: root, root: celsyntax.Parse(c.text).Expr()}
		if got := letters(r.in(assumptions{})); got != c.want || w.steps != c.left {
			t.Errorf("%s in %d: %s, %d left, want %s, %d", c.text, c.steps, got, w.steps,
				c.want, c.left)
		}
	}
}

func letters(o outcome) string {
	text := ""
	for i, letter := range []string{"y", "n", "o", "f"} {
		if o&(1<<i) != 0 {
			text += letter
		}
	}
	return text
}

func document(t *testing.T, text string) map[string]any {
	t.Helper()
	v, _, err := jsonvalue.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object, _ := v.(map[string]any)
	return object
}

// unsound evaluates a rule on many objects, and compares with what it can come
// to on all of them, without the field o, and with it.
func unsound(t *testing.T, text string, can []string) {
	t.Helper()
	withRule := document(t, ruledSchema)
	withRule["x-kubernetes-validations"] = []any{map[string]any{"rule": text}}
	ruled, err := structural.FromMap(withRule)
	if err != nil {
		t.Fatal(err)
	}
	rules := celrules.Compile(ruled)
	for i := range 1 << 7 {
		o := map[string]any{
			"r": i&1 != 0, "n": int64(1 + i>>1&1), "s": []string{"x", "y"}[i>>2&1], "b": true,
			"l": [][]any{{int64(1)}, {int64(2), int64(1)}}[i>>3&1],
		}
		if i>>4&1 != 0 {
			o["o"] = i>>5&1 != 0
		}
		if i>>6&1 != 0 {
			o["p"], o["z"] = map[string]any{"q": i&1 != 0}, i&2 != 0
			o["m"], o["t"] = int64(i&1), "ab"
		}
		came := "y"
		if errs := rules.Validate(t.Context(), o, nil).Errors; len(errs) > 0 {
			came = "n"
			if !strings.Contains(errs[0].Detail, "failed rule") {
				came = "f"
			}
		}
		claims := []string{can[1]}
		if _, has := o["o"]; has {
			claims = append(claims, can[3])
		} else {
			claims = append(claims, can[2])
		}
		for _, claim := range claims {
			if !strings.Contains(claim, came) && !(came == "f" && claim != can[1]) {
				t.Errorf("%s on %v: %s, not among %s", text, o, came, claim)
			}
		}
	}
}

// A field is in every value if it is required, also by the branches of
// junctors, has a default, or is one that every object has.
func TestHas(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{}`, ""},
		{`{"required":["a"]}`, "a"},
		{`{"properties":{"a":{"default":1},"b":{}}}`, "a"},
		{`{"allOf":[{"required":["b"]},{"required":["a"]}]}`, "a b"},
		{`{"anyOf":[{"required":["a","b"]},{"required":["a"]}]}`, "a"},
		{`{"oneOf":[{"required":["b"]},{"required":["a","b"]}]}`, "b"},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}],"oneOf":[{"required":["a"]},{}]}`, ""},
		{`{"allOf":[{"anyOf":[{"required":["a"]}]}]}`, "a"},
		{`{"anyOf":[],"oneOf":[]}`, ""},
		{`{"x-kubernetes-embedded-resource":true}`, "apiVersion kind"},
	} {
		n := &node{at: "x", doc: document(t, c.doc)}
		root := &node{at: "x", doc: n.doc, isRoot: true}
		var has, ofRoot []string
		for _, name := range []string{"a", "apiVersion", "b", "kind", "metadata"} {
			if n.has(name) {
				has = append(has, name)
			}
			if root.has(name) {
				ofRoot = append(ofRoot, name)
			}
		}
		if got := strings.Join(has, " "); got != c.want {
			t.Errorf("%s has %s, want %s", c.doc, got, c.want)
		}
		for _, name := range append(strings.Fields(c.want), "apiVersion", "kind", "metadata") {
			if !slices.Contains(ofRoot, name) {
				t.Errorf("%s: a root has no %s", c.doc, name)
			}
		}
	}
}
