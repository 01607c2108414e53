package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/structural"
)

// bound is a keyword at a path, e.g. maxItems at openAPIV3Schema.items.
type bound struct{ path, keyword string }

// costOf returns the cost of the only rule of a schema in which some bounds
// have a value.
func costOf(t *testing.T, schema string, value int64, bounds ...bound) check.RuleCost {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(schema), &root); err != nil {
		t.Fatal(err)
	}
	for _, b := range bounds {
		at := root
		for _, step := range strings.Split(b.path, ".")[1:] {
			name, key, found := strings.Cut(strings.TrimSuffix(step, "]"), "[")
			if at = at[name].(map[string]any); found {
				at = at[key].(map[string]any)
			}
		}
		at[b.keyword] = value
	}
	text, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := structural.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := check.Costs(t.Context(), parsed)
	if err != nil || len(costs) != 1 {
		t.Fatal(costs, err)
	}
	return costs[0]
}

// A bound that is said to fit does so when the schema has it, and the next
// larger one does not. 0 stands for no such value.
func TestAdvice(t *testing.T) {
	const text = `{"type":"string",` +
		`"x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"}]}`
	for schema, want := range map[string][2]int{ // missing, set
		`{"type":"object","properties":{"a":{"type":"array","items":` + text + `}}}`: {2, 0},
		`{"type":"object","properties":{"a":{"type":"array","maxItems":1000,` +
			`"items":` + text + `}}}`: {1, 0},
		`{"type":"object","additionalProperties":{"type":"array","maxItems":9,` +
			`"items":` + text + `}}`: {2, 0},
		`{"type":"object","properties":{"a":{"type":"array","maxItems":10000000,` +
			`"items":{"type":"object",` +
			`"properties":{"b":{"type":"string","maxLength":5000}},` +
			`"x-kubernetes-validations":[{"rule":"self.b.matches('^[a-z]+$')"}]}}}}`: {0, 2},
		`{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},` +
			`"m":{"type":"object","additionalProperties":{"type":"string","maxLength":9}},` +
			`"namespace":{"type":"string"}},` +
			`"x-kubernetes-validations":[{"rule":"self.l.all(x, ` +
			`self.m.exists(k, self.m[k].startsWith(x) && ` +
			`self.__namespace__.contains(k)))"}]}`: {4, 0},
		`{"type":"object","properties":{"a":{"type":"array","maxItems":9000000,` +
			`"items":` + text + `}}}`: {1, 1},
	} {
		found := costOf(t, schema, 0)
		var missing, set []bound
		fits := func(what string, value int64, bounds ...bound) {
			t.Helper()
			if value > 0 && costOf(t, schema, value, bounds...).Total > check.RuleCostLimit {
				t.Errorf("%s: %s %v do not fit with %d", schema, what, bounds, value)
			}
			if costOf(t, schema, value+1, bounds...).Total <= check.RuleCostLimit {
				t.Errorf("%s: %s %v fit with %d", schema, what, bounds, value+1)
			}
		}
		if got := [2]int{len(found.Missing), len(found.Set)}; got != want {
			t.Errorf("%s: %+v, want %d missing and set", schema, found, want)
		}
		for _, m := range found.Missing {
			b := bound{m.Path, m.Keyword}
			missing = append(missing, b)
			fits("alone", m.Fits, b)
		}
		if len(missing) > 0 {
			fits("together", found.FitsTogether, missing...)
		}
		for _, s := range found.Set {
			b := bound{s.Path, s.Keyword}
			set = append(set, b)
			fits("set", s.Fits, b)
		}
		if len(found.Set) > 0 {
			fits("all", found.FitsAll, append(set, missing...)...)
		}
	}
}
