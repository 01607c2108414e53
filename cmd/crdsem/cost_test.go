package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/crdsem/crdsem/internal/app/costs"
)

// A definition with a place for a list of rules and the parts that they need.
const priced = foos + " %s\n"

// A suggested edit brings the rule below its limit.
func TestSuggestedEditsFit(t *testing.T) {
	for _, c := range []struct{ name, schema string }{
		{"a list in a list", `{type: object, properties: {l: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(a, self.exists_one(b, a == b))'}]}}}`},
		{"a string in a long list", `{type: object, properties: {l: {type: array, items: {type: string, x-kubernetes-validations: [{rule: 'self.matches("(a+)+$")'}]}}}}`},
		{"a map", `{type: object, properties: {m: {type: object, additionalProperties: {type: string, maxLength: 10}, x-kubernetes-validations: [{rule: 'self.all(k, self.all(j, k.contains(j)))'}]}}}`},
		{"below two lists", `{type: object, properties: {l: {type: array, items: {type: object, properties: {m: {type: array, items: {type: string, maxLength: 900, x-kubernetes-validations: [{rule: 'self.contains("a")'}]}}}}}}}`},
		{"a list whose bound is too high", `{type: object, properties: {l: {type: array, maxItems: 500000, items: {type: string, maxLength: 20, x-kubernetes-validations: [{rule: 'self.matches("^(a+b)+[a-z]{2,9}$")'}]}}}}`},
		{"two bounds that are too high", `{type: object, properties: {l: {type: array, maxItems: 9000, items: {type: string, maxLength: 9000}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a.contains(b)))'}]}}}`},
		{"one bound is too high, another is missing", `{type: object, properties: {l: {type: array, maxItems: 90000, items: {type: object, additionalProperties: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: 'self.all(k, self.all(j, self.all(i, k != j)))'}]}}}}`},
		{"a map whose bound is too high", `{type: object, properties: {m: {type: object, maxProperties: 10000, additionalProperties: {type: string}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a != b))'}]}}}`},
		{"a list with a bound", `{type: object, properties: {l: {type: array, maxItems: 1000, items: {type: string}, x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a.contains(b)))'}]}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var schema map[string]any
			if err := yaml.Unmarshal([]byte(c.schema), &schema); err != nil {
				t.Fatal(err)
			}
			before := costsOfSchema(t, schema)[0].Rules[0]
			if !before.Over() || len(before.Suggestion) == 0 {
				t.Fatalf("cost %d, suggestion %v", before.Total, before.Suggestion)
			}
			for _, edit := range before.Suggestion {
				apply(t, schema, edit)
			}
			if after := costsOfSchema(t, schema)[0].Rules[0]; after.Over() {
				t.Errorf("with %v the cost is %d", before.Suggestion, after.Total)
			}
		})
	}
}

// A suggested messageExpression brings the message below its limit, and the
// hint of check names it.
func TestSuggestedMessagesFit(t *testing.T) {
	for expression, want := range map[string]string{
		`"x exceeded " + string(self.max)`:                   `"x exceeded %s".format([self.max])`,
		`"100% of " + string(self.max) + ", not " + self.s`:  `"100%% of %s, not %s".format([self.max, self.s])`,
		`string(self.max + 1) + ' is less than ' + self.s`:   `"%s is less than %s".format([self.max + 1, self.s])`,
		`'"' + string(self.max) + '" is ' + string(self.on)`: `"\"%s\" is %s".format([self.max, self.on])`,
	} {
		schema := func(message string) map[string]any {
			return map[string]any{"type": "object", "properties": map[string]any{
				"max": map[string]any{"type": "integer"}, "on": map[string]any{"type": "boolean"},
				"s": map[string]any{"type": "string", "maxLength": 20},
			}, "required": []any{"max", "s", "on"}, "x-kubernetes-validations": []any{
				map[string]any{"rule": "self.max > 0", "messageExpression": message}}}
		}
		before := costsOfSchema(t, schema(expression))[0].Rules[0]
		if !before.Over() || before.MessageSuggestion != want {
			t.Errorf("%s: cost %d, suggestion %s", expression, before.MessageCost,
				before.MessageSuggestion)
		}
		if after := costsOfSchema(t, schema(want))[0].Rules[0]; after.Over() {
			t.Errorf("%s: the cost is %d", want, after.MessageCost)
		}
		text, err := json.Marshal(schema(expression))
		if err != nil {
			t.Fatal(err)
		}
		if _, out, _ := execute(t, fmt.Sprintf(priced, text), "check", "-"); !strings.Contains(out,
			want) {
			t.Errorf("check does not name %s:\n%s", want, out)
		}
	}
}

func costsOfSchema(t *testing.T, schema map[string]any) []costs.Table {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	_, out, errs := execute(t, fmt.Sprintf(priced, text), "cost", "-o", "json", "-")
	var report struct{ Results []costs.Table }
	if err := json.Unmarshal([]byte(out), &report); err != nil || errs != "" {
		t.Fatal(err, errs)
	}
	return report.Results
}

// apply sets a keyword at a path such as openAPIV3Schema.properties[l].items.
func apply(t *testing.T, schema map[string]any, edit costs.Edit) {
	t.Helper()
	path := strings.TrimPrefix(edit.Path, "openAPIV3Schema.")
	for _, step := range strings.Split(path, ".") {
		keyword, name, named := strings.Cut(strings.TrimSuffix(step, "]"), "[")
		next, _ := schema[keyword].(map[string]any)
		if named {
			next, _ = next[name].(map[string]any)
		}
		if next == nil {
			t.Fatalf("%s: no %s", edit.Path, step)
		}
		schema = next
	}
	schema[edit.Keyword] = edit.Value
}

// The most expensive rule comes first.
func TestCostsAreSorted(t *testing.T) {
	_, out, _ := execute(t, "", "cost", "-o", "json", "../../examples/rules/crd.yaml")
	var report struct{ Results []costs.Table }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	rules := report.Results[0].Rules
	for i := range rules[1:] {
		if rules[i].Total < rules[i+1].Total {
			t.Errorf("%s before %s", rules[i].Path, rules[i+1].Path)
		}
	}
	if len(rules) < 2 {
		t.Errorf("%d rules", len(rules))
	}
}
