package celrules_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
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
		watching(func(o *ruleoptions.Validate) { o.Explain = ruleoptions.Names }))
	const want = "[{Field:l[1] Rule:self > 5 Terms:[]} {Field:m[k] Rule:self > 5 Terms:[]}]"
	if got := fmt.Sprintf("%+v", result.Explanations); got != want {
		t.Errorf("got %s", got)
	}
}

// Rules that are missing pass everything, and options may be nil.
func TestNoRules(t *testing.T) {
	some := celrules.Compile(mustParse(t, counted), nil)
	if got := validate(some, nil, nil, nil); some.Empty() || got.Cost != 0 {
		t.Errorf("no object: %+v", got)
	}
	for name, r := range map[string]*celrules.Rules{
		"nil": nil, "zero": {}, "no schema": celrules.Compile(nil),
	} {
		got := validate(r, map[string]any{}, nil)
		if !r.Empty() || r.Prepare(t.Context()) != nil || !reflect.DeepEqual(got,
			celrules.Result{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	untyped := celrules.Compile(mustParse(t, `{"x-kubernetes-validations":[{"rule":"true"}]}`), inside,
		ruleoptions.ForCompile(func(o *ruleoptions.Compile) {
			o.List = func(o ruleoptions.Observation) { t.Errorf("%+v is listed", o) }
		}))
	if err := untyped.Prepare(t.Context()); err != nil {
		t.Error(err)
	}
}

// A message whose evaluation the context ends is not used, and such a rule is
// neither explained nor watched (CEL-097).
func TestContextEndsMessage(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"array","items":{"type":"integer"},"x-kubernetes-validations":[
		{"rule":"self == []","messageExpression":"self.all(x, x == 1) ? 'a' : 'b'"},
		{"rule":"self.exists(x, x == 2)"}]}`), inside)
	if err := rules.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	watched := 0
	list := slices.Repeat([]any{int64(1)}, 1000)
	result := rules.Validate(ctx, list, nil, celrules.ExplainFailures(),
		watching(func(o *ruleoptions.Validate) {
			o.Watch = func(ruleoptions.Observation) { watched++ }
		}))
	const want = "<nil>: Invalid value: failed rule: self == []\n<nil>: Invalid value: " +
		"\"array\": " +
		"operation interrupted: context canceled evaluating rule: self.exists(x, x == 2)"
	if got := lines(result.Errors); got != want || result.Err != ctx.Err() ||
		len(result.Explanations) != 1 || watched != 1 {
		t.Errorf("%s, %v, %+v, %d watched", got, result.Err, result.Explanations, watched)
	}
}

// An interrupted evaluation counts for eight others until the next look at the
// context, which is before evaluation 64: 7 interrupted ones are 63.
func TestInterruptedRules(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"array","items":{"type":"array","items":{"type":"integer"},
		"x-kubernetes-validations":[{"rule":"self.all(x, x == 1)"}]}}`), inside)
	if err := rules.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lists := slices.Repeat([]any{slices.Repeat([]any{int64(1)}, 1000)}, 20)
	if result := rules.Validate(ctx, lists,
		nil); len(result.Errors) != 7 || result.Err != ctx.Err() {
		t.Errorf("%d errors, %v", len(result.Errors), result.Err)
	}
}
