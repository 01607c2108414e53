package policy_test

import (
	"context"
	"fmt"

	"github.com/crdsem/crdsem/celrules/policy"
	"github.com/crdsem/crdsem/minors"
)

// A policy has a variable, a validation and the message of its refusal. The
// expressions are compiled once, and asked about each request.
func Example() {
	c, err := policy.NewCompiler(minors.Newest(), policy.Composed())
	if err != nil {
		fmt.Println(err)
		return
	}
	c.Define("size", "object.spec.size")
	small := c.Compile("variables.size < 5", policy.Condition)
	message := c.Compile("'size is ' + string(variables.size)", policy.Message)

	run := c.Start(policy.Request{
		Request: map[string]any{"operation": "CREATE"},
		Object:  map[string]any{"spec": map[string]any{"size": int64(8)}},
	}, policy.Budget)
	fmt.Println(run.Eval(context.Background(), small))
	fmt.Println(run.Eval(context.Background(), message))
	// Output:
	// false <nil>
	// size is 8 <nil>
}

// The match conditions of a webhook decide whether it is called.
func ExampleRun_Match() {
	c, err := policy.NewCompiler("1.33")
	if err != nil {
		fmt.Println(err)
		return
	}
	conditions := []*policy.Expression{
		c.Compile("request.operation == 'UPDATE'", policy.Condition),
		c.Compile("object.spec.size != oldObject.spec.size", policy.Condition),
	}
	size := func(n int64) map[string]any {
		return map[string]any{"spec": map[string]any{"size": n}}
	}
	run := c.Start(policy.Request{
		Request: map[string]any{"operation": "UPDATE"}, Object: size(3), OldObject: size(2),
	}, policy.ConditionsBudget)
	fmt.Println(run.Match(context.Background(), conditions))
	// Output: true <nil>
}
