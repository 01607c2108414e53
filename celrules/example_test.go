package celrules_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/structural"
)

const autoscaler = `{"type":"object","properties":{"spec":{"type":"object","required":["min","max"],
	"properties":{"min":{"type":"integer"},"max":{"type":"integer"},"target":{"type":"string"}},
	"x-kubernetes-validations":[
		{"rule":"self.min <= self.max","messageExpression":"'min is %d but max only %d'.format([self.min, self.max])","fieldPath":".min"},
		{"rule":"self.target == oldSelf.target","message":"target is immutable"}]}}}`

func ExampleCompile() {
	schema, err := structural.Parse([]byte(autoscaler))
	if err != nil {
		fmt.Println(err)
		return
	}
	rules := celrules.Compile(schema)
	old := map[string]any{"spec": map[string]any{"min": int64(1), "max": int64(3), "target": "web"}}
	object := map[string]any{"spec": map[string]any{"min": int64(5), "max": int64(3), "target": "db"}}
	result := rules.Validate(context.Background(), object, old)
	for _, e := range result.Errors {
		fmt.Println(e)
	}
	fmt.Println("cost", result.Cost)
	// Output:
	// spec.min: Invalid value: min is 5 but max only 3
	// spec: Invalid value: target is immutable
	// cost 27
}

func ExampleExplain() {
	schema, err := structural.Parse([]byte(autoscaler))
	if err != nil {
		fmt.Println(err)
		return
	}
	object := map[string]any{"spec": map[string]any{"min": int64(5), "max": int64(3)}}
	result := celrules.Compile(schema).Validate(context.Background(), object, nil, celrules.Explain())
	for _, term := range result.Explanations[0].Terms {
		fmt.Printf("%d: %s = %s\n", term.Offset, term.Text, term.Value)
	}
	// Output:
	// 0: self.min <= self.max = false
	// 0: self.min = 5
	// 12: self.max = 3
}

func ExampleCheck() {
	schema, err := structural.Parse([]byte(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string",
		"x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"},{"rule":"self == oldSelf"},{"rule":"self.size() > 'x'"}]}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range celrules.Check(schema, field.NewPath("openAPIV3Schema")) {
		fmt.Printf("%s: %s\n", string(e.Type), e.Field)
	}
	// Output:
	// FieldValueForbidden: openAPIV3Schema.properties[names].items.x-kubernetes-validations[0].rule
	// FieldValueForbidden: openAPIV3Schema.properties[names].items.x-kubernetes-validations[1].rule
	// FieldValueInvalid: openAPIV3Schema.properties[names].items.x-kubernetes-validations[1].rule
	// FieldValueInvalid: openAPIV3Schema.properties[names].items.x-kubernetes-validations[2].rule
	// FieldValueForbidden: openAPIV3Schema.properties[names].items.x-kubernetes-validations[0].rule
	// FieldValueForbidden: openAPIV3Schema.properties[names].items.x-kubernetes-validations[1].rule
	// FieldValueForbidden: openAPIV3Schema
}

func ExampleCosts() {
	schema, err := structural.Parse([]byte(`{"type":"object","properties":{"names":{"type":"array","maxItems":1000,"items":{"type":"string",
		"x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"}]}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range celrules.Costs(schema) {
		fmt.Printf("%s: %d times %d is %.1f times the limit\n", c.Path, c.MaxCost, *c.Cardinality, c.ShareOfRuleLimit)
		for _, m := range c.Missing {
			fmt.Printf("with %s %d at %s it fits\n", m.Keyword, m.Fits, m.Path)
		}
	}
	// Output:
	// openAPIV3Schema.properties[names].items: 629147 times 1000 is 62.9 times the limit
	// with maxLength 12497 at openAPIV3Schema.properties[names].items it fits
}
