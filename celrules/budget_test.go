package celrules_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/internal/test/testschema"
	"github.com/crdsem/crdsem/structural"
)

const counted = `{"type":"object","properties":{
	"m":{"type":"object","additionalProperties":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]}},
	"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]},
	"b":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]},
	"l":{"type":"array","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]}}},
	"x-kubernetes-validations":[{"rule":"self.a > 5"},{"rule":"self.b > 5"}]}`

// The budget is spent in a fixed order, and the same input gives the same bytes
// (COST-002).
func TestOrderAndBudget(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	object := testschema.Value(t, `{"m":{"z":1,"y":2,"x":3,"w":4},"a":1,"b":1,"l":[1,2]}`)
	want := strings.Join([]string{
		"<nil>: Invalid value: failed rule: self.a > 5",
		"<nil>: Invalid value: failed rule: self.b > 5",
		"a: Invalid value: 1: failed rule: self > 5",
		"b: Invalid value: 1: failed rule: self > 5",
		"l[0]: Invalid value: 1: failed rule: self > 5",
		"l[1]: Invalid value: 2: failed rule: self > 5",
		"m[w]: Invalid value: 4: failed rule: self > 5",
		"m[x]: Invalid value: 3: failed rule: self > 5",
		"m[y]: Invalid value: 2: failed rule: self > 5",
		"m[z]: Invalid value: 1: failed rule: self > 5",
	}, "\n")
	for range 20 {
		if got := lines(validate(rules, object, nil).Errors); got != want {
			t.Fatalf("got\n%s", got)
		}
	}
	whole := validate(rules, object, nil).Cost
	for budget := range whole + 1 {
		result := validate(rules, object, nil, celrules.WithBudget(budget))
		if result.OutOfBudget != (budget < whole) || result.Cost > budget {
			t.Errorf("budget %d: spent %v at cost %d", budget, result.OutOfBudget, result.Cost)
		}
		if budget == whole {
			continue
		}
		last := result.Errors[len(result.Errors)-1]
		if !strings.Contains(last.Detail, "running out of cost budget") {
			t.Errorf("budget %d ends with %v", budget, last)
		}
	}
}

func TestObserveCosts(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	object := testschema.Value(t, `{"m":{"x":7,"y":8},"a":9,"b":9}`)
	result := validate(rules, object, nil, celrules.ObserveCosts())
	const root = "openAPIV3Schema"
	want := []celrules.ObservedCost{
		{Path: root, Rule: "self.a > 5", Evaluations: 1, Cost: 3},
		{Path: root, Index: 1, Rule: "self.b > 5", Evaluations: 1, Cost: 3},
		{Path: root + ".properties[a]", Rule: "self > 5", Evaluations: 1, Cost: 2},
		{Path: root + ".properties[b]", Rule: "self > 5", Evaluations: 1, Cost: 2},
		{Path: root + ".properties[m].additionalProperties", Rule: "self > 5", Evaluations: 2, Cost: 4},
	}
	if !reflect.DeepEqual(result.Costs, want) || result.Cost != 14 {
		t.Errorf("got %+v, all %d", result.Costs, result.Cost)
	}
	if quiet := validate(rules, object, nil); quiet.Costs != nil {
		t.Error("costs were observed without being asked for")
	}
}

// The cost of a messageExpression is added to its rule, but is not counted as
// an evaluation.
func TestObserveCostsOfMessages(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer",
		"x-kubernetes-validations":[{"rule":"self > 5","messageExpression":"'got ' + string(self)"}]}}}}`))
	passing := validate(rules, testschema.Value(t, `{"l":[6,7]}`), nil, celrules.ObserveCosts())
	failing := validate(rules, testschema.Value(t, `{"l":[1,7]}`), nil, celrules.ObserveCosts())
	if failing.Cost <= passing.Cost {
		t.Errorf("cost %d, %d without a message", failing.Cost, passing.Cost)
	}
	if len(failing.Costs) != 1 {
		t.Fatalf("got %+v", failing.Costs)
	}
	got := failing.Costs[0]
	if got.Evaluations != 2 || int64(got.Cost) != failing.Cost {
		t.Errorf("got %+v at cost %d", got, failing.Cost)
	}
}

// No rule runs without a budget, not even one that costs nothing.
func TestNoBudget(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","x-kubernetes-validations":[{"rule":"true"}]}`))
	for budget, over := range map[int64]bool{-1: true, 0: true, 1: false} {
		result := validate(rules, map[string]any{}, nil, nil, celrules.WithBudget(budget))
		if result.OutOfBudget != over || len(result.Errors) > 0 != over || result.Cost != 0 {
			t.Errorf("budget %d: %+v", budget, result)
		}
	}
}

func TestPerCallLimit(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}},
		"x-kubernetes-validations":[{"rule":"self.l.all(x, x < 100)"},{"rule":"false"}]}`)
	object := testschema.Value(t, `{"l":[1,2,3,4,5,6,7,8,9]}`)
	cost := validate(celrules.Compile(schema), object, nil).Cost
	withLimit := func(limit uint64) structural.Option {
		return ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.PerCallLimit = limit })
	}
	for limit := range uint64(cost) + 2 {
		result := validate(celrules.Compile(schema, withLimit(limit)), object, nil)
		over := strings.Contains(lines(result.Errors), "call cost exceeds limit")
		if over != (limit < uint64(cost)) || result.OutOfBudget != over {
			t.Errorf("limit %d of %d: %q", limit, cost, lines(result.Errors))
		}
	}
}
