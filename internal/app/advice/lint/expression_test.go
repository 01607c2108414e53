package lint

import (
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/celsyntax"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
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

// What a macro comes to if a field is missing in an item.
func TestItems(t *testing.T) {
	root := &node{at: "self", doc: document(t, `{"type":"object","required":["c","d"],"properties":{
		"c":{"type":"array","items":{"type":"object","properties":{"x":{"type":"boolean"}}}},
		"d":{"type":"object","additionalProperties":{"type":"integer","minimum":1,"maximum":2}}}}`)}
	for text, want := range map[string]string{
		"self.c.all(i, i.x)":                "f",
		"self.c.all(i, has(i.x))":           "n",
		"self.c.all(i, !has(i.x) || i.x)":   "y",
		"self.c.exists(i, has(i.x))":        "n",
		"self.c.exists(i, !has(i.x))":       "y",
		"self.c.exists_one(i, has(i.x))":    "yn",
		"self.c.map(i, i.x) == []":          "f",
		"self.c.map(i, has(i.x)) == []":     "yn",
		"self.c.filter(i, i.x) == []":       "f",
		"self.c.filter(i, has(i.x)) == []":  "yn",
		"self.c.all(i, self.c.all(j, j.x))": "f",
		"self.d.all(k, self.d[k] > 0)":      "y",
		"self.d.all(k, self.d[k] > 2)":      "yn",
		"self.d.exists(k, self.d[k] > 2)":   "n",
		"self.d.exists(k, k == 'a')":        "yn",
		"self.d.all(k, k > 1)":              "yn",
	} {
		r := &rule{w: &walk{steps: 1000}, node: root, root: celsyntax.Parse(text).Expr()}
		if got := letters(r.in(assumptions{absent: ".c[].x"})); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
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

func TestSettings(t *testing.T) {
	for _, c := range Checks() {
		if got := (Settings{}).Of(c.ID); got != c.Severity || c.Severity == "" {
			t.Errorf("%s: %q, want %q", c.ID, got, c.Severity)
		}
		if got := (Settings{c.ID: Off}).Of(c.ID); got != Off || !Has(c.ID) {
			t.Errorf("%s: %q, known %t", c.ID, got, Has(c.ID))
		}
	}
	if Has("LINT-none") || Has("") {
		t.Error("an unknown check is known")
	}
}
