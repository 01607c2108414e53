package objectgen

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"cel.dev/cel-go/common/operators"
	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/internal/kit/celsyntax"
)

// What is easy to compute has the value of the language, and the rest none.
func TestEval(t *testing.T) {
	node := NodeOf(schemaOf(t, `{type: object, properties: {
t: {type: string, format: date-time}, d: {type: string, format: duration, default: 2h}}}`))
	self := any(objectOf(t, `{"n": 3, "m": {"k": 1}, "l": ["a", 1.5, "c"],
		"t": "2020-01-01T00:00:00Z"}`))
	for want, expressions := range map[any]string{
		true: `self.n == 3; self['n'] == 3; dyn(self.n) == 3; self.l[0] == 'a'; self.m.size() == 1
self.l.size() == 3; self.?n.orValue(4) == 3; self.?x.orValue(4) == 4; self.l[?1].orValue(2) == 1.5
has(self.n); !has(self.x); has(self.d); self.?n.hasValue(); self.?n.value() == 3; self.m.k == 1
self.t < timestamp('2020-01-01T00:00:01Z'); self.d >= duration('2h'); self.d <= duration('2h')
true || 1 / 0 == 1; 1 / 0 == 1 || true; !(1 / 0 == 1 && false); true && true; false || true
true ? 1 == 1 : x; false ? x : 1 == 1; [1, 'a'] == [1, 'a']; 5u == 5; 1 == 1.0; 'a' != 1
9223372036854775807u > 5; 'é'.size() == 1; int('12') == 12; 'aB'.lowerAscii() == 'ab'
'aB'.upperAscii() == 'AB'; ' a '.trim() == 'a'; string('a') == 'a'; -self.n == -3; int(3) == 3
string(3) == '3'; double(3) == 3; [1, 2].size() == 2; 'a' + 'b' == 'ab'; 'ab'.startsWith('a')
'ab'.endsWith('b'); 'abc'.contains('b'); 'ab'.matches('^ab$'); 'a,b'.split(',') == ['a', 'b']
1 + 2 == 3; 7 - 2 == 5; 3 * 4 == 12; -7 / 2 == -3; -7 % 4 == -3; 1 < 1.5; 'a' < 'b'; 'b' >= 'b'
1 <= 1; 2 >= 2; 1.5 > 1; duration('1h') > duration('59m'); !(duration('1h') < duration('60m'))
quantity('1Gi') > quantity('1023Mi'); quantity('12345678901234567890') > quantity('1')
quantity('1') < quantity('12345678901234567890'); timestamp('1701-01-01T00:00:00Z') < self.t
timestamp('2199-01-01T00:00:00Z') > self.t; self.t + duration('1h') <= timestamp('2020-01-01T01:00:00Z')
self.t + duration('1h') >= timestamp('2020-01-01T01:00:00Z'); duration('3h') - self.d >= duration('1h')
self.t - timestamp('2019-12-31T23:00:00Z') >= duration('1h'); self.t - self.d < self.t`,
		false: `self.n == 4; has(self.x); self.?x.hasValue(); 1 / 0 == 1 && false; false && 1 / 0 == 1
true && false; false || false; !true; 'a' == 1; 1 != 1; 'ab'.startsWith('b'); 'ab'.endsWith('a')
'ab'.contains('c'); 'ab'.matches('^b'); 2 < 2; 3 <= 2; 2 > 2; 2 >= 3; true ? 1 == 2 : true`,
		nil: `self.x; x; self.l[3]; self.l[-1]; self.l[256]; self.n.x; self.?x; null; b'a'; {}; [1, x]
18446744073709551615u; 1 / 0; 1 % 0; 1 / 0 == 1 && true; false || x; x || false; !x; x ? 1 : 2
has('a'.b); int('x'); 'a'.matches('('); 'a' < 1; 1 < 'a'; true < false; 1.5 + 1.5; 'a' - 'b'
1 + 'a'; 'a' + 1; [1] + [2]; -1.5 == -'a'; 'a'.reverse(); 1.unknown(); [1].sum(); self.m.keys()
duration('x'); timestamp('x'); duration('1h') == duration('1h'); quantity('1') != quantity('1')
duration('1h') > quantity('1'); duration('1h') > 1; ip('::1') < ip('::1'); quantity('x') > quantity('1')
quantity('1') > quantity('x'); quantity('1e3') > quantity('1'); quantity('1') > quantity('1E3')
quantity('123456789012345678901') > quantity('1'); quantity('1') > quantity('123456789012345678901')
timestamp('1700-01-01T00:00:00Z'); timestamp('2200-01-01T00:00:00Z'); self.t + self.t; self.d - self.t
self.d * self.d; self.t + 1; self.t - quantity('1'); quantity('1') + self.t; 'a'.replace('a', 'b')`,
	} {
		for text := range strings.SplitSeq(strings.ReplaceAll(expressions, "\n", "; "), "; ") {
			parsed := celsyntax.Parse(text)
			if parsed == nil {
				t.Fatalf("%s is not parsed", text)
			}
			s := &solver{m: &Maker{Rand: randomly()}, cells: map[string]*cell{}}
			in := scope{"self": {cell: &cell{path: "self", node: node,
				get: func() (any, bool) { return self, true }}}}
			if v, ok := s.eval(term{parsed.Expr(), in}); ok != (want != nil) || ok && v != want {
				t.Errorf("%s: %v, %t; want %v", text, v, ok, want)
			}
		}
	}
}

// Schemas, and below each a value, a rule that is to hold, or not to, and what
// the value becomes.
const solved = `
{type: string}
	"b"	self ==	"b"
	"b"	self.x	{"x":true}
	"b"	not self.hasValue()	"b"
	"b"	self == 5	"b"
	"b"	self == 'a'	"a"
	"b"	not self != 'a'	"a"
	"b"	self in ['a', 'c']	"a"	"c"
	"b"	self.split(',').all(x, x == 'a')	"b"
	"b"	self.split(',').isSorted()	"b"
	"b"	'x' + self == 'xa'	"a"
	"b"	self + 'x' == 'ax'	"a"
	"b"	'y' + self == 'xa'	"b"
	"b"	self + 'y' == 'ax'	"b"
	"b"	1 + self == 'ax'	"b"
	"b"	self.replace(',', ';') == 'a'	"a"
	"b"	self.split(',')[0] == 'a'	"a"
	"b"	self.split('')[0] == 'a'	"b"
	"b"	self.split(1)[0] == 'a'	"b"
	"b"	self.find('a')[0] == 'a'	"b"
	"b"	int(self) == 8	"8"
	"b"	int(self) <= 8	"8"	"7"	"-2"
	"b"	double(self) < 8.5	"7.5"	"-1.5"
	"b"	duration(self) == duration('1h')	"1h"
	"b"	duration(self) > duration('1h')	"1h0m1s"	"2h0m0s"	"1h0m0.001s"
	"b"	duration('3h') - duration(self) == duration('1h')	"2h0m0s"
	"b"	duration(self) + duration('1h') == duration('3h')	"2h0m0s"
	"b"	timestamp(self) + duration('1h') == timestamp('2024-01-01T01:00:00Z')	"2024-01-01T00:00:00Z"
	"b"	timestamp('2024-01-01T01:00:00Z') - timestamp(self) == duration('1h')	"2024-01-01T00:00:00Z"
	"b"	timestamp(self) - timestamp('2024-01-01T01:00:00Z') == duration('1h')	"2024-01-01T02:00:00Z"
	"b"	duration('1h') - timestamp(self) == duration('1h')	"2020-01-01T00:00:00Z"	"2030-06-15T12:30:30Z"
	"b"	self.split(',').filter(x, x == 'a').size() == 1	"b"
	"b"	not self.charAt() == 'q'	"b"
	"b"	self.contains('')	"b"
	"b"	duration(self).foo('x')	""	"no duration"	"5s"	"1ms"	"1h"	"3h"
	"b"	duration('1h').foo('x')	"b"
	"b"	cidr(self).containsIP(ip('10.1.2.3'))	"10.1.2.3/32"
	"b"	cidr('10.1.0.0/16').containsIP(self)	"10.1.0.0"	"10.1.0.1"
	"b"	cidr('10.1.0.0/16').containsCIDR(cidr(self))	"10.1.0.0/16"
	"b"	cidr(x).containsIP(self)	"b"
	"b"	x.validate(self).hasValue()	"b"
	"2.0.0"	semver(self).major() == 3	"3.0.0"	"4.0.0"	"2.0.0"	"3.2.3"	"4.2.3"	"2.2.3"
{type: boolean}
	true	self in [false]	false
{type: string, format: byte}
	"YQ=="	string(self) == 'b'	"Yg=="
{type: integer}
	5	self.size() == 3	5
	5	self == 7	7
	5	self != 5	6	4	15
	5	self % 7 == 3	3	10	73
	5	self * 0 == 3	5
	5	self * -2 == 8	-4
	5	self / 4 == 10	40
	5	5 - self > 2	2
	5	int(self) == 9	9
	5	dyn(self) == 9	9
	5	self == x	5
	5	self + x == 12	5
	5	(self > 4 ? x : self) == 3	3
	5	7 in [self]	5
	5	self > 4 ? self == 5 : self == 1	5	1
{type: integer, minimum: 5, maximum: 6}
	5	self != 5	6
	5	self > 6	5
{type: integer, enum: [5, 8, 9]}
	5	self != 5	8	9
	5	self > 8	9
	5	self > 9	5
{type: array, items: {type: string, default: x}}
	[]	not self[3].hasValue()	[]
	["a"]	not self[0].hasValue()	[]
	["a"]	self[0] == 'b'	["b"]
	["a"]	sets.contains(self, ['b', 'a', 'b'])	["a","b"]
	["a"]	sets.equivalent(self, ['b'])	["b"]
	["a"]	sets.intersects(['b'], self)	["a","b"]
	["a"]	sets.contains(['b'], self)	["b"]
	["a"]	sets.equivalent(['b'], self)	["b"]
	["a"]	sets.contains(['b'], ['c'])	["a"]
	["a"]	sets.contains(self, 'a')	["a"]
	["a"]	sets.contains(self, [x])	["a"]
	["a"]	not sets.contains(self, ['a'])	["a"]
	["b","a","c"]	self.isSorted()	["a","b","c"]
	["b","a","c"]	not self.isSorted()	["c","b","a"]
	["b","a"]	self.all(x, x == 'c')	["c","c"]
	["b","a"]	self.exists(x, x == 'c')	["c","a"]	["b","c"]
	["b","a"]	self.exists_one(x, x == 'a')	["b","a"]
	["a","a"]	self.exists_one(x, x == 'c')	["c","a"]	["a","c"]
	["b","a"]	not self.all(x, x != 'c')	["c","a"]	["b","c"]
	[]	self.exists(x, x == 'c')	["c"]
	[]	not self.all(x, x != 'c')	["c"]
	["b","a"]	self.all(i, x, x == 'c' || i < 1)	["b","c"]	["c","c"]
{type: array, items: {type: boolean}}
	[]	self.size() < 0	[]
	[]	self.size() == 300	[]
	[true]	self.size() == 0	[]
	[true]	self.size() >= 1	[true]
	[]	self.size() == 1	[true]	[false]
	[false]	true in self	[false,true]
	[true]	true in self	[true]
	[true,false]	not true in self	[false]
{type: array, x-kubernetes-list-type: set, items: {type: boolean}}
	[]	self.size() == 3	[true,false]	[false,true]
{type: array, items: {type: integer}}
	[1,2]	self.sum() == 10	[8,2]	[1,9]
	[1,2]	self.map(x, x * 2).sum() == 10	[3,2]	[1,4]
	[1,2]	self.max() == 7	[7,7]
	[1,2]	self.filter(x, x > 1).size() == 1	[1,2]
	[1,2]	self.filter(x, x == 2).size() == 0	[1,3]	[1,1]	[1,12]
	[]	self.sum() == 10	[]
{type: object, properties: {l: {type: array, items: {type: boolean}}}}
	{}	self.l.size() == 1	{"l":[true]}	{"l":[false]}
	{}	has(self.l) && self.l.size() == 0	{"l":[]}
{type: object, required: [b], properties: {a: {enum: [x]}, b: {enum: [w]}, c: {enum: [z]}}}
	{}	self.size() == 2	{"a":"x","b":"w"}
	{"c":"z"}	self.size() == 2	{"a":"x","c":"z"}
	{"a":"x","b":"w","c":"z"}	self.size() == 2	{"b":"w","c":"z"}
	{"a":"x","b":"w","c":"z"}	self.size() == 0	{"b":"w"}
	{}	self.size() == 4	{"a":"x","b":"w","c":"z"}
	{"a":"x","b":"w"}	not has(self.b)	{"a":"x","b":"w"}
	{"a":"x","b":"w"}	not has(self.a)	{"b":"w"}
	{"b":"w"}	has(self.c)	{"b":"w","c":"z"}
	{"b":"w"}	has(self.c) && self.b == 'z'	{"b":"w","c":"z"}
{type: object, additionalProperties: {type: string, enum: [v]}}
	{}	self.size() == 2	{"k0":"v","k1":"v"}
	{"k0":"v"}	self.size() == 2	{"k0":"v","k1":"v"}
	{}	self.exists(k, k == 'a')	{"a":"v"}
	{"b":"v"}	self.all(k, k == 'a')	{"a":"v"}
	{"b":"v"}	self.all(k, k == 'b')	{"b":"v"}
	{"b":"v"}	not 'b' in self	{}
	{}	'b' in self	{"b":"v"}
	{"b":"v"}	self.all(k, k.x == 'a')	{"b":"v"}
	{"b":"v"}	not self.all(k, k.hasValue())	{"b":"v"}
{type: object}
	{}	self.exists(k, k == 'a')	{}
{type: object, properties: {a: {type: string, default: d}, o: {type: object, default: {z: q}, properties: {x: {type: string}, z: {type: string}}}}}
	{}	'a' in self	{"a":"d"}
	{}	has(self.a)	{}
	{}	self.o.x == 'y'	{"o":{"x":"y","z":"q"}}
	{"a":"e"}	not has(self.a)	{}
{type: object, properties: {s: {type: string}, b: {type: boolean}}}
	{"s":"x"}	self.s.size() < 0 || self.b	{"b":true,"s":"x"}
	{"s":"abcdef"}	self.s.size() < 4 && self.s.size() >= 3	{"s":"aef"}
	{"s":"abc"}	self.s.size() > 4 && self.s.size() <= 5	{"s":"abbbc"}
	{"s":"abcd"}	self.s.size() == 5 && self.s.size() < 9	{"s":"abccd"}
	{"s":"abcd"}	self.s.size() != 4 && self.s.size() <= 6	{"s":"abccd"}
	{"s":"a"}	self.s.size() == 0	{"s":""}
	{"s":""}	self.s.size() == 2	{"s":"aa"}
	{"s":"abc"}	self.s.size() < 5 && self.s.size() > 4	{"s":"abc"}
{type: object, properties: {a: {type: boolean}, b: {type: boolean}}}
	{"a":true,"b":true}	self.a ? self.b : !self.b	{"a":true,"b":true}	{"a":false,"b":false}
	{"a":true,"b":true}	not self.a ? self.b : !self.b	{"a":true,"b":false}	{"a":false,"b":true}
	{"a":true,"b":true}	not self.a && self.b	{"a":true,"b":false}	{"a":false,"b":true}
	{"a":false,"b":true}	self.a && self.b	{"a":true,"b":true}
	{"a":true,"b":false}	self.a || self.b	{"a":true,"b":false}	{"a":true,"b":true}
	{"a":true,"b":true}	not self.a || self.b	{"a":false,"b":false}
	{"a":true,"b":true}	[self.a, self.b].exists_one(x, x)	{"a":true,"b":false}
	{"a":true,"b":false}	not [self.a, self.b].exists_one(x, x)	{"a":false,"b":false}
	{"a":true,"b":false}	self.a == self.b	{"a":true,"b":true}	{"a":false,"b":false}
	{"a":false,"b":false}	[self.a, self.b].filter(x, x).size() == 1	{"a":true,"b":false}
	{"a":false,"b":true}	[self.a, self.b].filter(x, x).size() == 1	{"a":false,"b":true}
	{"a":true,"b":true}	[self.a, self.b].filter(x, x).size() >= 1	{"a":true,"b":true}
	{"a":true,"b":true}	[self.a, self.b].filter(x, x).size() < 1	{"a":false,"b":false}
`

// A rule is solved in each of the ways that there are, and in no other.
func TestSolved(t *testing.T) {
	var n Node
	for line := range strings.SplitSeq(strings.TrimSpace(solved), "\n") {
		columns := strings.Split(line, "\t")
		if columns[0] != "" {
			n = NodeOf(schemaOf(t, line))
			continue
		}
		rule, isUnwanted := strings.CutPrefix(columns[2], "not ")
		seen := map[string]bool{}
		for seed := range uint64(40) {
			m := &Maker{Rand: rand.New(rand.NewPCG(seed, 1))}
			before := objectOf(t, `{"v":`+columns[1]+`}`)["v"]
			v, changed := m.Solve(rule, !isUnwanted, n, before)
			text, err := jsonvalue.EncodeJSON(v)
			if err != nil || changed != (string(text) != columns[1]) {
				t.Errorf("%s %s: %s, %t, %v", columns[1], columns[2], text, changed, err)
			}
			seen[string(text)] = true
		}
		want := slices.Sorted(slices.Values(columns[3:]))
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(seen))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", columns[1], columns[2], diff)
		}
	}
}

// A rule is read up to a number of steps.
func TestSpent(t *testing.T) {
	parsed := celsyntax.Parse("timestamp(self)").Expr()
	for steps, want := range map[int]string{
		0:                  "true false true true true true true",
		maxSolverSteps - 1: "false true true false false true true",
		maxSolverSteps:     "false true false false false false false",
	} {
		var got []string
		for _, call := range []func(s *solver, of, self term) bool{
			func(s *solver, of, _ term) bool { _, ok := s.eval(of); return ok },
			func(s *solver, of, _ term) bool { return s.reads(of, &cell{}) },
			func(s *solver, _, self term) bool { return s.satisfy(self, true) },
			func(s *solver, of, _ term) bool { return s.sample(of) },
			func(s *solver, of, _ term) bool { return s.ground(of) },
			func(s *solver, _, self term) bool { return s.assign(self, operators.Equals, "a") },
			func(s *solver, of, _ term) bool { return s.oneOf(of.args()[0], []any{"a"}) },
		} {
			s := &solver{m: &Maker{Rand: randomly()}, cells: map[string]*cell{}, steps: steps}
			c := &cell{path: "self", set: func(any) {},
				get: func() (any, bool) { return "2020-01-01T00:00:00Z", true }}
			of := term{parsed, scope{"self": {cell: c}}}
			got = append(got, fmt.Sprint(call(s, of, of.args()[0])))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("after %d steps: %s, want %s", steps, text, want)
		}
	}
}

// Values of small schemas are those that the keywords allow, and each is made.
func TestMade(t *testing.T) {
	for text, want := range map[string]string{
		"{type: boolean, nullable: true}":                                           "true false null",
		"{type: string, format: nothing, maxLength: 0}":                             `""`,
		"{type: string, format: hostname, maxLength: 1}":                            `"a"`,
		"{type: string, pattern: '^[α-ω]?b$', minLength: 2}":                        `"αb"`,
		"{type: string, pattern: '^[^!-_b-~]$'}":                                    `"a"`,
		"{type: string, pattern: '^(?:y{2}|z+)$', minLength: 2, maxLength: 3}":      `"yy" "zz" "zzz"`,
		"{type: number, minimum: 1, maximum: 1}":                                    "1 1.0",
		"{x-kubernetes-int-or-string: true, minimum: 1, maximum: 1, pattern: '^$'}": `1 ""`,
		"{type: array, minItems: 2, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: " +
			"{type: object, required: [v], properties: {k: {enum: [1], default: 1}, v: {enum: [2]}}}}": `[{"k":1,"v":2}] [{"v":2}]`,
		"{properties: {a: {enum: [1]}}}": `{} {"a":1}`,
	} {
		m, seen := &Maker{}, map[string]bool{}
		for seed := range uint64(60) {
			m.Rand = rand.New(rand.NewPCG(seed, 1))
			made, err := jsonvalue.EncodeJSON(m.New(NodeOf(schemaOf(t, text)), nil))
			if seen[string(made)] = true; err != nil {
				t.Error(err)
			}
		}
		got := slices.Sorted(maps.Keys(seen))
		if diff := cmp.Diff(slices.Sorted(slices.Values(strings.Fields(want))), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	n := NodeOf(schemaOf(t, "{type: object, properties: {a: {enum: [1]}, b: {enum: [2]}}}"))
	m := &Maker{Rand: randomly(), values: TooManyValues + 1}
	v := m.Below(n, NodePath{".b"}, 0)
	if diff := cmp.Diff(map[string]any{"b": int64(2)}, v); diff != "" {
		t.Errorf("beyond the budget: %s", diff)
	}
	for _, c := range []struct {
		m     Maker
		depth int
		want  float64
	}{
		{Maker{}, 0, 0.15}, {Maker{}, 5, 0.65}, {Maker{}, 6, 0.85}, {Maker{Sparse: 0.5}, 2, 0.5},
		{Maker{Sparse: 0.5}, 5, 0.65}, {Maker{Sparse: 0.9}, 6, 0.9}, {Maker{values: manyValues}, 0, 0.15},
		{Maker{values: manyValues + 1}, 0, 1},
	} {
		if got := c.m.leaveOut(c.depth); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v at %d: %g, want %g", &c.m, c.depth, got, c.want)
		}
	}
	for inner, want := range map[string]int{"a": maxSample + 1, "": 0} {
		nested := strings.Repeat("(", 12) + inner + strings.Repeat(")+", 12)
		tree, err := syntax.Parse(nested, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		out := sampler{Maker: m}
		if out.sample(tree, 7); out.Len() != want || out.visits > maxVisits+200 {
			t.Errorf("%q: %d bytes after %d visits", inner, out.Len(), out.visits)
		}
	}
}

// A word is a shortest one that a wish and a node allow.
func TestWord(t *testing.T) {
	one, two := int64(1), int64(2)
	m := &Maker{}
	for _, c := range []struct {
		wish wish
		node string
		want string
		ok   bool
	}{
		{wish{}, "{}", "", true}, {wish{in: []string{"a+"}}, "{}", "a", true},
		{wish{in: []string{"a+"}, low: 3}, "{}", "aaa", true},
		{wish{in: []string{"a+", "[ab]{2}"}}, "{}", "aa", true},
		{wish{in: []string{"a+"}, out: []string{"a", "aa"}}, "{}", "aaa", true},
		{wish{in: []string{"a"}, out: []string{"b", "a"}}, "{}", "", false},
		{wish{in: []string{"a*b"}, low: 2, high: &one}, "{}", "", false},
		{wish{in: []string{"a*b"}, low: 2, high: &two}, "{}", "ab", true},
		{wish{in: []string{"a*b"}, low: 2, high: &one}, "{}", "", false},
		{wish{in: []string{"a*b"}, low: 2}, "{}", "ab", true},
		{wish{in: []string{"a*b"}}, "{minLength: 3}", "aab", true},
		{wish{in: []string{"a*b"}, low: 4}, "{minLength: 3}", "aaab", true},
		{wish{in: []string{"aa"}}, "{maxLength: 1}", "", false},
		{wish{in: []string{"aa"}, high: &two}, "{maxLength: 1}", "", false},
		{wish{in: []string{"aa"}, high: &one}, "{maxLength: 2}", "", false},
		{wish{in: []string{"aa"}, high: &two}, "{maxLength: 3}", "aa", true},
		{wish{in: []string{"[ab]"}}, "{pattern: b}", "b", true},
		{wish{in: []string{"a*"}, low: maxWordLength}, "{}", "", false},
		{wish{in: []string{"("}}, "{}", "", false},
	} {
		for range 2 {
			word, ok := m.word(&c.wish, NodeOf(schemaOf(t, c.node)))
			if word != c.want && ok || ok != c.ok {
				t.Errorf("%+v %s: %q, %t; want %q", c.wish, c.node, word, ok, c.want)
			}
		}
	}
	for i := range maxWords {
		w := wish{in: []string{"b"}, out: []string{string(rune('c' + i))}}
		word, ok := m.word(&w, Node{})
		if found := len(m.words) <= maxWords; ok != found || found && word != "b" {
			t.Errorf("%d: %q, %t", len(m.words), word, ok)
		}
	}
}

// A number becomes the nearest integer that there is.
func TestToInt(t *testing.T) {
	for f, want := range map[float64]int64{1.9: 1, -1.9: -1, 1 << 63: math.MaxInt64,
		1e300: math.MaxInt64, -1 << 63: math.MinInt64, -1e300: math.MinInt64, 1 << 62: 1 << 62} {
		if got := toInt(f); got != want {
			t.Errorf("%g is %d, want %d", f, got, want)
		}
	}
}
