package objectgen_test

import (
	"encoding/json"
	"fmt"
	"hash"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/kit/generate"
	"github.com/crdsem/crdsem/kit/generate/internal/objectgen"
	"github.com/crdsem/crdsem/structural"
	"github.com/crdsem/crdsem/validation"
)

type node = map[string]any

// A trial makes values of the member v of a schema, and counts how often they
// are as expected. The same seed makes the same values on each machine, so that
// a seed in a report can be run again: a change of them changes the sum.
type trial struct {
	sum   hash.Hash32
	found map[string][2]int
}

func newTrial() trial { return trial{crc32.NewIEEE(), map[string][2]int{}} }

// made adds values to the sum.
func (all trial) made(values ...any) { fmt.Fprintln(all.sum, values...) }

func (all trial) count(name string, ok bool) {
	c := all.found[name]
	if c[1]++; ok {
		c[0]++
	}
	all.found[name] = c
}

// check compares with least percentages. That of other names is 85.
func (all trial) check(t *testing.T, sum uint32, least map[string]int) {
	t.Helper()
	for name, c := range all.found {
		share, ok := least[name]
		if !ok {
			share = 85
		}
		if 100*c[0] < share*c[1] {
			t.Errorf("%s: %d of %d", name, c[0], c[1])
		}
	}
	if got := all.sum.Sum32(); got != sum {
		t.Errorf("the sum is %#x", got)
	}
}

// For generated schemas, most values are valid, have the node that is asked
// for, and break a keyword where and as they are said to.
func TestMaker(t *testing.T) {
	all := newTrial()
	for seed := range uint64(500) {
		root, err := structural.FromMap(node{"type": "object", "properties": node{
			"v": generate.Schema(generate.NewRand(seed), generate.SchemaConfig{Rules: 0.2})}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, kind := range []objectgen.Kind{objectgen.Valid, objectgen.Boundary, objectgen.Wild} {
			all.make(t, &objectgen.Maker{Rand: generate.NewRand(seed), Kind: kind}, root)
		}
	}
	all.check(t, 0xa59e93e7, map[string]int{"valid": 65})
}

// make makes values, and breaks each of their keywords.
func (all trial) make(t *testing.T, m *objectgen.Maker, root *structural.Schema) {
	t.Helper()
	n, judge := objectgen.NodeOf(root.Property("v")), validation.Compile(root)
	v := m.New(n, nil)
	if all.made(v, m.Change(n, jsonvalue.DeepCopy(v))); m.Kind != objectgen.Wild {
		all.count("valid", len(judge.Validate(t.Context(), node{"v": v})) == 0)
	}
	places := objectgen.NewPlaces(n, objectgen.OnUpdate)
	for _, keyword := range places.Keywords {
		target, _ := places.Target(m.Rand, keyword)
		object := node{"v": m.New(n, target.Path)}
		if all.made(target, object); m.Kind == objectgen.Valid {
			all.count("has "+keyword, target.Path.In(object["v"]))
		}
		for _, site := range m.Sites(objectgen.NodeOf(root), object, objectgen.OnUpdate) {
			if site.Keyword == keyword && !site.IsSearched {
				site.Break(m.Rand)
				all.made(object)
				broken := generate.Breakage{Path: site.Path(), Keyword: keyword,
					Type: objectgen.ErrorType(keyword, site.Value)}
				all.count("breaks "+keyword, broken.Among(judge.Validate(t.Context(), object)))
				break
			}
		}
	}
}

// Most values that are solved for a rule keep it or, if that is wanted, break
// it. So do some of those that are changed along its hints.
func TestSolve(t *testing.T) {
	text, err := os.ReadFile("../../testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	schema, all := "", newTrial()
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "\t") {
			rules := strings.Split(strings.TrimSpace(line), "; ")
			all.solve(t, ruled(t, schema, rules), rules[0])
		} else {
			schema = strings.TrimSpace(line)
		}
	}
	all.check(t, 0x3a981213, map[string]int{"is true": 80, "hints suffice": 60})
}

// ruled returns a schema whose member v has rules.
func ruled(t *testing.T, schema string, rules []string) *structural.Schema {
	t.Helper()
	list := []node{}
	for _, rule := range rules {
		list = append(list, node{"rule": rule})
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	root, err := structural.Parse(fmt.Appendf([]byte("---\n"),
		"{type: object, properties: {v: %s, x-kubernetes-validations: %s}}}",
		strings.TrimSuffix(schema, "}"), encoded))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return root
}

// solve makes values keep and break the first of their rules.
func (all trial) solve(t *testing.T, root *structural.Schema, rule string) {
	t.Helper()
	n, rules, judge := objectgen.NodeOf(root.Property("v")), celrules.Compile(root),
		validation.Compile(root)
	holds := func(v any) bool {
		return len(rules.Validate(t.Context(), node{"v": v}, nil).Errors) == 0
	}
	isValid := func(v any) bool { return len(judge.Validate(t.Context(), node{"v": v})) == 0 }
	seen, hints := map[bool]bool{}, objectgen.RuleHints(rule)
	for seed := range uint64(20) {
		m := &objectgen.Maker{Rand: generate.NewRand(seed)}
		v := m.New(n, nil)
		for _, want := range []bool{true, false} {
			solved, changed := m.Solve(rule, want, n, jsonvalue.DeepCopy(v))
			all.made(solved)
			all.count(fmt.Sprint("is ", want), holds(solved) == want)
			if changed == jsonvalue.Equal(v, solved) {
				t.Errorf("%s: %v is said to become %v: %t", rule, v, solved, changed)
			}
			if _, isMap := v.(node); want && !isMap && isValid(v) && !isValid(solved) {
				t.Errorf("%s: %v became %v, which breaks keywords", rule, v, solved)
			}
		}
		for range 15 {
			v = m.ChangeAlong(hints, n, v)
			all.made(v)
			seen[holds(v)] = true
		}
	}
	all.count("hints suffice", len(seen) == 2)
}
