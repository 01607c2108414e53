package celrules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/crdsem/crdsem/celrules"
	"github.com/crdsem/crdsem/internal/belowfacade/ruleoptions"
)

func TestOperands(t *testing.T) {
	for _, c := range []struct {
		name, rule string
		want       []string // offset, text, values that are true, false and other
	}{
		{"no operator", "self.a < self.b", nil},
		{"both evaluated", "self.a > 0 && self.b > 5", []string{"0 self.a > 0 1 0 0", "14 self.b > 5 0 1 0"}},
		{"short circuit", "self.a > 0 || self.b > 5", []string{"0 self.a > 0 1 0 0", "14 self.b > 5 0 0 0"}},
		{"one operator three times", "self.a > 0 && self.b > 0 && self.a > 9",
			[]string{"0 self.a > 0 1 0 0", "14 self.b > 0 1 0 0", "28 self.a > 9 0 1 0"}},
		{"nested operators", "(self.a > 5 || self.b > 0) && true", []string{
			"1 self.a > 5 || self.b > 0 1 0 0", "1 self.a > 5 0 1 0", "15 self.b > 0 1 0 0", "30 true 1 0 0",
		}},
		{"branches", "(self.a > 5 ? self.a : self.b) > 0", []string{
			"1 self.a > 5 0 1 0", "14 self.a 0 0 0", "23 self.b 0 0 1",
		}},
		{"steps of a macro", "self.l.all(x, x == 1 || x > 2)", []string{
			"14 x == 1 1 1 0", "24 x > 2 1 0 0",
		}},
		{"no operand is a macro's own", "!self.l.exists(x, x > 7) && self.l.filter(x, x > 1).size() == 1", []string{
			"0 !self.l.exists(x, x > 7) 1 0 0", "28 self.l.filter(x, x > 1).size() == 1 1 0 0",
		}},
		{"error", "self.c == 1 || self.a > 0", []string{"0 self.c == 1 0 0 1", "15 self.a > 0 1 0 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := celrules.Compile(mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"},
				"b":{"type":"integer"},"c":{"type":"integer"},"l":{"type":"array","items":{"type":"integer"}}},
				"x-kubernetes-validations":[{"rule":"true"},{"rule":"`+c.rule+`"}]}`))
			object := map[string]any{"a": int64(3), "b": int64(2), "l": []any{int64(1), int64(5)}}
			var seen []ruleoptions.Observation
			watched := validate(rules, object, nil, watching(func(o *ruleoptions.Validate) {
				o.Watch = func(o ruleoptions.Observation) { seen = append(seen, o) }
			}))
			plain := validate(rules, object, nil)
			if watched.Cost != plain.Cost || len(watched.Errors) != len(plain.Errors) {
				t.Errorf("watching changes the result: %+v, %+v", watched, plain)
			}
			if len(seen) != 2 {
				t.Fatalf("%d observations", len(seen))
			}
			last := seen[1]
			if last.Path != "openAPIV3Schema" || last.Index != 1 ||
				last.Holds != (len(plain.Errors) == 0) {
				t.Errorf("%+v", last)
			}
			var got []string
			for _, o := range last.Operands {
				got = append(got, fmt.Sprintln(o.Offset, o.Text, o.True, o.False, o.Other))
			}
			for i := range c.want {
				c.want[i] += "\n"
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// All rules of a schema are listed with the places of their operands, without
// an evaluation. A rule that does not compile is left out.
func TestListOperands(t *testing.T) {
	const rule = `"x-kubernetes-validations":[{"rule":"self > %d || self < 0"}]`
	schema := fmt.Sprintf(`{"type":"object","allOf":[{"x-kubernetes-validations":[{"rule":"self.a > 9 || self.a < 0"}]}],
		"x-kubernetes-validations":[{"rule":"true"},
		{"rule":"self.none"},{"rule":"(has(self.a) ? self.a : 1) > 2"}],"properties":{
		"a":{"type":"integer",`+rule+`},
		"l":{"type":"array","maxItems":3,"items":{"type":"integer",`+rule+`}},
		"m":{"type":"object","additionalProperties":{"type":"integer",`+rule+`}}}}`, 1, 2, 3)
	var got []string
	celrules.Compile(mustParse(t, schema), ruleoptions.ForCompile(func(o *ruleoptions.Compile) {
		o.List = func(o ruleoptions.Observation) {
			text := fmt.Sprint(o.Path, " ", o.Index)
			for _, operand := range o.Operands {
				text += fmt.Sprintf(" %d:%s:%t", operand.Offset, operand.Text, operand.Boolean)
			}
			got = append(got, text)
		}
	}))
	want := []string{
		"openAPIV3Schema 0",
		"openAPIV3Schema 2 1:has(self.a):true 15:self.a:false 24:1:false",
		"openAPIV3Schema.allOf[0] 0 0:self.a > 9:true 14:self.a < 0:true",
		"openAPIV3Schema.properties[a] 0 0:self > 1:true 12:self < 0:true",
		"openAPIV3Schema.properties[l].items 0 0:self > 2:true 12:self < 0:true",
		"openAPIV3Schema.properties[m].additionalProperties 0 0:self > 3:true 12:self < 0:true",
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
