package check_test

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/structural"
)

func ExampleValidate() {
	schema, err := structural.Parse([]byte(`{"type":"object","properties":{
		"ids":{"type":"array","items":{"type":"string","x-kubernetes-validations":[
			{"rule":"self.matches('^[a-z]+$')"},
			{"rule":"self == oldSelf"},
			{"rule":"self.size() > 'x'"}]}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range check.Validate(context.Background(), schema, field.NewPath("schema")) {
		fmt.Println(strings.TrimPrefix(string(e.Type), "FieldValue")+":", e.Field)
	}
	// Output:
	// Forbidden: schema.properties[ids].items.x-kubernetes-validations[0].rule
	// Forbidden: schema.properties[ids].items.x-kubernetes-validations[1].rule
	// Invalid: schema.properties[ids].items.x-kubernetes-validations[1].rule
	// Invalid: schema.properties[ids].items.x-kubernetes-validations[2].rule
	// Forbidden: schema.properties[ids].items.x-kubernetes-validations[0].rule
	// Forbidden: schema.properties[ids].items.x-kubernetes-validations[1].rule
	// Forbidden: schema
}

func ExampleCosts() {
	schema, err := structural.Parse([]byte(`{"type":"object","properties":{
		"names":{"type":"array","maxItems":1000,"items":{"type":"string",
			"x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"}]}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	costs, err := check.Costs(context.Background(), schema)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range costs {
		fmt.Println(c.Path)
		fmt.Printf("costs %d * %d, %.1f times the limit\n",
			c.MaxCost, *c.Cardinality, c.ShareOfRuleLimit)
		for _, m := range c.Missing {
			fmt.Printf("fits with %s %d\n", m.Keyword, m.Fits)
		}
	}
	// Output:
	// openAPIV3Schema.properties[names].items
	// costs 629147 * 1000, 62.9 times the limit
	// fits with maxLength 12497
}
