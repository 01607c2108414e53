package celrules_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/door"
	"github.com/crdsem/crdsem/internal/test/testschema"
)

const counted = `{"type":"object","properties":{
	"m":{"type":"object","additionalProperties":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]}},
	"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]},
	"b":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]},
	"l":{"type":"array","items":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 5"}]}}},
	"x-kubernetes-validations":[{"rule":"self.a > 5"},{"rule":"self.b > 5"}]}`

// COST-002: the budget is spent in one order, and the same input gives the same bytes.
func TestOrderAndBudget(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	object := testschema.Value(t, `{"m":{"z":1,"y":2,"x":3,"w":4},"a":1,"b":1,"l":[1,2]}`)
	want := "<nil>: Invalid value: failed rule: self.a > 5\n<nil>: Invalid value: failed rule: self.b > 5\n" +
		"a: Invalid value: 1: failed rule: self > 5\nb: Invalid value: 1: failed rule: self > 5\n" +
		"l[0]: Invalid value: 1: failed rule: self > 5\nl[1]: Invalid value: 2: failed rule: self > 5\n" +
		"m[w]: Invalid value: 4: failed rule: self > 5\nm[x]: Invalid value: 3: failed rule: self > 5\n" +
		"m[y]: Invalid value: 2: failed rule: self > 5\nm[z]: Invalid value: 1: failed rule: self > 5"
	for range 20 {
		if got := lines(rules.Validate(context.Background(), object, nil).Errors); got != want {
			t.Fatalf("got\n%s", got)
		}
	}
	whole := rules.Validate(context.Background(), object, nil).Cost
	for budget := range whole + 1 {
		result := rules.Validate(context.Background(), object, nil, celrules.WithBudget(budget))
		if result.OutOfBudget != (budget < whole) || result.Cost > budget {
			t.Errorf("budget %d: spent %v at cost %d", budget, result.OutOfBudget, result.Cost)
		}
		if n := len(result.Errors); budget < whole && !strings.Contains(result.Errors[n-1].Detail, "running out of cost budget") {
			t.Errorf("budget %d ends with %v", budget, result.Errors[n-1])
		}
	}
}

func lines(errs field.ErrorList) string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.Error()
	}
	return strings.Join(out, "\n")
}

func TestObserveCosts(t *testing.T) {
	rules := celrules.Compile(mustParse(t, counted))
	result := rules.Validate(context.Background(), testschema.Value(t, `{"m":{"x":7,"y":8},"a":9,"b":9}`), nil, celrules.ObserveCosts())
	var sum uint64
	byPlace := map[string]int{}
	for _, c := range result.Costs {
		sum += c.Cost
		byPlace[fmt.Sprintf("%s[%d]", c.Path, c.Index)] = c.Evaluations
	}
	want := map[string]int{
		"openAPIV3Schema[0]": 1, "openAPIV3Schema[1]": 1, "openAPIV3Schema.properties[a][0]": 1, "openAPIV3Schema.properties[b][0]": 1,
		"openAPIV3Schema.properties[m].additionalProperties[0]": 2,
	}
	if !reflect.DeepEqual(byPlace, want) || int64(sum) != result.Cost {
		t.Errorf("got %v, %d of %d", byPlace, sum, result.Cost)
	}
	if quiet := rules.Validate(context.Background(), map[string]any{"a": int64(9), "b": int64(9)}, nil); quiet.Costs != nil {
		t.Error("costs were observed without being asked for")
	}
}

// The cost of a message is that of its rule, but a message is no evaluation of it.
func TestObserveCostsOfMessages(t *testing.T) {
	rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer",
		"x-kubernetes-validations":[{"rule":"self > 5","messageExpression":"'got ' + string(self)"}]}}}}`))
	passing := rules.Validate(context.Background(), testschema.Value(t, `{"l":[6,7]}`), nil, celrules.ObserveCosts())
	failing := rules.Validate(context.Background(), testschema.Value(t, `{"l":[1,7]}`), nil, celrules.ObserveCosts())
	if len(failing.Costs) != 1 || failing.Costs[0].Evaluations != 2 || int64(failing.Costs[0].Cost) != failing.Cost || failing.Cost <= passing.Cost {
		t.Errorf("got %+v at cost %d, %d without a message", failing.Costs, failing.Cost, passing.Cost)
	}
}

func TestPerCallLimit(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}},
		"x-kubernetes-validations":[{"rule":"self.l.all(x, x < 100)"},{"rule":"false"}]}`)
	object := testschema.Value(t, `{"l":[1,2,3,4,5,6,7,8,9]}`)
	cost := celrules.Compile(schema).Validate(context.Background(), object, nil).Cost
	for limit := range uint64(cost) + 2 {
		result := celrules.Compile(schema, celrules.Internal.Export(door.Key).WithPerCallLimit(limit)).Validate(context.Background(), object, nil)
		over := strings.Contains(lines(result.Errors), "call cost exceeds limit")
		if over != (limit < uint64(cost)) || result.OutOfBudget != over {
			t.Errorf("limit %d of %d: %q", limit, cost, lines(result.Errors))
		}
	}
}

// CEL-097: a comprehension ends with the context, a short rule does not notice.
func TestCancelledContext(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}},
		"x-kubernetes-validations":[{"rule":"self.l.all(x, x >= 0)"},{"rule":"self.l.size() > 1000"}]}`)
	items := make([]any, 1000)
	for i := range items {
		items[i] = int64(i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	result := celrules.Compile(schema).Validate(ctx, map[string]any{"l": items}, nil)
	want := "<nil>: Invalid value: \"object\": operation interrupted: context canceled evaluating rule: self.l.all(x, x >= 0)\n" +
		"<nil>: Invalid value: failed rule: self.l.size() > 1000"
	if got := lines(result.Errors); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestOptions(t *testing.T) {
	schema := mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}},"x-kubernetes-validations":[{"rule":"self.a > 1"}]}`)
	object := map[string]any{"a": int64(0)}
	rules := celrules.Compile(schema)
	at := rules.Validate(context.Background(), object, nil, celrules.At(field.NewPath("spec", "x")))
	if got := lines(at.Errors); got != "spec.x: Invalid value: failed rule: self.a > 1" {
		t.Error(got)
	}
	same := map[string]any{"a": int64(0)}
	if r := rules.Validate(context.Background(), object, same); len(r.Errors) != 0 || len(r.Ratcheted) != 1 {
		t.Errorf("ratcheting: %+v", r)
	}
	if r := rules.Validate(context.Background(), object, same, celrules.WithoutRatcheting()); len(r.Errors) != 1 || len(r.Ratcheted) != 0 {
		t.Errorf("no ratcheting: %+v", r)
	}
}

// CEL-024: metadata is declared at the root of a resource only.
func TestInnerNode(t *testing.T) {
	schema := mustParse(t, `{"type":"object","x-kubernetes-validations":[{"rule":"self.metadata.name == 'x'"}]}`)
	object := map[string]any{"metadata": map[string]any{"name": "x"}}
	if r := celrules.Compile(schema).Validate(context.Background(), object, nil); len(r.Errors) != 0 {
		t.Error(lines(r.Errors))
	}
	r := celrules.Compile(schema, celrules.InnerNode()).Validate(context.Background(), object, nil)
	if !strings.Contains(lines(r.Errors), "undefined field 'metadata'") {
		t.Error(lines(r.Errors))
	}
}

// Rules are shared by goroutines and by versions, whose nodes differ in what expressions do not see.
func TestSharedCache(t *testing.T) {
	cache := new(celrules.Cache)
	versions := make([]*celrules.Rules, 2)
	for i := range versions {
		text := strings.Replace(counted, `"type":"integer"`, fmt.Sprintf(`"description":"version %d","type":"integer"`, i), -1)
		versions[i] = celrules.Compile(mustParse(t, text), celrules.InCache(cache))
	}
	object := testschema.Value(t, `{"m":{"x":1},"a":1,"b":9}`)
	want := lines(celrules.Compile(mustParse(t, counted)).Validate(context.Background(), object, nil).Errors)
	var group sync.WaitGroup
	for n := range 16 {
		group.Go(func() {
			if got := lines(versions[n%2].Validate(context.Background(), object, nil).Errors); got != want {
				t.Errorf("got\n%s", got)
			}
		})
	}
	group.Wait()
	if _, all := versions[1].DirectExpressions(); all != 3 {
		t.Errorf("%d expressions were compiled, want 3", all)
	}
}
