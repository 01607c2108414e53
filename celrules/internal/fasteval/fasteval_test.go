package fasteval_test

import (
	"context"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
	"github.com/crdsem/crdsem/internal/belowfacade/library"
	"github.com/crdsem/crdsem/internal/belowstructural/profile"
	"github.com/crdsem/crdsem/structural"
)

// serverLimits are the limits of one evaluation on a server.
var serverLimits = environment.Limits{Cost: environment.PerCallLimit}

// limitsOf are the limits of a server of a minor.
func limitsOf(minor profile.Minor) environment.Limits {
	return environment.Limits{Cost: environment.PerCallLimit, Profile: profile.Of(minor)}
}

const schemaText = `{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
	"x":{"x-kubernetes-int-or-string":true},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"a":{"type":"integer"},"":{"type":"integer"}}},
	"k":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}},
	"z":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}},"y":{"type":"string","format":"byte"},
	"t":{"type":"string","format":"date-time","nullable":true},"in-x":{"type":"string"},"e":{"type":"object"},
	"m":{"type":"object","additionalProperties":{"type":"integer"}},"h":{"type":"object","additionalProperties":{"type":"integer","nullable":true}}}}`

func object() map[string]any {
	return map[string]any{
		"s": "abc", "i": int64(3), "n": 1.5, "b": true, "x": "5%", "y": "YQ==", "in-x": "q", "e": map[string]any{"a": int64(1)},
		"l": []any{"a", "b", "c"}, "o": map[string]any{"a": int64(1), "": int64(1)}, "z": []any{int64(2), int64(1)},
		"k": []any{map[string]any{"a": int64(1), "b": "x"}, map[string]any{"a": int64(2)}},
		"m": map[string]any{"p": int64(1), "q": int64(2)}, "t": "2024-01-01T00:00:00Z",
		"h": map[string]any{"p": nil, "q": int64(2), "__x__": int64(1), "a__dot__b": int64(3)},
	}
}

// objects returns the object, and those in which one property that a rule
// names is missing or another value.
func objects(rule string) []map[string]any {
	out := []map[string]any{object()}
	for _, name := range strings.Fields("s i n b x y l o z k m t h e in-x") {
		if !strings.Contains(rule, "elf."+name) && !strings.Contains(rule, "'"+name+"'") {
			continue
		}
		without := object()
		delete(without, name)
		out = append(out, without)
		for _, v := range []any{
			nil, "", "b", "ü", int64(0), int64(4), int64(-1), 2.0, math.NaN(), true, false, []any{}, []any{nil},
			[]any{"c", int64(1)}, []any{int64(1), int64(1)}, []any{"a", "a", "ü"}, []any{map[string]any{"a": int64(1), "b": "x"}},
			[]any{map[string]any{"a": "x", "b": nil}}, map[string]any{}, map[string]any{"p": nil}, map[string]any{"p": "x"},
			map[string]any{"a": nil}, map[string]any{"p": int64(1), "a": int64(2)}, map[string]any{"q": int64(-3), "b": "x"},
		} {
			other := object()
			other[name] = v
			out = append(out, other)
		}
	}
	return out
}

type variables struct{ fasteval.Input }

func (v variables) ResolveName(name string) (any, bool) {
	switch {
	case name == "self":
		return common.Of(v.Self, v.Node), true
	case name != "oldSelf" || !v.HasOld:
		return nil, false
	case v.OldValue != nil:
		return v.OldValue, true
	}
	return common.Of(v.Old, v.Node), true
}

func (v variables) Parent() interpreter.Activation { return nil }

// compile returns both programs of an expression, and the node of the object.
// The first is nil if the expression is left to cel-go.
func compile(
	t testing.TB, rule string,
) (*fasteval.Program, *environment.Program, *decl.Node) {
	t.Helper()
	return compileFor(t, rule, profile.Latest())
}

var schema = sync.OnceValues(func() (*structural.Schema, error) {
	return structural.Parse([]byte(schemaText))
})

func compileFor(
	t testing.TB, rule string, p *profile.Profile,
) (*fasteval.Program, *environment.Program, *decl.Node) {
	t.Helper()
	base, checked, node := checkFor(t, rule, p)
	plain, err := base.Plan(checked)
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return fasteval.Compile(base, checked), plain, node
}

// checkFor returns an expression before it is planned.
func checkFor(
	t testing.TB, rule string, p *profile.Profile,
) (*environment.Env, *ast.AST, *decl.Node) {
	t.Helper()
	schema, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	base, err := environment.For(p, library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	node := new(decl.Universe).Root(schema)
	types := decl.NewScope(node, base.Provider())
	old := types.SelfType()
	if strings.Contains(rule, "oldSelf.hasValue") {
		old = cel.OptionalType(old)
	}
	scope, err := base.Scope(types, environment.Variable{Name: "self", Type: types.SelfType()},
		environment.Variable{Name: "oldSelf", Type: old},
		environment.Variable{Name: "opt", Type: cel.OptionalType(types.SelfType())})
	if err != nil {
		t.Fatal(err)
	}
	checked, issues := scope.Compile(rule)
	if issues.Err() != nil {
		t.Fatalf("%s: %v", rule, issues.Err())
	}
	return base, checked, node
}

// rules are evaluated directly. Those of the second list can hide an error of
// an operand, which is left to cel-go.
var rules = []string{
	"self.i == 3", "self.i != 3", "self.i + 1 > 3", "self.n < 2.0", "self.n < 2", "-self.i < 0", "self.i < 3",
	"self.i <= 3", "self.i > 3", "self.i >= 3", "self.i <= 2", "self.i >= 4", "self.n < 1.5", "self.n <= 1.5",
	"self.n > 1.5", "self.n >= 1.5", "self.n <= 1.4", "self.n >= 1.6", "self.b", "!self.b", "self.b == (self.i > 2)",
	"self.s == 'abc'", "self.s + 'd' == 'abcd'", "self.s.size() == 3", "size(self.l) > 2", "self.s.startsWith('ab')",
	"self.s.endsWith('x')", "self.s.contains('bc')", "self.s.matches('^a.c$')", "self.s in ['abc', 'x']",
	"self.i in [1, 2, 3]", "'b' in self.l", "'p' in self.m", "self.s in []", "has(self.s)", "has(self.o.a)",
	"has(self.m.p)", "has(self.m.z)", "has(self.k[1].b)", "self.m['p'] == 1", "self.m.q == 2", "self.l[0] == 'a'",
	"self.l[self.i - 1] == 'c'", "self.l[self.o.a] == 'b'", "self.b ? self.i == 3 : self.i == 4",
	"(self.b ? self.i : self.o.a) == 3", "self.l.exists_one(e, e == 'b')", "self.l.exists_one(e, e != 'b')",
	"self.l.map(e, e + 'x').size() == 3", "self.l.map(e, 1).size() == 3", "self.l.filter(e, e != 'a').size() == 2",
	"self.k.map(e, e.a).sum() == 3", "type(self.x) == string", "self.x == '5%'", "self.x == 5", "self.o == self.o",
	"self.l == ['a', 'b', 'c']", "[self.i, 1].max() == 3", "int('5') == 5", "duration('1h') < duration('2h')", "true",
	"self.s < 'b'", "dyn(self.i) == 3.0", "self.s.lowerAscii().split('b').size() == 2",
	"quantity('1Ki') == quantity('1024')", "self.l.join(', ') == 'a, b, c'", "self.l.slice(1, 3).size() == 2",
	"lists.range(self.i).size() == 3", "!has(dyn(self).z)", "!has(dyn(self).__x__)", "dyn(self)['s'] == 'abc'",
	"self.l.reverse()[0] == 'c'", "self.l.map(e, self.l.filter(f, f == e))[0][0] == 'a'", "self.i / 0 == 1",
	"self.l[3] == 'a'", "self.l[-1] == 'a'", "self.l.map(e, e)[3] == 'a'", "self.l.map(e, e)[-1] == 'a'",
	"self.m.z == 1", "self.k[1].b == 'x'", "self.x + 1 == 2", "dyn(self)['__x__'] == null", "int(self.s) == 1",
	"dyn(self.i).filter(e, true).size() == 0",
	"self.k.map(e, e.b).size() == 2", "self.k.filter(e, e.b == 'x').size() == 1",
	"self.m.map(k, self.m[k] / 0).size() == 2", "self.l.map(e, int(e)).size() == 3", "self.s.substring(9) == ''",
	"self.x < 5", "self.s.startsWith('a')", "'abcdefghijklmnopqrstuvwxyz'.endsWith('z')",
	"(self.s + 'abcdefghijklmnopqrstuvwxyz').startsWith('a')", "self.s.contains('b')", "self.s.matches('^a')",
	"[self.i].sum() == 3", "self.i - 1 == 2", "self.i * 2 == 6", "self.i % 2 == 1", "self.n + 0.5 == 2.0", "self.n > 2",
	"self.i < 3.5", "dyn(self.n) < dyn(self.i)", "self.n == 1.5", "self.n != 1.5", "self.n == self.n", "self.b == true",
	"self.b != self.b", "self.s != 'abc'", "self.s == self.x", "self.x != '5%'", "self.x == self.i",
	"self.x in ['5%', 'b']", "self.x in [5, 4]", "self.i in [4]", "self.s in ['a', 'b']", "self.s in ['ü', '']",
	"self.s in self.l", "self.i in self.z", "self.i in []", "self.s in ['a', 'b', self.s]", "!(self.s in self.l)",
	"'p' in self.h", "self.x in dyn(self.h)", "size(self.s) == 3", "size(self.m) == 2", "self.y.size() == 1",
	"size(self.l.map(e, e)) == 3", "size(dyn(self.x)) == 1", "size(dyn(self.l)) == 3", "self.y == b'a'",
	"self.y < b'b'", "self.t < timestamp('2025-01-01T00:00:00Z')", "self.t == null", "self.t != null",
	"self.h['q'] == 2", "self.h.q == 2", "self.h[self.s] == 1", "self.h['__x__'] == 1",
	"self.h.a__dot__b == 3", "self.m[self.l[0]] == 1", "self.m[self.x == '5%' ? 'p' : 'q'] == 1",
	"self.in__dash__x == 'q'", "has(self.in__dash__x)", "has(self.h.q)", "has(self.h.p)", "has(self.k[0].b)",
	"has(self.k[self.i].b)", "has(dyn(self).i)", "has(dyn(self).o.a)", "has(dyn(self.h).p)",
	"has(oldSelf.o.a)", "has(oldSelf.i) == has(self.i)", "oldSelf.i == self.i", "oldSelf == self",
	"self.o.a == oldSelf.o.a", "dyn(self).i == 3", "dyn(self).o.a == 1", "dyn(self.m)['p'] == 1", "dyn(self.m).p == 1",
	"dyn(self.l)[0] == 'a'", "dyn(self.l)[self.i] == 'a'", "dyn(self.l).map(e, e)[self.o.a] == 'b'",
	"dyn(self.z)[0] == 2", "dyn(self.s)[0] == 2", "dyn(self.s).a == 2", "self.k[0].a == 1", "self.k[self.o.a].a == 2",
	"self.k.map(e, e)[0].a == 1", "[self.i, 4][self.o.a] == 4", "[[self.i], [4]][0][0] == 3",
	"self.l.map(e, [e, 'x'])[0] == ['a', 'x']", "[self.s, 'c'] == self.l", "[self.i] == [3]",
	"[self.i, self.o.a] != [3, 1]", "self.z == [1, 2]", "self.z + [3] == [1, 2, 3]", "[int] == [type(self.i)]", "[self.b ? self.o : dyn(1)][0].a == 1", "[self.b ? self.o : dyn(1)][0]['a'] == 1", "(self.b ? self.i : dyn(self.s)) == 3", "(self.b ? self.i : dyn(self.n)) < 3", "'p' in (self.b ? self.m : dyn(1))", "(self.b ? self.s : dyn(1)).startsWith('a')", "dyn(self.i) + 1 == 4", "dyn(self.s) + self.x == 'abc5%'", "size(self.b ? self.i : dyn(self.l)) == 3", "size(self.b ? self.n : dyn(self.o)) == 1", "!dyn(self.x)", "dyn(self.x) ? true : self.b", "(dyn(self.b) ? self.s : self.x) == 'abc'", "self.e == self.e", "self.i in [1, 2].map(e, e)", "size(dyn(self.e)) == 0", "self.h.map(k, dyn(self.h)[k] == null).size() == 4", "dyn(self.h)['p'] == null", "(self.z + [3]).size() == 3",
	"(self.l + ['d']).size() == 4", "self.l.map(e, e) == self.l", "self.l.map(e, e + e) == ['aa', 'bb', 'cc']",
	"self.l.filter(e, true) == self.l", "self.l.filter(e, false) == []", "self.m.map(k, k) == ['p', 'q']",
	"self.m.filter(k, self.m[k] > 1) == ['q']",
	"self.m.exists_one(k, k == 'q')", "self.k.map(e, e.a)[1] == 2", "self.k.map(e, e.a > 0, e.a + 1) == [2, 3]",
	"self.l.exists_one(e, e == self.s)",
	"self.l.map(e, self.m.map(k, k + e)).size() == 3", "[1, 2].map(e, e + self.i) == [4, 5]",
	"self.l.slice(0, 2).map(e, e).size() == 2", "self.l.slice(0, 2)[0] == 'a'", "(self.b ? self.s : self.x) == 'abc'",
	"(self.b ? self.l[0] : self.s) == 'a'", "(self.i > 3 ? [self.i] : [1]) == [1]", "self.b ? self.b : self.x == 5",
	"self.b ? has(self.s) : has(self.i)", "(self.b ? self.m['p'] : self.i) == 1", "self.s.contains('')",
	"self.s.contains('abcdefghijkl')", "self.s.contains(self.l[0])", "self.s.startsWith(self.l[0])",
	"self.s.endsWith('bc')", "self.x.startsWith('5')", "dyn(self.x).matches('5')", "self.s.matches('')",
	"matches(self.s, 'b')", "matches('abcdefghijklmnopqrstuvwxyz', 'z')", "self.s + self.s == 'abcabc'",
	"self.s + self.x == ''", "self.i + self.i == 6", "type(self.i) == int", "type(self.s) == type(self.x)",
	"type(self.l) == list", "int(self.x) == 5",
	"string(self.i) == '3'", "double(self.i) == 3.0", "self.s < self.l[0]", "self.s >= 'abc'", "self.b < true",
	"duration(self.s) > duration('1s')", "isQuantity(self.s)", "quantity(self.s).isInteger()",
	"url('https://a/b').getHost() == self.s", "ip('1.2.3.4').family() == self.i", "self.l.isSorted()",
	"self.l.indexOf('c') == 2", "self.s.charAt(1) == 'b'", "self.s.replace('a', 'b') == 'bbc'",
	"sets.contains(self.l, ['a'])", "lists.range(self.i) == [0, 1, 2]", "self.s.format([]) == 'abc'",
	"'%s'.format([self.x]) == '5%'", "dyn(self.x) == dyn(self.i)", "dyn(self.x) < dyn(self.s)", "self.k == self.k",
	"self.o != self.o", "self.k[0] == self.k[1]", "self.m == self.h", "self.l.size() == self.i",
	"null == dyn(self.t)", "text self.s", "text self.s + self.x", "text 'a' + self.l[0]", "text self.b ? self.s : 'no'",
	"text string(self.i)", "text self.l.join(',')", "text 'constant'", "text self.k[0].b", "text oldSelf.s + self.s",
	"optional.of(self.m.z).hasValue()", "self.m[self.s] == self.m.z", "self.m.z in self.l.map(e, 1)",
	"self.l.map(e, 1) == [self.m.z]", "size(dyn(self).z) == 1", "dyn(self.m)[self.l[9]] == 1", "dyn(self)['z'][self.i] == 1",
	"has(dyn(self).z.a)", "self.m[self.l[self.i]] == 1", "self.l.map(e, e)[self.m.z] == 'a'", "self.m.z == self.m.y",
	"self.l.map(int, int) == self.l", "google.protobuf.NullValue.NULL_VALUE < self.i",
	"[self.b ? self.o : dyn(1), self.b ? self.e : dyn(1)].map(e, e.a) == [1]",
	"[self.b ? self.o : dyn(1)][0].__bad__ == 1", "dyn(self.t)[self.i] == 1",
}

// newer finds functions that the oldest minor does not have.
var newer = regexp.MustCompile(`lists\.|slice|reverse|ip\(`)

var hiding = []string{
	"[self.b ? self.o : dyn(1), self.b ? self.e : dyn(1)].map(e, has(e.a)) == [true, false]",
	"dyn(self.x).map(e, e).size() == 0", "dyn(self.x).exists_one(e, true)", // an empty string, since 1.38
	"has(dyn(self.x).a)", "dyn(self.o).map(k, k).size() == 1", "(self.b ? self.o : dyn(1)).map(k, k).size() == 1",
	"(self.b ? self.e : dyn(1)).map(k, k).size() == 1", "[self.b ? self.o : dyn(1)][0][self.s] == 1",
	"[self.b ? self.l : dyn(1)][0][dyn(self.n)] == 'a'", "[self.b ? self.l : dyn(1)][0][dyn(self.i)] == 'a'",
	"'a' in (self.b ? self.o : dyn(1))", "self.l.all(e, e != 'z')", "self.l.all(e, e != 'a')", "self.l.exists(e, e == 'a')", "self.l.exists(e, e == 'c')",
	"self.l.exists(e, e == 'z')", "self.l.map(e, e != 'a', e).exists(e, e == 'c')", "self.m.all(k, self.m[k] > 0)",
	"self.k.all(e, !has(e.b) || e.b == 'x')", "self.k.all(e, self.k.exists_one(f, e.a == f.a))",
	"self.i < 1 || self.s == 'abc' && self.b", "self.i == 3 || self.m.z == 1", "dyn(self.x).all(e, true)",
	"dyn(self.x).exists(e, false)", "self.k.all(e, e.b == 'x')", "self.m.exists(k, k == 'q')",
	"self.k.exists(e, e.a == 2)", "self.l.all(e, self.l.all(f, self.l.all(g, e != 'z')))", "[1, 2].all(e, e < self.i)",
	"[].all(e, e < self.i)", "[self.i].exists(e, e == 3)", "self.l.slice(0, 2).all(e, e != self.s)",
	"self.s.split('').exists(e, e == 'b')", "self.i == 3 || self.m.p == 1", "self.b && self.s == 'abc'",
	"self.s == 'abc' && self.b", "!(self.b || self.i < 4) && self.s == 'b'", "self.l.all(e, e != 'a' || self.b)",
}

// run evaluates a program of either result type.
func run(
	p *fasteval.Program, text bool, in fasteval.Input, limit uint64,
) (value ref.Val, cost uint64, ok bool) {
	limits := environment.Limits{Cost: limit}
	if text {
		s, cost, ok := p.Text(context.Background(), new(fasteval.Machine), in, limits)
		return types.String(s), cost, ok
	}
	b, cost, ok := p.Bool(context.Background(), new(fasteval.Machine), in, limits)
	return types.Bool(b), cost, ok
}

// TestAgrees compares results, costs and limits with those of cel-go, in the
// newest minor and in those in which something that is evaluated changed
// (COST-023). An evaluation stops exactly where cel-go's fails.
func TestAgrees(t *testing.T) {
	for _, minor := range []profile.Minor{profile.Newest, 36, 30} {
		for i, rule := range slices.Concat(rules, hiding) {
			if minor == profile.Oldest && newer.MatchString(rule) {
				continue
			}
			t.Run(rule, func(t *testing.T) { agrees(t, rule, minor, i >= len(rules)) })
		}
	}
}

func agrees(t *testing.T, rule string, minor profile.Minor, hides bool) {
	rule, text := strings.CutPrefix(rule, "text ")
	fast, plain, node := compileFor(t, rule, profile.Of(minor))
	if fast == nil {
		if minor == profile.Newest {
			t.Error("it is not evaluated directly")
		}
		return
	}
	for _, self := range objects(rule) {
		in := fasteval.Input{Self: self, Node: node, HasOld: true, Old: object()}
		want, wantCost, err := plain.Eval(t.Context(), variables{in}, limitsOf(minor))
		got, cost, ok := run(fast, text, in, serverLimits.Cost)
		if ok && (got != want || cost != wantCost) || ok != (err == nil) && (ok || !hides) {
			t.Errorf("%v: %v, %v, cost %d; want %v, cost %d, %v",
				self, got, ok, cost, want, wantCost, err)
		}
		if !ok {
			continue
		}
		if got, _, ok = run(fast, text, in, cost); !ok || got != want {
			t.Errorf("the limit %d is too small", cost)
		}
		if _, _, ok = run(fast, text, in, cost-1); ok && cost > 0 {
			t.Error("the limit is not kept")
		}
	}
}

// TestLeftToCEL compiles expressions that only cel-go can evaluate.
func TestLeftToCEL(t *testing.T) {
	for _, rule := range []string{
		"self.?s.orValue('') == 'abc'", "self.s.find('b') == 'b'", "{'a': self.i}.a == 3", "dyn(self.o) == {}", "self.s.findAll('b') == []",
		"self.s.matches(self.s)", "self.s.matches(dyn(1))", "matches(self.s, self.x)", "[?self.?s].size() == 1", "self.l[?0].hasValue()",
		"(self.b ? self.o : self.o).a == 1", "(self.b ? self.l : self.l)[0] == 'a'", "opt.optMap(v, v.i).hasValue()",
		"opt.optFlatMap(v, v.?i) == optional.of(1)", "self.l.exists(i, e, e == 'a')", "self.l.existsOne(i, e, i == 1)",
		"self.l.transformList(i, e, e) == self.l", "self.l.transformMap(i, e, e) == {}", "self.l.sortBy(e, e) == self.l", "[].sortBy(e, e) == []",
		"[?opt].map(e, e.i) == [1]", "opt.or(opt) == opt", "opt.orValue(self) == self", "opt.?s.hasValue()", "self.m[?'s'].hasValue()", "opt.i == optional.of(1)",
		"self.y in [b'a']", "'a' in {'a': 1}",
		"self.l.all(i, e, i < 5)", "self.n in [1.5, 2.0]", "has((self.b ? self.o : self.o).a)",
	} {
		if fast, _, _ := compile(t, rule); fast != nil {
			t.Errorf("%s is evaluated directly", rule)
		}
	}
}

// TestPlanningFails compiles expressions that cel-go cannot plan.
func TestPlanningFails(t *testing.T) {
	for _, rule := range []string{
		"int('x') == 1", "[int('x'), self.i] == []", "self.s.matches(string('('))", "self.l[int('x')] == ''",
		"dyn(self)[[1]] == 1", "dyn(self.m)[duration('1s')] == 1", "dyn(self)[null] == 1",
		"dyn(self)[b'a'] == 1", "dyn(self)[int] == 1",
		"[type(1)].all(x, x == int)", "[type(1)].filter(x, true) == []", "[type(1)].map(x, x) == []",
	} {
		base, checked, _ := checkFor(t, rule, profile.Latest())
		if _, err := base.Plan(checked); err == nil {
			t.Errorf("%s is planned", rule)
		}
		if fasteval.Compile(base, checked) != nil {
			t.Errorf("%s is evaluated directly", rule)
		}
	}
}

// probe is an oldSelf whose properties are read, or panic.
type probe struct {
	traits.Mapper
	reads  int
	panics bool
}

func (p *probe) Find(ref.Val) (ref.Val, bool) {
	if p.reads++; p.panics {
		panic("find")
	}
	return types.True, true
}

// TestStopsSoon evaluates loops over the limit, or in a context that has ended,
// and counts the rounds before they stop. The costs are those of charges.go.
func TestStopsSoon(t *testing.T) {
	items := make([]any, 1000)
	for i := range items {
		items[i] = "a"
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for rule, rounds := range map[string]int{ // within the cost 30
		"self.l.all(e, oldSelf.b)":                              6,  // 2 + n * (3 + 2) > 30
		"self.l.exists(e, !oldSelf.b)":                          5,  // 2 + n * (4 + 3)
		"self.l.exists_one(e, !oldSelf.b)":                      10, // 2 + n * 3
		"self.l.map(e, oldSelf.b).size() == 0":                  3,  // 2 + n * (12 + 2)
		"self.l.filter(e, !oldSelf.b).size() == 0":              10, // 2 + n * 3
		"self.l.all(e, self.l.all(f, !oldSelf.b) || oldSelf.b)": 4,  // 2 + n * (3 + 2 + 6 + 3 + 2), and two reads
	} {
		fast, _, node := compile(t, rule)
		for name, c := range map[string]struct {
			ctx   context.Context
			limit uint64
			want  int
		}{"limit": {t.Context(), 30, rounds}, "context": {ended, 1e6, 100}} {
			old := &probe{}
			in := fasteval.Input{Self: map[string]any{"l": items}, Node: node,
				HasOld: true, OldValue: old}
			_, cost, ok := fast.Bool(c.ctx, new(fasteval.Machine), in,
				environment.Limits{Cost: c.limit})
			if ok || old.reads != c.want {
				t.Errorf("%s, %s: %t after %d rounds, cost %d, want %d",
					rule, name, ok, old.reads, cost, c.want)
			}
		}
	}
}

// TestPanicStops evaluates an expression that panics, then again with the same
// machine, which holds nothing of an object once it is released.
func TestPanicStops(t *testing.T) {
	fast, _, node := compile(t, "self.b && oldSelf.b")
	m := new(fasteval.Machine)
	for _, panics := range []bool{true, false} {
		in := fasteval.Input{Self: map[string]any{"b": true}, Node: node, HasOld: true,
			OldValue: &probe{panics: panics}}
		result, _, ok := fast.Bool(t.Context(), m, in, serverLimits)
		if ok == panics || result == panics {
			t.Errorf("panics: %t: %t, %t", panics, result, ok)
		}
	}
	if m.Release(); !reflect.DeepEqual(*m, fasteval.Machine{}) {
		t.Errorf("%+v", m)
	}
}

// TestLeftToCELFormerly compiles expressions that are left to cel-go in minors
// before 1.37: sums of lists, whose sets changed what they were added to, and
// what is selected from optional values, which had no schema.
func TestLeftToCELFormerly(t *testing.T) {
	for _, rule := range []string{
		"self.l + ['a'] == []", "oldSelf.hasValue()", "[oldSelf].size() == 1 || oldSelf.hasValue()",
	} {
		former, _, _ := compileFor(t, rule, profile.Of(36))
		if newest, _, _ := compile(t, rule); former != nil || newest == nil {
			t.Errorf("%s: %v in 1.36, %v now", rule, former, newest)
		}
	}
}

// TestOldSelf evaluates expressions with an optional oldSelf.
func TestOldSelf(t *testing.T) {
	for _, rule := range []string{
		"oldSelf.hasValue()", "!oldSelf.hasValue()", "oldSelf.hasValue() ? oldSelf.value() == self : self.b",
		"oldSelf.hasValue() == (oldSelf.value().o.a == 1)", "[oldSelf.hasValue()] == [true]",
	} {
		fast, plain, node := compile(t, rule)
		if fast == nil {
			t.Fatalf("%s is not evaluated directly", rule)
		}
		for name, old := range map[string]ref.Val{
			"equal": common.Of(object(), node), "empty": common.Of(map[string]any{}, node), "none": nil,
		} {
			in := fasteval.Input{Self: object(), Node: node, HasOld: true,
				OldValue: types.OptionalNone}
			if old != nil {
				in.OldValue = types.OptionalOf(old)
			}
			want, wantCost, err := plain.Eval(t.Context(), variables{in}, serverLimits)
			got, cost, ok := run(fast, false, in, serverLimits.Cost)
			if ok != (err == nil) || ok && (got != want || cost != wantCost) {
				t.Errorf("%s, %s: %v, %v, cost %d; want %v, cost %d, %v",
					rule, name, got, ok, cost, want, wantCost, err)
			}
		}
		if _, _, ok := run(fast, false, fasteval.Input{Self: object(), Node: node},
			serverLimits.Cost); ok {
			t.Errorf("%s is evaluated without a value of oldSelf", rule)
		}
	}
}

// TestConverted evaluates expressions that convert a long list for cel-go.
func TestConverted(t *testing.T) {
	const most = 1 << 18
	for _, rule := range []string{
		"self.l.map(e, 1) == [self.i]", "[self.i] == self.l.map(e, 1)", "[self.i] in [self.l.map(e, 1)]",
		"self.l.map(e, 1) in [[self.i]]", "sets.contains(self.l.map(e, 1), [self.i])",
	} {
		fast, _, node := compile(t, rule)
		for over, want := range []bool{true, false} {
			if want && strings.HasPrefix(rule, "[") {
				continue // as in another order
			}
			l := make([]any, most-strings.Count(rule, "[")+over)
			for i := range l {
				l[i] = "a"
			}
			in := fasteval.Input{Self: map[string]any{"i": int64(1), "l": l}, Node: node}
			if _, _, ok := run(fast, false, in, math.MaxInt64); ok != want {
				t.Errorf("%s: %d items more: %t", rule, over, ok)
			}
		}
	}
}

// BenchmarkBool evaluates one expression of each frequent shape.
func BenchmarkBool(b *testing.B) {
	for _, rule := range []string{
		"self.i >= 1 && self.i <= 10",
		"has(self.o.a) ? self.o.a > 0 : self.b",
		"self.l.all(e, e.startsWith('a') || e in ['b', 'c'])",
		"self.k.map(e, e.a).size() == 2",
	} {
		b.Run(rule, func(b *testing.B) {
			fast, _, node := compile(b, rule)
			in := fasteval.Input{Self: object(), Node: node}
			var machine fasteval.Machine
			b.ReportAllocs()
			for b.Loop() {
				if ok, _, _ := fast.Bool(b.Context(), &machine, in, serverLimits); !ok {
					b.Fatal("not true")
				}
			}
		})
	}
}
