package celrules_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/conformance/oracle/kube"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/test/corpus"
	"github.com/crdsem/crdsem/structural"
)

// estimates returns what both report of every rule of a schema, one line for
// each.
func estimates(t testing.TB, schema []byte) (real, ours []string) {
	t.Helper()
	result, err := kube.New()(context.Background(),
		&protocol.Request{Op: protocol.OpCost, Schema: protocol.JSONInput(schema)})
	if err != nil {
		t.Fatal(err)
	}
	rules := result.(protocol.Costs).Rules
	slices.SortStableFunc(rules, func(a, b protocol.CostRule) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Index, b.Index))
	})
	for _, r := range rules {
		var errs []string
		for _, e := range r.Errors {
			errs = append(errs, e.Text)
		}
		real = append(real, estimateLine(check.RuleCost{
			Path:        r.Path,
			Index:       r.Index,
			Rule:        r.Rule,
			MaxCost:     r.MaxCost,
			Cardinality: r.Cardinality,
			Total:       r.Total,
			MessageCost: r.MessageCost,
			UsesOldSelf: r.UsesOldSelf,
		}, errs))
	}
	parsed, err := structural.Parse(schema)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := check.Costs(t.Context(), parsed)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range costs {
		var errs []string
		for _, e := range c.Errors {
			errs = append(errs, e.Error())
		}
		ours = append(ours, estimateLine(c, errs))
	}
	return real, ours
}

func estimateLine(c check.RuleCost, errs []string) string {
	cardinality := "none"
	if c.Cardinality != nil {
		cardinality = fmt.Sprint(*c.Cardinality)
	}
	return fmt.Sprintf("%s[%d] %q max %d cardinality %s total %d message %d oldSelf %v errors %q",
		c.Path, c.Index, c.Rule, c.MaxCost, cardinality, c.Total, c.MessageCost, c.UsesOldSelf,
		errs)
}

func TestCorpusEstimates(t *testing.T) {
	schemas, rules, differences := 0, 0, 0
	for _, s := range corpus.Schemas(t) {
		schemas++
		real, ours := estimates(t, s.Text)
		rules += len(real)
		if slices.Equal(real, ours) {
			continue
		}
		differences++
		t.Errorf("%s: %d and %d rules", s, len(real), len(ours))
		for i := range min(len(real), len(ours)) {
			if real[i] != ours[i] {
				t.Errorf("real %s\nours %s", real[i], ours[i])
			}
		}
	}
	t.Logf("%d schemas, %d rules, %d schemas that differ", schemas, rules, differences)
}

// If the real code rejects a rule for its cost, it accepts the rule with the
// bounds that the advice names.
func TestAdviceIsTrue(t *testing.T) {
	schema := func(items, length string) []byte {
		return []byte(`{"type":"object","properties":{"l":{"type":"array"` + items + `,"items":{"type":"string"` + length +
			`,"x-kubernetes-validations":[{"rule":"self.contains('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')"}]}}}}`)
	}
	unbounded, err := structural.Parse(schema("", ""))
	if err != nil {
		t.Fatal(err)
	}
	costs, err := check.Costs(t.Context(), unbounded)
	if err != nil {
		t.Fatal(err)
	}
	cost := costs[0]
	if len(cost.Missing) != 2 || cost.FitsTogether == 0 {
		t.Fatalf("%+v", cost)
	}
	total := func(n int64) uint64 {
		bound := fmt.Sprint(n)
		result, err := kube.New()(context.Background(), &protocol.Request{
			Op: protocol.OpCost, Schema: protocol.JSONInput(schema(`,"maxItems":`+bound, `,"maxLength":`+bound)),
		})
		if err != nil {
			t.Fatal(err)
		}
		return result.(protocol.Costs).Rules[0].Total
	}
	if fits := total(cost.FitsTogether); fits > check.RuleCostLimit {
		t.Errorf("with %d it costs %d", cost.FitsTogether, fits)
	}
	if over := total(cost.FitsTogether + 1); over <= check.RuleCostLimit {
		t.Errorf("with one more it still costs only %d", over)
	}
	text, _ := json.Marshal(cost)
	t.Logf("%s", text)
}
