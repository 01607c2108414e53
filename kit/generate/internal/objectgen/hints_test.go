package objectgen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/structural"
)

func TestRuleHints(t *testing.T) {
	for _, c := range []struct {
		rule                       string
		members, strings, patterns []string
		numbers                    []int64
	}{
		{rule: "self.a.b == self.a.c", members: []string{"a", "b", "c"}},
		{rule: "has(self.__namespace__) && self.x__dash__y.size() > 5", members: []string{"namespace", "x-y"}, numbers: []int64{5}},
		{rule: `self.type in ['A', "B's"] || self == 'it\'s'`, members: []string{"type"}, strings: []string{"A", "B's", "it's"}},
		{rule: `self.matches('^a\\.b$') && self.name.matches(r"""^\d"+$""")`, members: []string{"name"}, patterns: []string{`^a\.b$`, `^\d"+$`}},
		{rule: "duration(self) > duration('1ms')", strings: append(append(slices.Clone(samplesOf["duration"]), samplesOf["duration"]...), "1ms")},
		{rule: "0x1F < self && self < 18446744073709551616", numbers: nil},
		{rule: "'unfinished", strings: []string{"unfinished"}},
		{rule: "self.a\\", members: []string{"a"}},
		{rule: "sélf.é == 'é'", strings: []string{"é"}, members: nil},
		{rule: ""},
	} {
		h := RuleHints(c.rule)
		if !slices.Equal(h.members, c.members) && len(c.members) > 0 ||
			!slices.Equal(h.strings, c.strings) || !slices.Equal(h.patterns, c.patterns) ||
			!slices.Equal(h.numbers, c.numbers) {
			t.Errorf("%s: %+v", c.rule, h)
		}
	}
}

func TestJunctorHints(t *testing.T) {
	schema, err := structural.Parse([]byte(`
oneOf:
- {required: [b], properties: {a: {enum: [x, 3], minimum: 7}}}
- {not: {anyOf: [{required: [c]}, {items: {pattern: "^z"}}]}}
`))
	if err != nil {
		t.Fatal(err)
	}
	h := junctorHints(schema)
	if !slices.Equal(h.members, []string{"a", "b", "c"}) ||
		!slices.Equal(h.strings, []string{"x"}) || !slices.Equal(h.numbers, []int64{3, 7}) ||
		!slices.Equal(h.patterns, []string{"^z"}) {
		t.Errorf("%+v", h)
	}
}

func TestMatching(t *testing.T) {
	m := &Maker{Rand: rand.New(rand.NewPCG(1, 2))}
	notEmpty, err := structural.Parse([]byte("minLength: 1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^(true|false)$`,
		`^\d{3}-[A-F]{2,4}$`, `^((25[0-5]|2[0-4]\d|1\d\d)\.){3}1$`,
		`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, `^.+/.+$`,
	} {
		if _, ok := m.matching(pattern, NodeOf(notEmpty)); !ok {
			t.Errorf("%s: no sample", pattern)
		}
	}
	if s, ok := m.matching(`(`, Node{}); ok {
		t.Errorf("a bad pattern has a sample: %q", s)
	}
}
