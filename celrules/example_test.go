package celrules_test

import (
	"context"
	"fmt"

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
	object := map[string]any{
		"spec": map[string]any{"min": int64(5), "max": int64(3), "target": "db"},
	}
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

func ExampleExplainFailures() {
	schema, err := structural.Parse([]byte(autoscaler))
	if err != nil {
		fmt.Println(err)
		return
	}
	object := map[string]any{"spec": map[string]any{"min": int64(5), "max": int64(3)}}
	rules := celrules.Compile(schema)
	result := rules.Validate(context.Background(), object, nil, celrules.ExplainFailures())
	for _, term := range result.Explanations[0].Terms {
		fmt.Printf("%d: %s = %s\n", term.Offset, term.Text, term.Value)
	}
	// Output:
	// 0: self.min <= self.max = false
	// 0: self.min = 5
	// 12: self.max = 3
}
