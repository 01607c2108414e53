package fasteval_test

import (
	"context"
	"testing"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"

	"github.com/crdsem/crdsem/celrules/internal/common"
	"github.com/crdsem/crdsem/celrules/internal/decl"
	"github.com/crdsem/crdsem/celrules/internal/environment"
	"github.com/crdsem/crdsem/celrules/internal/fasteval"
	"github.com/crdsem/crdsem/celrules/library"
	"github.com/crdsem/crdsem/internal/chapter/profile"
	"github.com/crdsem/crdsem/structural"
)

// serverLimits are the limits of one evaluation on a server.
var serverLimits = environment.Limits{Cost: environment.PerCallLimit}

const schemaText = `{"type":"object","properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},
	"x":{"x-kubernetes-int-or-string":true},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"a":{"type":"integer"}}},
	"k":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}}}},
	"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`

func object() map[string]any {
	return map[string]any{
		"s": "abc", "i": int64(3), "n": 1.5, "b": true, "x": "5%",
		"l": []any{"a", "b", "c"}, "o": map[string]any{"a": int64(1)},
		"k": []any{map[string]any{"a": int64(1), "b": "x"}, map[string]any{"a": int64(2)}},
		"m": map[string]any{"p": int64(1), "q": int64(2)},
	}
}

type self struct {
	raw  any
	node *decl.Node
}

func (s self) ResolveName(name string) (any, bool) {
	return common.Of(s.raw, s.node), name == "self"
}

func (s self) Parent() interpreter.Activation { return nil }

// compile returns both programs of an expression, and the node of the object.
// The first is nil if the expression is left to cel-go.
func compile(
	t testing.TB, rule string,
) (*fasteval.Program, *environment.Program, *decl.Node) {
	t.Helper()
	return compileFor(t, rule, profile.Latest())
}

func compileFor(
	t testing.TB, rule string, p *profile.Profile,
) (*fasteval.Program, *environment.Program, *decl.Node) {
	t.Helper()
	schema, err := structural.Parse([]byte(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	base, err := environment.For(p, library.StoredExpressions)
	if err != nil {
		t.Fatal(err)
	}
	node := new(decl.Universe).Root(schema)
	types := decl.NewScope(node, base.Provider())
	scope, err := base.Scope(types, environment.Variable{Name: "self", Type: types.SelfType()})
	if err != nil {
		t.Fatal(err)
	}
	checked, issues := scope.Compile(rule)
	if issues.Err() != nil {
		t.Fatalf("%s: %v", rule, issues.Err())
	}
	plain, err := base.Plan(checked)
	if err != nil {
		t.Fatalf("%s: %v", rule, err)
	}
	return fasteval.Compile(base, checked), plain, node
}

// TestAgrees compares results and costs with those of cel-go (COST-023).
func TestAgrees(t *testing.T) {
	ctx := context.Background()
	for _, rule := range []string{
		"self.i == 3", "self.i != 3", "self.i + 1 > 3", "self.n < 2.0", "self.n < 2", "-self.i < 0",
		"self.i < 3", "self.i <= 3", "self.i > 3", "self.i >= 3", "self.i <= 2", "self.i >= 4",
		"self.n < 1.5", "self.n <= 1.5", "self.n > 1.5", "self.n >= 1.5", "self.n <= 1.4", "self.n >= 1.6",
		"self.b", "!self.b", "self.b == (self.i > 2)", "self.s == 'abc'", "self.s + 'd' == 'abcd'",
		"self.s.size() == 3", "size(self.l) > 2", "self.s.startsWith('ab')", "self.s.endsWith('x')",
		"self.s.contains('bc')", "self.s.matches('^a.c$')", "self.s in ['abc', 'x']",
		"self.i in [1, 2, 3]", "'b' in self.l", "'p' in self.m", "self.s in []", "has(self.s)",
		"has(self.o.a)", "has(self.m.p)", "has(self.m.z)", "has(self.k[1].b)", "self.m['p'] == 1",
		"self.m.q == 2", "self.l[0] == 'a'", "self.l[self.i - 1] == 'c'", "self.l[self.o.a] == 'b'",
		"self.b ? self.i == 3 : self.i == 4", "(self.b ? self.i : self.o.a) == 3",
		"self.l.all(e, e != 'z')", "self.l.all(e, e != 'a')", "self.l.exists(e, e == 'a')",
		"self.l.exists(e, e == 'c')", "self.l.exists(e, e == 'z')",
		"self.l.exists_one(e, e == 'b')", "self.l.exists_one(e, e != 'b')",
		"self.l.map(e, e + 'x').size() == 3", "self.l.map(e, 1).size() == 3",
		"self.l.filter(e, e != 'a').size() == 2", "self.l.map(e, e != 'a', e).exists(e, e == 'c')",
		"self.m.all(k, self.m[k] > 0)", "self.k.all(e, !has(e.b) || e.b == 'x')",
		"self.k.all(e, self.k.exists_one(f, e.a == f.a))", "self.k.map(e, e.a).sum() == 3",
		"type(self.x) == string", "self.x == '5%'", "self.x == 5", "self.o == self.o",
		"self.l == ['a', 'b', 'c']", "[self.i, 1].max() == 3", "int('5') == 5",
		"duration('1h') < duration('2h')", "self.i < 1 || self.s == 'abc' && self.b", "true",
		"self.s < 'b'", "dyn(self.i) == 3.0", "self.s.lowerAscii().split('b').size() == 2",
		"quantity('1Ki') == quantity('1024')", "self.l.join(', ') == 'a, b, c'",
		"self.l.slice(1, 3).size() == 2", "lists.range(self.i).size() == 3", "!has(dyn(self).z)", "!has(dyn(self).__x__)", "dyn(self)['s'] == 'abc'", "self.l.reverse()[0] == 'c'",
		"self.l.map(e, self.l.filter(f, f == e))[0][0] == 'a'",
	} {
		fast, plain, node := compile(t, rule)
		if fast == nil {
			t.Errorf("%s is not evaluated directly", rule)
			continue
		}
		in := fasteval.Input{Self: object(), Node: node}
		got, cost, ok := fast.Bool(ctx, new(fasteval.Machine), in, serverLimits)
		want, wantCost, err := plain.Eval(ctx, self{object(), node}, serverLimits)
		if err != nil {
			t.Fatalf("%s: %v", rule, err)
		}
		if !ok || types.Bool(got) != want || cost != wantCost {
			t.Errorf("%s: %v, %v, cost %d; want %v, cost %d", rule, got, ok, cost, want, wantCost)
		}
		less := environment.Limits{Cost: wantCost - min(wantCost, 1)}
		if _, _, ok := fast.Bool(ctx, new(fasteval.Machine), in, less); ok && wantCost > 0 {
			t.Errorf("%s: the limit is not kept", rule)
		}
	}
}

// TestAgreesInMinors compares costs that depend on the minor (COST-023).
func TestAgreesInMinors(t *testing.T) {
	for minor := profile.Minor(29); minor <= profile.Newest; minor++ {
		for _, rule := range []string{
			"self.s.startsWith('a')", "'abcdefghijklmnopqrstuvwxyz'.endsWith('z')",
			"(self.s + 'abcdefghijklmnopqrstuvwxyz').startsWith('a')", "self.s.contains('b')",
			"self.s.matches('^a')", "self.l == ['a', 'b', 'c']", "quantity('1Ki') == quantity('1024')",
			"self.l.exists(e, e == 'c')", "[self.i].sum() == 3",
		} {
			fast, plain, node := compileFor(t, rule, profile.Of(minor))
			if fast == nil {
				continue // left to cel-go
			}
			in := fasteval.Input{Self: object(), Node: node}
			got, cost, ok := fast.Bool(t.Context(), new(fasteval.Machine), in, serverLimits)
			want, wantCost, err := plain.Eval(t.Context(), self{object(), node}, serverLimits)
			if err != nil || !ok || types.Bool(got) != want || cost != wantCost {
				t.Errorf("%s in 1.%d: %v, %v, cost %d; want %v, cost %d (%v)",
					rule, minor, got, ok, cost, want, wantCost, err)
			}
		}
	}
}

// TestStops evaluates expressions that are errors in cel-go.
func TestStops(t *testing.T) {
	for _, rule := range []string{
		"self.i / 0 == 1", "self.l[3] == 'a'", "self.l[-1] == 'a'",
		"self.l.map(e, e)[3] == 'a'", "self.l.map(e, e)[-1] == 'a'", "self.m.z == 1", "self.k[1].b == 'x'",
		"self.x + 1 == 2", "dyn(self)['__x__'] == null", "self.i == 3 || self.m.z == 1", "int(self.s) == 1",
		"dyn(self.x).map(e, e).size() == 0", "dyn(self.i).filter(e, true).size() == 0",
		"dyn(self.x).all(e, true)", "dyn(self.x).exists(e, false)", "dyn(self.x).exists_one(e, true)",
		"self.k.map(e, e.b).size() == 2", "self.k.filter(e, e.b == 'x').size() == 1",
		"self.m.map(k, self.m[k] / 0).size() == 2", "self.l.map(e, int(e)).size() == 3",
		"self.k.all(e, e.b == 'x')", "self.s.substring(9) == ''", "self.x < 5",
	} {
		fast, _, node := compile(t, rule)
		if fast == nil {
			t.Errorf("%s is not evaluated directly", rule)
			continue
		}
		raw := object()
		if rule == "self.i == 3 || self.m.z == 1" {
			raw["i"] = int64(4)
		}
		in := fasteval.Input{Self: raw, Node: node}
		if got, _, ok := fast.Bool(t.Context(), new(fasteval.Machine), in, serverLimits); ok {
			t.Errorf("%s: %v, though it is an error", rule, got)
		}
	}
}

// TestLeftToCEL compiles expressions that only cel-go can evaluate.
func TestLeftToCEL(t *testing.T) {
	for _, rule := range []string{
		"self.?s.orValue('') == 'abc'", "self.s.find('b') == 'b'", "{'a': self.i}.a == 3",
		"self.l.all(i, e, i < 5)", "self.n in [1.5, 2.0]",
	} {
		if fast, _, _ := compile(t, rule); fast != nil {
			t.Errorf("%s is evaluated directly", rule)
		}
	}
}

// TestDoneContextStops cancels the context of a long loop.
func TestDoneContextStops(t *testing.T) {
	fast, _, node := compile(t, "self.l.all(e, e == 'a')")
	items := make([]any, 1000)
	for i := range items {
		items[i] = "a"
	}
	ctx, cancel := context.WithCancel(context.Background())
	in := fasteval.Input{Self: map[string]any{"l": items}, Node: node}
	if _, _, ok := fast.Bool(ctx, new(fasteval.Machine), in, serverLimits); !ok {
		t.Error("it stops early")
	}
	cancel()
	if _, _, ok := fast.Bool(ctx, new(fasteval.Machine), in, serverLimits); ok {
		t.Error("it goes on")
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
