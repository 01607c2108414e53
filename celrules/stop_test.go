package celrules_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/chapter/ruleoptions"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

const everywhere = `{"type":"object","x-kubernetes-validations":[{"rule":"self.a > 5"}],
	"allOf":[{"x-kubernetes-validations":[{"rule":"self.a > 6"}]},{"x-kubernetes-validations":[{"rule":"self.a > 7"}],
		"properties":{"a":{"x-kubernetes-validations":[{"rule":"self > 8"}]}}}],
	"properties":{"a":{"type":"integer"},
	"l":{"type":"array","items":{"type":"array","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 1"},{"rule":"self > 2"}]}}},
	"m":{"type":"object","additionalProperties":{"type":"object","properties":{"x":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 3"}]}}}}}}`

// Once a budget does not pay for a rule, no further rule runs: not in allOf,
// and not in other items, values or fields (COST-002).
func TestNothingRunsAfterBudget(t *testing.T) {
	rules := celrules.Compile(mustParse(t, everywhere))
	object := testschema.Value(t, `{"a":1,"l":[[1,1],[1]],"m":{"k":{"x":1},"n":{"x":2}}}`)
	whole := validate(rules, object, nil)
	want := []string{
		"<nil>: Invalid value: failed rule: self.a > 5",
		"<nil>: Invalid value: failed rule: self.a > 6",
		"<nil>: Invalid value: failed rule: self.a > 7",
		"a: Invalid value: 1: failed rule: self > 8",
	}
	for _, item := range []string{"l[0][0]", "l[0][1]", "l[1][0]"} {
		want = append(want, item+": Invalid value: 1: failed rule: self > 1",
			item+": Invalid value: 1: failed rule: self > 2")
	}
	want = append(want, "m[k].x: Invalid value: 1: failed rule: self > 3",
		"m[n].x: Invalid value: 2: failed rule: self > 3")
	got := strings.Split(lines(whole.Errors), "\n")
	if !slices.Equal(got, want) {
		t.Fatalf("got %q", got)
	}
	for budget := range whole.Cost {
		result := validate(rules, object, nil, celrules.WithBudget(budget))
		got := strings.Split(lines(result.Errors), "\n")
		last := len(got) - 1
		if !slices.Equal(got[:last], want[:last]) ||
			!strings.Contains(got[last], "running out of cost budget") {
			t.Errorf("budget %d: %q", budget, got)
		}
	}
}

// A context that has ended is looked at before every 64th evaluation (CEL-097).
func TestContextEndsManyRules(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	if err := rules.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	cause := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for items, stops := range map[int]bool{57: false, 59: false, 60: true, 200: true} {
		list := make([]any, items)
		for i := range list {
			list[i] = int64(1)
		}
		// Two rules are on the object, and one on each of a and b.
		object := map[string]any{"a": int64(1), "b": int64(1), "l": list}
		result := rules.Validate(ctx, object, nil)
		want := min(items+4, 63)
		if len(result.Errors) != want || stops != errors.Is(result.Err, cause) {
			t.Errorf("%d items: %d errors, %v", items, len(result.Errors), result.Err)
		}
		if result.OutOfBudget {
			t.Error("the budget is blamed")
		}
	}
	fresh := celrules.Compile(mustParse(t, counted))
	if err := fresh.Prepare(ctx); err == nil {
		t.Error("rules are prepared though the context has ended")
	}
}

// An explanation without terms has the place and the rule.
func TestExplainNames(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	object := testschema.Value(t, `{"m":{"k":1},"a":9,"b":9,"l":[7,2]}`)
	result := validate(rules, object, nil,
		func(o *ruleoptions.Validate) { o.Explain = ruleoptions.Names })
	const want = "[{Field:l[1] Rule:self > 5 Terms:[]} {Field:m[k] Rule:self > 5 Terms:[]}]"
	if got := fmt.Sprintf("%+v", result.Explanations); got != want {
		t.Errorf("got %s", got)
	}
}
