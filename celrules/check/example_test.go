package check_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/structural"
)

func ExampleRules() {
	schema, err := structural.Parse([]byte(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string",
		"x-kubernetes-validations":[{"rule":"self.matches('^[a-z]+$')"},{"rule":"self == oldSelf"},{"rule":"self.size() > 'x'"}]}}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range check.Rules(schema, field.NewPath("openAPIV3Schema")) {
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
	for _, c := range check.Costs(schema) {
		fmt.Printf("%s: %d times %d is %.1f times the limit\n", c.Path, c.MaxCost, *c.Cardinality, c.ShareOfRuleLimit)
		for _, m := range c.Missing {
			fmt.Printf("with %s %d at %s it fits\n", m.Keyword, m.Fits, m.Path)
		}
	}
	// Output:
	// openAPIV3Schema.properties[names].items: 629147 times 1000 is 62.9 times the limit
	// with maxLength 12497 at openAPIV3Schema.properties[names].items it fits
}
