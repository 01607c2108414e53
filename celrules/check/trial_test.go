package check_test

import (
	"fmt"
	"testing"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/structural"
)

// A trial estimates what Costs does for a schema that has the bounds.
func TestTrial(t *testing.T) {
	const schema = `{"type": "object", "properties": {"l": {"type": "array", %s "items": {"type": "object",
		"properties": {"s": {"type": "string" %s}}, "x-kubernetes-validations": [{"rule": "self.s.contains('a')"}]}}}}`
	parse := func(list, text string) *structural.Schema {
		return parsed(t, fmt.Sprintf(schema, list, text))
	}
	trial, err := check.NewTrial(t.Context(), parse("", ""))
	if err != nil {
		t.Fatal(err)
	}
	const list = "openAPIV3Schema.properties[l]"
	const text = list + ".items.properties[s]"
	for _, c := range []struct {
		list, text string
		bounds     map[string]int64
	}{
		{"", "", nil},
		{`"maxItems": 7,`, "", map[string]int64{list: 7}},
		{"", `, "maxLength": 9`, map[string]int64{text: 9}},
		{`"maxItems": 7,`, `, "maxLength": 9`, map[string]int64{list: 7, text: 9}},
	} {
		want, err := check.Costs(t.Context(), parse(c.list, c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := trial.Total(0, c.bounds); got != want[0].Total {
			t.Errorf("%v: %d, want %d", c.bounds, got, want[0].Total)
		}
	}
	if rules := trial.Rules(); len(rules) != 1 || len(rules[0].Missing) != 2 {
		t.Errorf("%+v", rules)
	}
}
