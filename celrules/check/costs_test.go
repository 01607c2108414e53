package check_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/crdsem/crdsem/celrules/check"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
	"github.com/crdsem/crdsem/structural"
)

// parsed returns a schema.
func parsed(t *testing.T, text string) *structural.Schema {
	t.Helper()
	schema, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// nested has rules below a list, below a map, and at two properties.
const nested = `{"type":"object","properties":{
	"list":{"type":"array","maxItems":3,"items":{"type":"object","additionalProperties":{
		"type":"integer","x-kubernetes-validations":[{"rule":"self > 1"}]}}},
	"b":{"type":"object","properties":{"c":{"type":"string","x-kubernetes-validations":[
		{"rule":"self == 'a'","messageExpression":"self"},{"rule":"self =="}]}}},
	"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > oldSelf"}]}}}`

// described returns a cost without its texts and the reasons of errors.
func described(c check.RuleCost) string {
	number := func(n *uint64) any {
		if n == nil {
			return "-"
		}
		return *n
	}
	factors := ""
	for _, f := range c.Factors {
		factors += " " + strings.TrimPrefix(f.Path, "openAPIV3Schema.") + " " + f.Keyword
		if f.Max != nil {
			factors += fmt.Sprint("=", *f.Max)
		}
	}
	for _, m := range c.Missing {
		factors += " missing " + strings.TrimPrefix(m.Path, "openAPIV3Schema.") + " " + m.Keyword
	}
	return fmt.Sprint(strings.TrimPrefix(c.Path, "openAPIV3Schema."), " ", c.Index, " ", c.MaxCost,
		" of ", number(c.Cardinality), ", ", c.Counted, "=", c.Total, " ", c.MessageCost, " ",
		c.UsesOldSelf, " ", c.ShareOfRuleLimit, " ", c.ShareOfSchemaLimit, " ",
		len(c.Errors), factors)
}

// Rules are estimated in the order of paths, with what is above them, and with
// missing bounds if they are asked for.
func TestCosts(t *testing.T) {
	const (
		a    = "properties[a] 0 3 of 1, 1=3 0 true 3e-07 3e-08 0"
		c    = "properties[b].properties[c] 0 2 of 1, 1=2 1 false 2e-07 2e-08 0"
		last = "properties[b].properties[c] 1 0 of 1, 1=0 0 false 0 0 1"
		// 3 MiB of a request hold half as many integers.
		list = "properties[list].items.additionalProperties 0 2 of -, 1572864=3145728 0 false " +
			"0.3145728 0.03145728 0 properties[list] maxItems=3 " +
			"properties[list].items maxProperties"
	)
	plain := []string{a, c, last, list}
	withBounds := []string{a, c + " missing properties[b].properties[c] maxLength", last,
		list + " missing properties[list].items maxProperties"}
	cache := structural.InCache(new(structural.Cache))
	for name, test := range map[string]struct {
		options []structural.Option
		want    []string
	}{
		"no options":  {nil, plain},
		"a cache":     {[]structural.Option{nil, cache}, plain},
		"bounds":      {[]structural.Option{check.Bounds()}, withBounds},
		"bounds last": {[]structural.Option{cache, nil, check.Bounds()}, withBounds},
	} {
		costs, err := check.Costs(t.Context(), parsed(t, nested), test.options...)
		var got []string
		for _, cost := range costs {
			got = append(got, described(cost))
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, schema := range []*structural.Schema{nil, parsed(t, `{"type":"object"}`)} {
		if costs, err := check.Costs(t.Context(), schema); costs != nil || err != nil {
			t.Error(costs, err)
		}
	}
}

// guide records where it is led. One node is not sound.
type guide struct {
	calls, at []string
	unsound   string
}

func (g *guide) enter(child string) {
	g.at = append(g.at, child)
	g.calls = append(g.calls, strings.Join(g.at, "."))
}

func (g *guide) Property(name string)  { g.enter(name) }
func (g *guide) Items()                { g.enter("items") }
func (g *guide) AdditionalProperties() { g.enter("values") }
func (g *guide) Leave()                { g.at = g.at[:len(g.at)-1] }
func (g *guide) Sound() bool           { return strings.Join(g.at, ".") != g.unsound }

// A guide is led to each node with rules. Those of an unsound node are not
// checked, nor are the fields of rules.
func TestGuide(t *testing.T) {
	const bad = "s.properties[b].properties[c].x-kubernetes-validations[1].rule"
	for unsound, want := range map[string][]string{"b.c": nil, "b": {bad}, "a": {bad}} {
		g := &guide{unsound: unsound}
		errs := check.Validate(t.Context(), parsed(t, nested), field.NewPath("s"),
			ruleoptions.ForCompile(func(o *ruleoptions.Compile) { o.Guide = g }))
		var got []string
		for _, err := range errs {
			got = append(got, err.Field)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is unsound: errors at %q", unsound, got)
		}
		calls := strings.Join(g.calls, " ")
		if calls != "a b b.c list list.items list.items.values" || len(g.at) > 0 {
			t.Errorf("led to %q, left at %q", calls, g.at)
		}
	}
}

// A countdown is a context that ends after some looks at its error.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Costs looks at the context before and after each rule.
func TestCostsLookAtTheContext(t *testing.T) {
	schema := parsed(t, `{"type":"object","x-kubernetes-validations":[{"rule":"true"},{"rule":"!true"}]}`)
	for looks, want := range []string{
		"0 context canceled", "0 context canceled", "1 context canceled", "1 context canceled",
		"2 context canceled", "2 <nil>",
	} {
		costs, err := check.Costs(&countdown{t.Context(), looks}, schema)
		if got := fmt.Sprint(len(costs), " ", err); got != want {
			t.Errorf("%d looks: %s, want %s", looks, got, want)
		}
	}
}

// Rules of a context that has ended are not checked, unless there are none.
func TestValidateEnds(t *testing.T) {
	ended := &countdown{Context: t.Context()}
	for text, want := range map[string]string{
		nested: "[s: Internal error: context canceled]", `{"type":"object"}`: "[]",
	} {
		errs := check.Validate(ended, parsed(t, text), field.NewPath("s"))
		if got := fmt.Sprint(errs); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Rules of the items of a value that has none have one error for each node. A
// server panics on the items of such items. Nodes below one without rules are
// declared on their own.
func TestUndeclared(t *testing.T) {
	const rule = `"x-kubernetes-validations":[{"rule":"self =="}]`
	for above, want := range map[string]string{
		rule + ",": " items.items CRD-216 failed items CRD-216 failed  CRD-210 compilation",
		"":         " items.items CRD-210 compilation items CRD-210 compilation",
	} {
		schema := parsed(t, `{"type":"object","properties":{"s":{"type":"string",`+above+`"items":{"type":"array",`+
			rule+`,"items":{"type":"integer",`+rule+`}}}}}`)
		got := ""
		for _, err := range check.Validate(t.Context(), schema, nil) {
			at, _, _ := strings.Cut(strings.TrimPrefix(err.Field, "properties[s]"), "x-kubernetes")
			kind, _, _ := strings.Cut(err.Detail, " ")
			got += " " + strings.Trim(at, ".") + " " + err.Origin + " " + kind
		}
		if got != want {
			t.Errorf("%s: %s, want %s", above, got, want)
		}
	}
}

// Once the errors take more than 64 MiB, no further rule is compiled.
func TestErrorsOfLongPaths(t *testing.T) {
	rules := strings.TrimSuffix(strings.Repeat(`{"rule":"self =="},`, 70), ",")
	schema := parsed(t, `{"type":"object","properties":{"`+strings.Repeat("a", 1<<20)+
		`":{"type":"string","x-kubernetes-validations":[`+rules+`]},"b":{"type":"string",`+
		`"x-kubernetes-validations":[{"rule":"self =="}]}}}`)
	compiled := 0
	errs := check.Validate(t.Context(), schema, nil,
		ruleoptions.ForCompile(func(o *ruleoptions.Compile) {
			o.StoredRule = func(string) bool { compiled++; return false }
		}))
	const want = "the errors take more than 64 MiB: validation was stopped"
	if last := errs[len(errs)-1]; len(errs) != 64 || compiled != 64 || last.Detail != want {
		t.Errorf("%d errors, %d rules, %v", len(errs), compiled, last.Detail)
	}
}

// The path of a list at which all paths take more than 64 MiB is the last one.
func TestCostsOfLongPaths(t *testing.T) {
	rules := strings.TrimSuffix(strings.Repeat(`{"rule":"true"},`, 70), ",")
	schema := parsed(t, `{"type":"object","properties":{"`+strings.Repeat("a", 1<<20)+
		`":{"type":"string","x-kubernetes-validations":[`+rules+`]}}}`)
	for looks, want := range map[int]string{
		128: "64 context canceled", 130: "64 the paths of the rules take more than 64 MiB",
	} {
		costs, err := check.Costs(&countdown{t.Context(), looks}, schema)
		if got := fmt.Sprint(len(costs), " ", err); got != want {
			t.Errorf("%d looks: %s, want %s", looks, got, want)
		}
	}
}

// A cost at the limit of a rule is allowed, and a larger one is not.
func TestRuleCostLimit(t *testing.T) {
	for items, count := range map[int]int{5_000_000: 0, 5_000_001: 1} {
		schema := parsed(t, fmt.Sprintf(`{"type":"array","maxItems":%d,"items":{"type":"integer",`+
			`"x-kubernetes-validations":[{"rule":"self > 1"}]}}`, items))
		costs, err := check.Costs(t.Context(), schema)
		if err != nil || len(costs) != 1 || len(costs[0].Set) != count {
			t.Errorf("%d items: %+v, error %v", items, costs, err)
		}
		if errs := check.Validate(t.Context(), schema, field.NewPath("s")); len(errs) != count {
			t.Errorf("%d items: %v", items, errs)
		}
	}
}
