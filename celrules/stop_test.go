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

// Rules that are missing pass everything.
func TestNoRules(t *testing.T) {
	for name, r := range map[string]*celrules.Rules{
		"nil": nil, "zero": {}, "no schema": celrules.Compile(nil),
		"no rules": celrules.Compile(mustParse(t, `{"type":"object"}`)),
	} {
		if !r.Empty() || r.Prepare(t.Context()) != nil {
			t.Errorf("%s: there are rules", name)
		}
		if got := validate(r, map[string]any{}, nil); !reflect.DeepEqual(got, celrules.Result{}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	some := celrules.Compile(mustParse(t, counted), nil)
	if got := validate(some, nil, nil); some.Empty() || !reflect.DeepEqual(got, celrules.Result{}) {
		t.Errorf("no object: %+v", got)
	}
}

// An object without a type has no rules that compile. Those of its properties
// run.
func TestRulesWithoutType(t *testing.T) {
	schema := mustParse(t, `{"x-kubernetes-validations":[{"rule":"true"}],"properties":{
		"9":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]}},
		"items":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 6"}]}}`)
	rules := celrules.Compile(schema, inside)
	const failed = `<nil>: Invalid value: "": rule compiler initialization error: ` +
		"failed to convert to declType for CEL validation rules"
	for object, want := range map[string]string{
		`{"9":1}`: failed + "\n9: Invalid value: 1: failed rule: self > 5",
		`[7,1]`: failed + "\n[0]: Invalid value: \"integer\": rule compiler initialization error: " +
			"failed to convert to declType for CEL validation rules" +
			"\n[1]: Invalid value: \"integer\": rule compiler initialization error: " +
			"failed to convert to declType for CEL validation rules",
	} {
		if got := lines(validate(rules, testschema.Value(t, object), nil).Errors); got != want {
			t.Errorf("%s: %s", object, got)
		}
	}
	celrules.Compile(schema, inside, func(o *ruleoptions.Compile) {
		o.List = func(o ruleoptions.Observation) {
			if o.Path != "openAPIV3Schema.properties[9]" {
				t.Errorf("%s is listed", o.Path)
			}
		}
	})
	ended, cancel := context.WithCancel(t.Context())
	if err := rules.Prepare(ended); err != nil {
		t.Error(err)
	}
	if cancel(); rules.Prepare(ended) != context.Canceled {
		t.Error("rules are prepared though the context has ended")
	}
}

// A context that ends before a rule or a message is compiled is no verdict.
func TestContextEndsCompiling(t *testing.T) {
	cause := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for rule, failures := range map[string]int{
		`{"rule":"self.a > 1"}`: 0, `{"rule":"self.a > 1","messageExpression":"string(self.a)"}`: 0,
	} {
		schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}},
			"x-kubernetes-validations":[`+rule+`]}`)
		stopped := false
		for range 1000 { // it may be compiled in time
			result := celrules.Compile(schema).Validate(ctx, map[string]any{"a": int64(1)}, nil)
			if stopped = result.Err == cause && len(result.Errors) == failures; stopped {
				break
			}
		}
		if !stopped {
			t.Errorf("%s is compiled after the context ended", rule)
		}
	}
}

// A message whose evaluation the context ends is not used (CEL-097).
func TestContextEndsMessage(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"l":{"type":"array",
		"items":{"type":"integer"}}},"x-kubernetes-validations":[{"rule":"self.l == []",
		"messageExpression":"self.l.all(x, x == 1) ? 'a' : 'b'"},{"rule":"self.l.exists(x, x == 2)"}]}`))
	if err := rules.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	object := map[string]any{"l": slices.Repeat([]any{int64(1)}, 1000)}
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("ended")
	cancel(cause)
	var watched []string
	result := rules.Validate(ctx, object, nil, celrules.ExplainFailures(),
		func(o *ruleoptions.Validate) {
			o.Watch = func(seen ruleoptions.Observation) {
				watched = append(watched, fmt.Sprint(seen.Index, seen.Holds))
			}
		})
	const want = "<nil>: Invalid value: failed rule: self.l == []\n<nil>: Invalid value: \"object\": " +
		"operation interrupted: ended evaluating rule: self.l.exists(x, x == 2)"
	if got := lines(result.Errors); got != want || result.Err != cause {
		t.Errorf("%s, %v", got, result.Err)
	}
	if len(result.Explanations) != 1 || result.Explanations[0].Rule != "self.l == []" {
		t.Errorf("%+v", result.Explanations)
	}
	if !slices.Equal(watched, []string{"0 false"}) {
		t.Errorf("%q were watched", watched)
	}
}

// Rules of a cache that was emptied still run. One plan serves all minors.
func TestCacheOfMinors(t *testing.T) {
	cache := new(celrules.Cache)
	schema := mustParse(t, `{"type":"object","allOf":[{"x-kubernetes-validations":[{"rule":"self.a > 1"}]}],
		"properties":{"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 2"}]}}}`)
	compiled := func(choices ...celrules.Option) *celrules.Rules {
		return celrules.Compile(schema, append(choices, celrules.InCache(cache))...)
	}
	newest, oldest := compiled(), compiled(celrules.Kubernetes("1.29"))
	const own = "a: Invalid value: \"integer\": failed rule: self > 2"
	for range 2 {
		for want, r := range map[string]*celrules.Rules{
			own: oldest, "<nil>: Invalid value: failed rule: self.a > 1\n" +
				"a: Invalid value: 1: failed rule: self > 2": newest,
		} {
			result := validate(r, map[string]any{"a": int64(1)}, nil, celrules.ObserveCosts())
			if got := lines(result.Errors); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			var paths []string
			for _, c := range result.Costs {
				paths = append(paths, strings.TrimPrefix(c.Path, "openAPIV3Schema."))
			}
			if all := []string{"allOf[0]", "properties[a]"}; !slices.Equal(paths, all[2-len(paths):]) {
				t.Errorf("costs of %q", paths)
			}
		}
		cache.Drop()
	}
	if _, all := compiled().DirectExpressions(); all != 2 {
		t.Errorf("%d expressions are in the cache", all)
	}
	if none := celrules.Compile(schema, celrules.InCache(cache), celrules.InCache(nil)); none.Empty() {
		t.Error("no rules without a cache")
	} else if cache.Drop(); lines(validate(none, map[string]any{"a": int64(3)}, nil).Errors) != "" {
		t.Error("rules fail")
	}
	if _, all := celrules.Compile(mustParse(t, `{"type":"object"}`),
		celrules.InCache(cache)).DirectExpressions(); all != 0 {
		t.Errorf("%d expressions are in a cache that was taken back", all)
	}
}

// An interrupted evaluation counts for eight others until the next look at the
// context.
func TestInterruptedRules(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"array","items":{"type":"array","items":{"type":"integer"},
		"x-kubernetes-validations":[{"rule":"self.all(x, x == 1)"}]}}`), inside)
	if err := rules.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lists := slices.Repeat([]any{slices.Repeat([]any{int64(1)}, 1000)}, 20)
	// The look is before evaluation 64, where 7 interrupted ones are 63.
	if result := rules.Validate(ctx, lists, nil); len(result.Errors) != 7 || result.Err != ctx.Err() {
		t.Errorf("%d errors, %v", len(result.Errors), result.Err)
	}
}

// An old object that is a nil map or list is as good as none.
func TestNoOldObject(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","x-kubernetes-validations":[
		{"rule":"self == oldSelf && false"},{"rule":"false"}]}`))
	for old, want := range map[string]any{
		"nil": nil, "map": map[string]any(nil), "list": []any(nil),
	} {
		result := validate(rules, map[string]any{}, want)
		if len(result.Errors) != 1 || len(result.Ratcheted) != 0 {
			t.Errorf("%s: %s", old, lines(result.Errors))
		}
	}
	if result := validate(rules, map[string]any{}, map[string]any{}); len(result.Errors) != 1 ||
		len(result.Ratcheted) != 1 {
		t.Errorf("an empty map: %s", lines(result.Errors))
	}
}
