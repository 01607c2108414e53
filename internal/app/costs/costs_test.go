package costs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/definition"
	"github.com/crdsem/crdsem/internal/app/protocol"
	"github.com/crdsem/crdsem/internal/base/jsonvalue"
	"github.com/crdsem/crdsem/minors"
)

func TestSuggest(t *testing.T) {
	for name, c := range map[string]struct {
		rule Rule
		want []Edit
	}{
		"no bound": {},
		"no bound fits": {rule: Rule{Missing: []MissingBound{{"a", "maxItems", 0}},
			Set: []SetBound{{"b", "maxLength", 50, 0}}}},
		"one missing bound": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 150}, {"b", "maxLength", 12_345},
				{"c", "maxLength", 200}}, FitsTogether: 50},
			[]Edit{{"b", "maxLength", 12_000}}},
		"just roomy": {Rule{Missing: []MissingBound{{"a", "maxItems", 100}}, FitsTogether: 9},
			[]Edit{{"a", "maxItems", 100}}},
		"not roomy, the only one": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 99}}, FitsTogether: 99},
			[]Edit{{"a", "maxItems", 99}}},
		"all missing bounds": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 99}, {"b", "maxLength", 4}},
				FitsTogether: 3, Set: []SetBound{{"c", "maxItems", 3, 0}}},
			[]Edit{{"a", "maxItems", 3}, {"b", "maxLength", 3}}},
		"the only one, of two bounds": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 1}}, FitsTogether: 1,
				Set: []SetBound{{"b", "maxItems", 50, 1}}}, []Edit{{"a", "maxItems", 1}}},
		"all at one": {Rule{Missing: []MissingBound{{"a", "maxItems", 2}}, FitsTogether: 1},
			[]Edit{{"a", "maxItems", 1}}},
		"all lower at one": {Rule{Set: []SetBound{{"a", "maxItems", 2, 0}}, FitsAll: 1},
			[]Edit{{"a", "maxItems", 1}}},
		"the first of two alike": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 100}, {"b", "maxItems", 100}},
				Set: []SetBound{{"c", "maxItems", 500, 200}, {"d", "maxItems", 500, 200}}},
			[]Edit{{"a", "maxItems", 100}}},
		"the first of two lower ones": {
			Rule{Set: []SetBound{{"c", "maxItems", 500, 100}, {"d", "maxItems", 500, 100}}, FitsAll: 250},
			[]Edit{{"c", "maxItems", 100}}},
		"lower at one": {Rule{Set: []SetBound{{"a", "maxItems", 500, 1}, {"b", "maxItems", 9, 0}},
			FitsAll: 1}, []Edit{{"a", "maxItems", 1}}},
		"not roomy, and nothing else": {rule: Rule{Missing: []MissingBound{{"a", "maxItems", 99}}}},
		"one lower bound": {
			Rule{Set: []SetBound{{"a", "maxItems", 500, 7}, {"b", "maxLength", 1000, 256},
				{"c", "maxItems", 500, 100}}, FitsAll: 300},
			[]Edit{{"b", "maxLength", 250}}},
		"not roomy, as low as all": {
			Rule{Set: []SetBound{{"a", "maxItems", 500, 20}, {"b", "maxLength", 30, 0}}, FitsAll: 20},
			[]Edit{{"a", "maxItems", 20}}},
		"all bounds": {
			Rule{Missing: []MissingBound{{"a", "maxItems", 0}}, FitsAll: 20, Set: []SetBound{
				{"b", "maxLength", 50, 19}, {"c", "maxItems", 20, 0}, {"d", "maxItems", 21, 0}}},
			[]Edit{{"a", "maxItems", 20}, {"b", "maxLength", 20}, {"d", "maxItems", 20}}},
	} {
		if diff := cmp.Diff(c.want, suggest(&c.rule)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestRounded(t *testing.T) {
	for n, want := range map[int64]int64{5: 5, 99: 99, 100: 100, 101: 100, 999: 990, 1000: 1000,
		1019: 1000, 1234: 1200, 98_765: 98_000} {
		if got := rounded(n); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

func TestOver(t *testing.T) {
	for name, c := range map[string]struct {
		table Table
		want  bool
	}{
		"at the limits": {Table{Total: 9, Limit: 9, Rules: []Rule{
			{Total: check.RuleCostLimit, MessageCost: check.RuleCostLimit}}}, false},
		"the schema":  {Table{Total: 9, Limit: 8}, true},
		"a rule":      {Table{Rules: []Rule{{}, {Total: check.RuleCostLimit + 1}}}, true},
		"a message":   {Table{Rules: []Rule{{MessageCost: check.RuleCostLimit + 1}}}, true},
		"no rule yet": {Table{Rules: []Rule{{Errors: []protocol.FieldError{{}}}}}, true},
	} {
		if got := c.table.Over(); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestAdd(t *testing.T) {
	for _, c := range [][3]uint64{{1, 2, 3}, {math.MaxUint64 - 1, 1, math.MaxUint64},
		{math.MaxUint64, 1, math.MaxUint64}, {1, math.MaxUint64, math.MaxUint64}} {
		if got := add(c[0], c[1]); got != c[2] {
			t.Errorf("%d + %d = %d", c[0], c[1], got)
		}
	}
}

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v2
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          open: {type: boolean, x-kubernetes-validations: [{rule: self}]}
          names:
            type: array
            maxItems: 1000
            items:
              type: string
              x-kubernetes-validations: [{rule: "self.matches('^[a-z]+$')"}]
          note:
            type: string
            x-kubernetes-validations:
            - {rule: self != '', messageExpression: "'no ' + string(self)"}
  - name: v1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object}}
`

// The most expensive rule comes first, and the total has all of them. The costs
// are those of the server.
func TestOf(t *testing.T) {
	object, _, err := jsonvalue.DecodeObject([]byte(widgets))
	if err != nil {
		t.Fatal(err)
	}
	crd, _, err := definition.FromMap(object)
	if err != nil {
		t.Fatal(err)
	}
	model, err := definition.Compile(crd)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := Of(t.Context(), model, minors.Newest())
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	first, sum := tables[0], uint64(0)
	var paths []string
	for _, r := range first.Rules {
		paths = append(paths, strings.TrimPrefix(r.Path, "openAPIV3Schema.properties"))
		sum += r.Total + r.MessageCost
	}
	if diff := cmp.Diff([]string{"[note]", "[names].items", "[open]"}, paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if first.Definition != "widgets.example.com" || first.Version != "v2" || first.Total != sum ||
		first.Kubernetes != "1.37" || first.Limit != 100_000_000 || sum == 0 {
		t.Errorf("%s %s on %s: %d of %d", first.Definition, first.Version, first.Kubernetes,
			first.Total, first.Limit)
	}
	note, names := first.Rules[0], first.Rules[1]
	if names.MaxCost != 629_147 || names.Total != 629_147_000 || *names.Cardinality != 1000 {
		t.Errorf("%d * %d = %d", names.MaxCost, *names.Cardinality, names.Total)
	}
	if diff := cmp.Diff([]Edit{{names.Path, "maxLength", 12_000}}, names.Suggestion); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	thousand := int64(1000)
	factors := []Factor{{"openAPIV3Schema.properties[names]", "maxItems", &thousand}}
	if diff := cmp.Diff(factors, names.Factors); diff != "" || names.MessageSuggestion != "" {
		t.Errorf("%q (-want +got):\n%s", names.MessageSuggestion, diff)
	}
	if want := `"no %s".format([self])`; note.MessageSuggestion != want {
		t.Errorf("%q instead of a message for %d", note.MessageSuggestion, note.MessageCost)
	}
	second := Table{Kubernetes: "1.37", Definition: "widgets.example.com", Version: "v1",
		Rules: []Rule{}, Limit: 100_000_000}
	if diff := cmp.Diff(second, tables[1]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(ended, model, minors.Newest()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A rule has each value of its cost, by the same name.
func TestRulesHaveTheirCosts(t *testing.T) {
	most, n := int64(7), uint64(3)
	c := check.RuleCost{
		Path: "a", Index: 1, Rule: "b", MaxCost: 2, Cardinality: &n, Counted: 4, Total: 5,
		MessageCost: 6, UsesOldSelf: true, ShareOfRuleLimit: 8, ShareOfSchemaLimit: 9,
		Factors:      []check.Factor{{Path: "c", Keyword: "d", Max: &most}, {Path: "e"}},
		Missing:      []check.MissingBound{{Path: "f", Keyword: "g", Fits: 10}, {Path: "h"}},
		Set:          []check.SetBound{{Path: "i", Keyword: "j", Value: 11, Fits: 12}, {Path: "k"}},
		FitsTogether: 13, FitsAll: 14,
	}
	got, want := reflect.ValueOf(rulesOf([]check.RuleCost{{}, c})[1]), reflect.ValueOf(c)
	for i := range want.NumField() {
		name := want.Type().Field(i).Name
		f := got.FieldByName(name)
		if f.IsValid() && fmt.Sprint(f) != fmt.Sprint(want.Field(i)) {
			t.Errorf("%s is %v, want %v", name, f, want.Field(i))
		}
	}
	for cost, want := range map[uint64]string{
		check.RuleCostLimit: "", check.RuleCostLimit + 1: `"a %s".format([self])`,
	} {
		c := check.RuleCost{MessageCost: cost, MessageExpression: `"a " + string(self)`}
		if got := rulesOf([]check.RuleCost{c})[0].MessageSuggestion; got != want {
			t.Errorf("a message for %d: %s, want %s", cost, got, want)
		}
	}
}
